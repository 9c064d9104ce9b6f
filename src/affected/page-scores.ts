// How well the terms of pages match those of a change: a term counts more the fewer pages have it (BM25 with squared rarity).

import { createKeyFinder, type KeyPart } from '../docs-syntax/terms/key-finder.ts'
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
type Found = { readonly ids: readonly number[]; readonly counts: readonly number[]; readonly length: number }

export function scorePages(terms: ChangeTerms, pages: readonly Page[], weights: Weights): PageScores {
  const keys = [...terms.keys()]
  const all = [...terms.values()]
  const found = pages.map(createFinder(keys, weights))
  const pagesWith = new Float64Array(keys.length)
  for (const { ids } of found) countPage(ids, pagesWith)
  const worth = pagesWith.map((count, id) => {
    const rarity = Math.log(1 + (pages.length - count + 0.5) / (count + 0.5))
    return (all[id]?.weight ?? 0) * rarity ** weights.rarity
  })
  const usual = Math.max(1, found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pages.length))
  let bestPart = 0
  const scores = found.map((one): PageScore => {
    const norm = weights.saturation * (1 - weights.length + (weights.length * one.length) / usual)
    const parts = partsOf(one, worth, norm)
    let score = 0
    for (const part of parts) {
      score += part
      if (part > bestPart) bestPart = part
    }
    return {
      score,
      get terms() {
        return bestTerms(one, all, partsOf(one, worth, norm))
      },
    }
  })
  const ids = new Map(keys.map((key, id) => [key, id]))
  return { scores, pagesWith: (key) => pagesWith[ids.get(key) ?? -1] ?? 0, bestPart }
}

function countPage(ids: readonly number[], pagesWith: Float64Array): void {
  for (const id of ids) pagesWith[id] = (pagesWith[id] ?? 0) + 1
}

/** How much each key gives to the score of the page. */
function partsOf({ ids, counts }: Found, worth: Float64Array, norm: number): number[] {
  return counts.map((count, at) => ((worth[ids[at] ?? 0] ?? 0) * count) / (count + norm))
}

function bestTerms({ ids }: Found, all: readonly WeighedKey[], parts: readonly number[]): string[] {
  const sorted = ids
    .map((id, at) => ({ id, part: parts[at] ?? 0 }))
    .toSorted((one, other) => other.part - one.part)
    .flatMap(({ id }) => all[id] ?? [])
  const whole = sorted.filter(({ isWhole }) => isWhole)
  // Parts of terms, such as `max` of `maxLines`, say something where no whole term does.
  return (whole.length > 0 ? whole : sorted).slice(0, shownTerms).map(({ text }) => text)
}

/** Returns a function that finds the keys of the change on a page. */
function createFinder(keys: readonly string[], weights: Weights): (page: Page) => Found {
  const sums = new Float64Array(keys.length)
  const isShort = Uint8Array.from(keys, (key) => Number(key.length < 3))
  const find = createKeyFinder(keys)
  let touched: number[] = []
  let much = 0
  const add = (id: number, part: KeyPart) => {
    if (part === 'word' && isShort[id] === 1) return
    const before = sums[id] ?? 0
    if (before === 0) touched.push(id)
    sums[id] = before + much * (part === 'whole' ? 1 : part === 'segment' ? weights.pageSegment : weights.pageWord)
  }
  return ({ path, terms }) => {
    touched = []
    for (const { text, kind, count } of terms) {
      much = count === 1 ? weights.place[kind] : weights.place[kind] * (1 + Math.log(count))
      find(text, add)
    }
    much = weights.place.path
    const parts = path.replace(/\.\w+$/, '').split('/')
    for (const part of parts.slice(-2)) find(part, add)
    const counts = touched.map((id) => sums[id] ?? 0)
    for (const id of touched) sums[id] = 0
    return { ids: touched, counts, length: terms.length }
  }
}
