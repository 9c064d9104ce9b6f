// Runs the examples of the guide of `@docent/client`, each in a process of its own, in a folder where the package is installed
// as its users have it: JavaScript, its manifest, and the package that it needs.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Environment } from '../../src/config/environment.ts'
import { type Cleanup, temporaryFolder } from './git-remote.ts'

const root = join(import.meta.dirname, '../..')

export type Examples = {
  /** Runs the example below a heading and returns what it prints. */
  run(heading: string, variables?: Environment): Promise<string>
  /** Starts a server, and resolves with the first line that it prints. `stop` returns its exit code. */
  start(
    heading: string,
    variables?: Environment,
  ): Promise<{ readonly line: string; readonly stop: () => Promise<number> }>
  /** How many examples did not run. */
  left(): number
}

export async function openExamples(t: Cleanup, guide: string, variables: Environment): Promise<Examples> {
  const folder = temporaryFolder(t)
  await installClient(join(folder, 'node_modules'))
  const blocks = toBlocks(await readFile(join(root, guide), 'utf8'))
  const write = async (heading: string) => {
    const code = blocks.get(heading) ?? assert.fail(`the guide has no example below "${heading}"`)
    blocks.delete(heading)
    const file = join(folder, `${heading}.mjs`)
    await writeFile(file, code)
    return file
  }
  const envOf = (more: Environment = {}) => ({ env: { ...variables, ...more } })
  return {
    run: async (heading, more) =>
      (await promisify(execFile)(process.execPath, [await write(heading)], envOf(more))).stdout,
    start: async (heading, more) => {
      const child = spawn(process.execPath, [await write(heading)], {
        ...envOf(more),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      t.after(() => child.kill('SIGKILL'))
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
      const stop = async () => {
        child.kill('SIGTERM')
        const [code] = (await ended) as [number]
        return code
      }
      return { line, stop }
    },
    left: () => blocks.size,
  }
}

/** The JavaScript of a page, by the heading above it. */
export function toBlocks(markdown: string): Map<string, string> {
  const blocks = new Map<string, string>()
  for (const section of markdown.split(/^## /m)) {
    const [heading = ''] = section.split('\n', 1)
    for (const [, code = ''] of section.matchAll(/^```js\n(.*?)^```$/gms)) {
      assert.ok(!blocks.has(heading), `two examples below "${heading}"`)
      blocks.set(heading, code)
    }
  }
  return blocks
}

async function installClient(into: string): Promise<void> {
  const folder = join(into, '@docent/client')
  const sources = await readdir(join(root, 'client/src'), { recursive: true })
  for (const file of sources.filter((one) => /(?<!\.test|\.gen)\.ts$/.test(one))) {
    const to = join(folder, 'dist', file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(to), { recursive: true })
    const code = stripTypeScriptTypes(await readFile(join(root, 'client/src', file), 'utf8'))
    await writeFile(to, code.replaceAll(/(?<=from '\.[^']+)\.ts'/g, ".js'"))
  }
  await cp(join(root, 'client/package.json'), join(folder, 'package.json'))
  await symlink(join(root, 'node_modules/openapi-fetch'), join(into, 'openapi-fetch'))
}
