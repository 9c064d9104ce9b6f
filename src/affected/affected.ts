// Which pages a change concerns: ranks them by the terms that they share with it and, beside the code, by history and folders.
// Pure: the same data gives the same ranking. `bench/affected.ts` measures how good it is.

import { readChange } from './change-terms.ts'
import { folderOf, type HistoryScore, scoreHistory } from './co-change.ts'
import { chanceOf, conditionsOf } from './concerns.ts'
import type { Conditions } from './conditions.ts'
import { scorePages } from './page-scores.ts'
import { titlesOf } from './subjects.ts'
import type { Affected, AffectedInput } from './types.ts'
import { type ModeWeights, type Weights, weights as usual } from './weights.ts'

/** The facts by which one page is ranked. */
export type Signals = HistoryScore & {
  readonly path: string
  /** From 0 to 1: the score of its terms beside the best one. */
  readonly terms: number
  /** From 0 to 1: how much of its folder is above a changed file, too. */
  readonly place: number
  readonly shown: () => readonly string[]
}

export function findAffected(input: AffectedInput, weights: Weights = usual): Affected {
  const { signals, conditions } = readSignals(input, weights)
  const mode = weights.mode[input.mode]
  const judgement = weights.concerns[input.mode]
  const ranked = signals
    .map((one) => ({ one, score: scoreOf(one, mode) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.one.path < b.one.path ? -1 : 1))
  const score = chanceOf(conditions, judgement)
  return {
    pages: ranked.map(({ one, score: own }) => ({
      path: one.path,
      score: own,
      get terms() {
        return one.shown()
      },
    })),
    concernsDocs: input.change.files.length > 0 && score >= judgement.threshold,
    score,
  }
}

/** For measuring and tuning. */
export function readSignals(
  { change, pages, history, mode }: AffectedInput,
  weights: Weights,
): { readonly signals: readonly Signals[]; readonly conditions: Conditions } {
  const read = readChange(change, weights)
  const scores = scorePages(read.terms, pages, weights)
  const best = scores.scores.reduce((most, { score }) => Math.max(most, score), 0)
  const changed = change.files.flatMap(({ path, previousPath }) =>
    previousPath === null ? [path] : [path, previousPath],
  )
  const paths = mode === 'beside' ? changed : []
  const names = pages.map(({ path }) => path)
  const { byPage, rates } = scoreHistory({ history, paths, subjects: titlesOf(change), pages: names })
  const placeOf = createPlaceOf(paths)
  const signals = names.map((path, at): Signals => {
    const score = scores.scores[at]
    return {
      path,
      terms: best === 0 ? 0 : (score?.score ?? 0) / best,
      ...(byPage.get(path) ?? { file: 0, folder: 0, often: 0 }),
      place: placeOf(path),
      shown: () => score?.terms ?? [],
    }
  })
  return { signals, conditions: conditionsOf({ change, read, scores, rates }) }
}

export function scoreOf(signals: Signals, { terms, file, folder, often, place }: ModeWeights): number {
  const { terms: own } = signals
  return terms * own + file * signals.file + folder * signals.folder + often * signals.often + place * signals.place
}

/** `packages/a/docs/b.md` lies beside `packages/a/src/c.ts`. */
function createPlaceOf(paths: readonly string[]): (page: string) => number {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.add(folder)
  }
  return (page) => {
    const parts = folderOf(page).split('/')
    const shared = parts.findLastIndex((_, at) => folders.has(parts.slice(0, at + 1).join('/'))) + 1
    return shared / parts.length
  }
}
