// Makes the package of the client: its sources as JavaScript, and their types.

import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packages } from '../../src/lib/release/names.ts'

/** `folder` exists. */
export async function writeClient(root: string, folder: string, version: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8')) as object
  const own = { ...manifest, name: packages.client, version }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
  await writeFile(join(folder, 'README.md'), await readme(root))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compile = [compiler, '-p', join(root, 'client/tsconfig.json'), '--outDir', join(folder, 'dist')]
  await promisify(execFile)(process.execPath, compile)
}

/** The guide. Its links lead to other guides, which the package does not have. */
async function readme(root: string): Promise<string> {
  const guide = await readFile(join(root, 'docs/guides/client.md'), 'utf8')
  return guide.replaceAll(/\[([^\]]+)\]\((?:\.\.\/)*[\w/-]+\.md(?:#[\w-]+)?\)/g, '$1')
}
