// Names files that programs write: lock files, minified code, source maps, type declarations of a machine. Their
// matches are counted and not shown, since a few such files can fill a result.

import { posix } from 'node:path'
import type { WorkspaceEntry } from '../../workspace.ts'

const locks = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'deno.lock',
  'composer.lock',
  'gemfile.lock',
  'poetry.lock',
  'pipfile.lock',
  'uv.lock',
  'cargo.lock',
  'go.sum',
  'flake.lock',
])

const largeDeclarations = 100_000

export function isGenerated({ path, size }: Pick<WorkspaceEntry, 'path' | 'size'>): boolean {
  const name = posix.basename(path).toLowerCase()
  if (locks.has(name) || /\.min\.(?:[cm]?js|css)$|\.(?:js|css|mjs)\.map$/.test(name)) return true
  return name.endsWith('.d.ts') && size > largeDeclarations
}
