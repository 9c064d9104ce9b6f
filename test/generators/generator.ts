// A generator of sites, as the test uses it. Each generator has a file beside this one that exports it, and a
// line in `all.ts`.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Generator = {
  /** The site in `test/fixtures/policy/sites.jsonl` on which the policy judges the pages. */
  readonly site: string
  /** Everything besides the pages: configuration and a first page. */
  readonly files: Readonly<Record<string, string>>
  /** The folder of the pages, with a slash at its end, or empty. */
  readonly pages: string
  /** The extensions of pages. */
  readonly extensions: readonly string[]
  /** Whether scripts of the site itself build parts of its pages. */
  readonly isLive: boolean
  /** Adds what makes a text a page for the generator. */
  readonly toPage?: (text: string) => string
  /** Whether the generator builds a page of this text, where a build says that of one page at a time. */
  readonly createAccepts?: (folder: string) => Promise<(text: string) => boolean>
  /** Builds the site in the folder. Returns the folder of HTML, or the output of a failed build. */
  readonly build: (folder: string) => Promise<Built>
}

export type Built = { readonly html: string } | { readonly failed: string }

/** The packages of `package.json` in this folder. */
export const installed = join(import.meta.dirname, 'node_modules')

const warning = /^(?:<w>|\[WARNING\])/

/** Runs a generator in the folder, without its questions to the network. */
export async function runBuild(html: string, folder: string, command: readonly string[]): Promise<Built> {
  const [file = '', ...args] = command
  const env = {
    ...process.env,
    NO_COLOR: '1',
    NO_UPDATE_NOTIFIER: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    CI: 'true',
    DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
  }
  try {
    await promisify(execFile)(file, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
    return { html: join(folder, html) }
  } catch (error) {
    const {
      message,
      stdout = '',
      stderr = '',
    } = error as Error & { readonly stdout?: string; readonly stderr?: string }
    const lines = [message, stdout, stderr].join('\n').split('\n')
    return { failed: lines.filter((line) => !warning.test(line)).join('\n') }
  }
}
