// How well the terms of pages match those of a change: a term counts more the fewer pages have it (BM25 with squared rarity).

import { termKeys } from '../docs-syntax/terms/term-keys.ts'
import type { ChangeTerms } from './change-terms.ts'
import type { Page } from './types.ts'
import type { Weights } from './weights.ts'

export type PageScore = { readonly score: number; readonly terms: readonly string[] }

const shownTerms = 5

/** A key of the change that a spelling of a page has, and how much of it. */
type Match = readonly [key: number, share: number]

export type PageScores = {
  /** In the order of the pages. */
  readonly scores: readonly PageScore[]
  /** How many pages have a term of the change. */
  readonly pagesWith: (key: string) => number
  /** The most that one term gives to a page. */
  readonly bestPart: number
}

export function scorePages(terms: ChangeTerms, pages: readonly Page[], weights: Weights): PageScores {
  const ids = new Map([...terms.keys()].map((key, id) => [key, id]))
  const all = [...terms.values()]
  const matches = new Map<string, readonly Match[]>()
  const found = pages.map((page) => findTerms(page, { ids, matches, weights }))
  const pagesWith = new Float64Array(all.length)
  for (const { counts } of found) for (const id of counts.keys()) pagesWith[id] = (pagesWith[id] ?? 0) + 1
  const rarity = pagesWith.map((count) => Math.log(1 + (pages.length - count + 0.5) / (count + 0.5)) ** weights.rarity)
  const usual = found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length)
  let bestPart = 0
  const scores = found.map(({ counts, length }) => {
    const norm = weights.saturation * (1 - weights.length + (weights.length * length) / Math.max(1, usual))
    let score = 0
    const parts: { readonly id: number; readonly part: number }[] = []
    for (const [id, count] of counts) {
      const part = ((all[id]?.weight ?? 0) * (rarity[id] ?? 0) * count) / (count + norm)
      score += part
      if (part > bestPart) bestPart = part
      parts.push({ id, part })
    }
    return {
      score,
      get terms() {
        const sorted = parts.toSorted((one, other) => other.part - one.part).flatMap(({ id }) => all[id] ?? [])
        const whole = sorted.filter(({ isWhole }) => isWhole)
        // Parts of terms, such as `max` of `maxLines`, say something where no whole term does.
        return (whole.length > 0 ? whole : sorted).slice(0, shownTerms).map(({ text }) => text)
      },
    }
  })
  return { scores, pagesWith: (key) => pagesWith[ids.get(key) ?? -1] ?? 0, bestPart }
}

type Finding = {
  readonly ids: ReadonlyMap<string, number>
  readonly matches: Map<string, readonly Match[]>
  readonly weights: Weights
}

function findTerms({ path, terms }: Page, { ids, matches, weights }: Finding) {
  const counts = new Map<number, number>()
  const add = (text: string, much: number) => {
    let known = matches.get(text)
    if (!known) matches.set(text, (known = matchesOf(text, ids, weights)))
    for (const [id, share] of known) counts.set(id, (counts.get(id) ?? 0) + share * much)
  }
  let length = 0
  for (const { text, kind, count } of terms) {
    length += 1
    const weight = weights.place[kind]
    add(text, count === 1 ? weight : weight * (1 + Math.log(count)))
  }
  const parts = path.replace(/\.\w+$/, '').split('/')
  for (const part of parts.slice(-2)) add(part, weights.place.path)
  return { counts, length }
}

function matchesOf(text: string, ids: ReadonlyMap<string, number>, weights: Weights): Match[] {
  const { whole, segments, words } = termKeys(text)
  const found: Match[] = []
  const add = (key: string, share: number) => {
    const id = ids.get(key)
    if (id !== undefined) found.push([id, share])
  }
  add(whole, 1)
  for (const key of segments) add(key, weights.pageSegment)
  for (const key of words) if (key.length > 2) add(key, weights.pageWord)
  return found
}
