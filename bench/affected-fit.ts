// Fits on public histories the judgement whether a change concerns the docs: `node bench/affected-fit.ts <clone>…` prints the weights
// for src/affected/weights.ts. Only the older half of each history is read. What to expect elsewhere: each repository is judged with
// weights and a threshold that the others gave. What is read of the pages is kept as by `bench/affected.ts`.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSignals } from '../src/affected/affected.ts'
import { chanceOf } from '../src/affected/concerns.ts'
import type { Condition, Judgement } from '../src/affected/conditions.ts'
import type { Mode } from '../src/affected/types.ts'
import { weights } from '../src/affected/weights.ts'
import { halfOf, readDataset } from './affected/dataset.ts'
import { fit, type Sample } from './affected/regression.ts'
import { repositoryOf } from './affected/repositories.ts'

/** The share of the commits with docs that the threshold keeps. */
const kept: Readonly<Record<Mode, number>> = { beside: 0.965, apart: 0.97 }
const ofHistory: ReadonlySet<string> = new Set(['ofFiles', 'ofFolders', 'ofAll', 'worstWord', 'words', 'expected'])
const clones = process.argv.slice(2)
if (clones.length < 2) throw new Error('Name clones: node bench/affected-fit.ts <clone>…')
const cache = process.env['DOCENT_BENCH_CACHE'] ?? join(tmpdir(), 'docent-bench-affected')

const samples: Sample[] = []
for (const clone of clones) {
  const repository = repositoryOf(clone)
  if (repository.onlyTested) continue
  const dataset = await readDataset(clone, repository, cache)
  for (const one of halfOf(dataset, 'older')) {
    const input = { change: one.change, pages: dataset.pagesOf(one), history: dataset.historyOf(one) }
    const { conditions } = readSignals({ ...input, mode: 'beside' }, weights)
    samples.push({ repository: repository.name, isDocs: one.truth.length > 0, conditions })
  }
}
const all = Object.keys(samples[0]?.conditions ?? {}) as Condition[]
const namesOf: Readonly<Record<Mode, readonly Condition[]>> = {
  beside: all,
  // The facts of messages, terms and files are the same there.
  apart: all.filter((name) => !ofHistory.has(name)),
}
for (const mode of ['beside', 'apart'] as const) {
  console.log(`${mode}, each repository by the others: ${crossValidate(mode)}`)
  console.log(JSON.stringify(round(judge(samples, mode)), null, 2))
}

function judge(some: readonly Sample[], mode: Mode): Judgement {
  const fitted = { ...fit(some, namesOf[mode]), threshold: 0 }
  const chances = some.flatMap((one) => (one.isDocs ? [chanceOf(one.conditions, fitted)] : []))
  return { ...fitted, threshold: chances.toSorted((a, b) => a - b)[Math.floor(chances.length * (1 - kept[mode]))] ?? 0 }
}

function crossValidate(mode: Mode): string {
  const repositories = [...new Set(samples.map(({ repository }) => repository))]
  const results = repositories.flatMap((left) => {
    const judgement = judge(
      samples.filter(({ repository }) => repository !== left),
      mode,
    )
    return samples
      .filter(({ repository }) => repository === left)
      .map((one) => ({ ...one, isSkipped: chanceOf(one.conditions, judgement) < judgement.threshold }))
  })
  const shareOf = (some: typeof results) =>
    ([true, false] as const)
      .map((isDocs) => some.filter((one) => one.isDocs === isDocs))
      .map(
        (list) =>
          `${((100 * list.filter(({ isSkipped }) => isSkipped).length) / Math.max(1, list.length)).toFixed(1)} %`,
      )
      .join(' lost, ')
  const rows = repositories.map((name) => `${name} ${shareOf(results.filter(({ repository }) => repository === name))}`)
  return [`${shareOf(results)} skipped`, ...rows].join('\n- ')
}

function round({ bias, threshold, weights: own }: Judgement): Judgement {
  const short = (value: number, digits = 3) => Number(value.toFixed(digits))
  return {
    bias: short(bias),
    threshold: short(threshold, 4),
    weights: Object.fromEntries(Object.entries(own).map(([name, value]) => [name, short(value)])),
  }
}
