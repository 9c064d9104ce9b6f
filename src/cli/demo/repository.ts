// Creates the repository of the demo: a bare one whose first commit is the example site, and a checkout of it.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../../examples/docs', import.meta.url))

/** The bare repository, and a checkout. */
export type DemoRepository = { readonly bare: string; readonly checkout: string }

/** Creates a new folder below `parent` each time. */
export async function createDemoRepository(parent: string): Promise<DemoRepository> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'demo-'))
  const checkout = join(folder, 'docs')
  const bare = join(folder, 'docs.git')
  await cp(examples, checkout, { recursive: true })
  await git(checkout, ['init', '--quiet', '--initial-branch=main'])
  await git(checkout, ['add', '--all'])
  await git(checkout, ['commit', '--quiet', '--message=The documentation of Acme'])
  await git(folder, ['clone', '--quiet', '--bare', checkout, bare])
  return { bare, checkout }
}

/** Brings what was merged into the checkout. */
export async function updateCheckout({ bare, checkout }: DemoRepository): Promise<void> {
  await git(checkout, ['pull', '--quiet', '--ff-only', bare, 'main'])
}

/** Returns the newest commits of the branch, one per line. */
export async function readLog(bare: string, branch: string): Promise<readonly string[]> {
  const { stdout } = await git(bare, ['log', '--oneline', '--graph', '--max-count=6', branch, '--'])
  return stdout.trimEnd().split('\n')
}

function git(cwd: string, args: readonly string[]) {
  const identity = { GIT_AUTHOR_NAME: 'Acme', GIT_AUTHOR_EMAIL: 'docs@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Acme', GIT_COMMITTER_EMAIL: 'docs@example.com' }
  const clean = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: cwd,
  }
  return run('git', [...args], { cwd, env: { ...clean, ...identity, ...committer } })
}
