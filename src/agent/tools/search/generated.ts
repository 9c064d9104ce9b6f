// Names files that programs write: lock files, minified code, source maps, type declarations of a machine. Their
// matches are counted and not shown, since a few such files can fill a result.

import { posix } from 'node:path'
import { startOf } from '../../../lib/plain-text.ts'
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
  if (locks.has(name) || /[-.]lock\.(?:json|ya?ml)$|\.lock$|\.min\.(?:[cm]?js|css)$|\.(?:js|css|mjs)\.map$/.test(name))
    return true
  return name.endsWith('.d.ts') && size > largeDeclarations
}

const headCharacters = 500

/** Whether a line of comment at the top says that a program writes the file. */
export function saysGenerated(text: string): boolean {
  const head = startOf(text, headCharacters).split('\n')
  return head.some((line) => /^\s*(?:#|\/[/*]|\*|<!--)/.test(line) && /\bdo not edit\b|@generated\b/i.test(line))
}
