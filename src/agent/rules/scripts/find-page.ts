// Finds the file of a page by the name that people use: with or without extension, from the root of the repository or of
// the site in it.

import { escapeGlob } from '../../../docs-syntax/glob.ts'
import { type Script, listFiles } from '../script.ts'
import { listed } from '../words.ts'

export type FoundPage = { readonly path: string } | { readonly problem: string }

const endings = ['', '.mdx', '.md', '.markdown', '/index.mdx', '/index.md'] as const

export function* findPage(name: string): Script<FoundPage> {
  const wanted = cleanPath(name)
  if (wanted === '') return { problem: `“${name}” names no page.` }
  const escaped = escapeGlob(wanted)
  const glob = `**/{${endings.map((ending) => escaped + ending).join(',')}}`
  if (glob.length > 500) return { problem: `“${name}” is too long for a path.` }
  const found = yield* listFiles(`Looking for ${wanted}.`, glob)
  for (const prefix of ['', '/']) {
    for (const ending of endings) {
      const tail = prefix + wanted + ending
      const fitting = found.filter((path) => (prefix === '' ? path === tail : path.endsWith(tail)))
      const [only] = fitting
      if (only !== undefined && fitting.length === 1) return { path: only }
      if (fitting.length > 1) return { problem: `“${name}” may be ${listed(fitting)}: name one of them in full.` }
    }
  }
  return { problem: `There is no page “${name}”.` }
}

export function cleanPath(name: string): string {
  return name
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
}
