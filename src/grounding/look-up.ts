// Searches the places for many names at once. A search takes one pattern, so names are joined; those that were found leave the
// pattern until nothing more is found.

import { escapePattern } from '../lib/plain-text.ts'
import { hasName } from './forms.ts'
import type { Place, PlaceMatch } from './places.ts'

const patternCharacters = 1_000
const mostLines = 20_000

/** Lock files, and what was copied or made by a program: they prove nothing. */
const excluded = [
  '**/package-lock.json',
  '**/npm-shrinkwrap.json',
  '**/yarn.lock',
  '**/pnpm-lock.yaml',
  '**/bun.lock',
  '**/deno.lock',
  '**/*.lock',
  '**/go.sum',
  '**/*.min.js',
  '**/*.min.css',
  '**/*.map',
  '**/node_modules/**',
  '**/vendor/**',
  '**/third_party/**',
  '**/*.svg',
  '**/*.snap',
]

export type Where = { readonly place: Place; readonly path: string; readonly line: number; readonly text: string }

/** `lines`: of each name. `common`: names in too many lines to list all. */
export type Lines = { readonly lines: ReadonlyMap<string, readonly Where[]>; readonly common: ReadonlySet<string> }

/** Returns those that some place has. Throws if a place cannot be searched. */
export async function findPresent(
  names: readonly string[],
  places: readonly Place[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const present = new Set<string>()
  for (const place of places) {
    for (const batch of batches(names.filter((name) => !present.has(name)))) {
      let left = batch
      while (left.length > 0) {
        const { matches, truncated } = await search(place, left, 5_000, signal)
        const found = left.filter((name) => matches.some(({ text }) => hasName(text, name)))
        for (const name of found) present.add(name)
        if (!truncated) break
        // A text that is a part of longer names everywhere would hide the others.
        const hidden = found.length === 0
        left = left.filter((name) => !present.has(name))
        if (!hidden) continue
        for (const name of left) if (await isPresentAlone(place, name, signal)) present.add(name)
        break
      }
    }
  }
  return present
}

async function isPresentAlone(place: Place, name: string, signal: AbortSignal): Promise<boolean> {
  const edge = (isWord: boolean, text: string) => (isWord ? text : '')
  const pattern = `${edge(/^\w/.test(name), '\\b')}${escapePattern(name)}${edge(/\w$/.test(name), '\\b')}`
  const query = { pattern, syntax: 'regex', ignoreCase: false, globs: [], exclude: excluded, limit: 1_000 } as const
  const { matches } = await place.files.search(query, signal)
  return matches.some(({ text }) => hasName(text, name))
}

/** The lines of each name. */
export async function findLines(
  names: readonly string[],
  places: readonly Place[],
  signal: AbortSignal,
): Promise<Lines> {
  const lines = new Map<string, Where[]>(names.map((name) => [name, []]))
  const common = new Set<string>()
  for (const place of places) {
    for (const batch of batches(names)) {
      const { matches, truncated } = await search(place, batch, mostLines, signal)
      if (!truncated) addAll(place, batch, matches, lines)
      else {
        for (const name of batch) {
          const alone = await search(place, [name], mostLines, signal)
          if (alone.truncated) common.add(name)
          addAll(place, [name], alone.matches, lines)
        }
      }
    }
  }
  return { lines, common }
}

function addAll(
  place: Place,
  names: readonly string[],
  matches: readonly PlaceMatch[],
  lines: ReadonlyMap<string, Where[]>,
): void {
  for (const match of matches) {
    for (const name of names) if (hasName(match.text, name)) lines.get(name)?.push({ place, ...match })
  }
}

async function search(place: Place, names: readonly string[], limit: number, signal: AbortSignal) {
  const pattern = names.map((name) => escapePattern(name)).join('|')
  return await place.files.search(
    { pattern, syntax: 'regex', ignoreCase: false, globs: [], exclude: excluded, limit },
    signal,
  )
}

/** Without boundaries of words, which make the search of git five times as slow. */
function* batches(names: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let length = 0
  for (const name of new Set(names)) {
    const size = escapePattern(name).length + 1
    if (size > patternCharacters) continue
    if (length + size > patternCharacters) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(name)
    length += size
  }
  if (batch.length > 0) yield batch
}
