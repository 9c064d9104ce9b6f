// How well the terms of pages match those of a change: a term counts more the fewer pages have it (BM25 with squared rarity).

import { termKeys } from '../docs-syntax/terms/term-keys.ts'
import type { ChangeTerms, WeighedKey } from './change-terms.ts'
import type { Page } from './types.ts'
import type { Weights } from './weights.ts'

export type PageScore = { readonly score: number; readonly terms: readonly string[] }

export type PageScores = {
  /** In the order of the pages. */
  readonly scores: readonly PageScore[]
  /** How many pages have a term of the change. */
  readonly pagesWith: (key: string) => number
  /** The most that one term gives to a page. */
  readonly bestPart: number
}

const shownTerms = 5

/** The keys of the change that a page has, by their numbers, and how much of each. */
type Found = { readonly ids: readonly number[]; readonly counts: Float64Array; readonly length: number }

export function scorePages(terms: ChangeTerms, pages: readonly Page[], weights: Weights): PageScores {
  const ids = new Map([...terms.keys()].map((key, id) => [key, id]))
  const all = [...terms.values()]
  const find = createFinder(ids, weights)
  const found = pages.map(find)
  const pagesWith = new Float64Array(all.length)
  for (const one of found) for (const id of one.ids) pagesWith[id] = (pagesWith[id] ?? 0) + 1
  const worth = pagesWith.map((count, id) => {
    const rarity = Math.log(1 + (pages.length - count + 0.5) / (count + 0.5))
    return (all[id]?.weight ?? 0) * rarity ** weights.rarity
  })
  const usual = Math.max(1, found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length))
  let bestPart = 0
  const scores = found.map((one): PageScore => {
    const norm = weights.saturation * (1 - weights.length + (weights.length * one.length) / usual)
    const partOf = (at: number) => {
      const count = one.counts[at] ?? 0
      return ((worth[one.ids[at] ?? 0] ?? 0) * count) / (count + norm)
    }
    let score = 0
    for (let at = 0; at < one.ids.length; at += 1) {
      const part = partOf(at)
      score += part
      if (part > bestPart) bestPart = part
    }
    return {
      score,
      get terms() {
        return bestTerms(one, all, partOf)
      },
    }
  })
  return { scores, pagesWith: (key) => pagesWith[ids.get(key) ?? -1] ?? 0, bestPart }
}

function bestTerms({ ids }: Found, all: readonly WeighedKey[], partOf: (at: number) => number): string[] {
  const sorted = ids
    .map((id, at) => ({ id, part: partOf(at) }))
    .toSorted((one, other) => other.part - one.part)
    .flatMap(({ id }) => all[id] ?? [])
  const whole = sorted.filter(({ isWhole }) => isWhole)
  // Parts of terms, such as `max` of `maxLines`, say something where no whole term does.
  return (whole.length > 0 ? whole : sorted).slice(0, shownTerms).map(({ text }) => text)
}

/** Returns a function that finds the keys of the change on a page. Two pages with the same spelling look it up once. */
function createFinder(ids: ReadonlyMap<string, number>, weights: Weights): (page: Page) => Found {
  const known = new Map<string, readonly number[]>()
  const sums = new Float64Array(ids.size)
  return ({ path, terms }) => {
    const touched: number[] = []
    const add = (text: string, much: number) => {
      let matches = known.get(text)
      if (matches === undefined) known.set(text, (matches = matchesOf(text, ids, weights)))
      for (let at = 0; at < matches.length; at += 2) {
        const id = matches[at] ?? 0
        const before = sums[id] ?? 0
        if (before === 0) touched.push(id)
        sums[id] = before + (matches[at + 1] ?? 0) * much
      }
    }
    for (const { text, kind, count } of terms) {
      add(text, count === 1 ? weights.place[kind] : weights.place[kind] * (1 + Math.log(count)))
    }
    const parts = path.replace(/\.\w+$/, '').split('/')
    for (const part of parts.slice(-2)) add(part, weights.place.path)
    const counts = Float64Array.from(touched, (id) => sums[id] ?? 0)
    for (const id of touched) sums[id] = 0
    return { ids: touched, counts, length: terms.length }
  }
}

const nothing: readonly number[] = []

/** The number of a key of the change, then the share of the spelling that it is, and so on. */
function matchesOf(text: string, ids: ReadonlyMap<string, number>, weights: Weights): readonly number[] {
  const { whole, segments, words } = termKeys(text)
  const found: number[] = []
  const add = (key: string, share: number) => {
    const id = ids.get(key)
    if (id !== undefined) found.push(id, share)
  }
  add(whole, 1)
  for (const key of segments) add(key, weights.pageSegment)
  for (const key of words) if (key.length > 2) add(key, weights.pageWord)
  return found.length === 0 ? nothing : found
}
