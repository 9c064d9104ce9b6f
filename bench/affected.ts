// Measures on public histories how well the engine ranks the pages that a change concerns, and whether it knows that a change
// concerns no page: `node bench/affected.ts [--look] <clone>…`. A clone is known by its folder (bench/affected/repositories.ts).
// Without `--look`, only the older half of each history is read. `--look` measures the newer half, and appends the figures to
// bench/affected-looks.md. What is read of the pages is kept in $DOCENT_BENCH_CACHE, or in the folder of temporary files.

import { execFileSync } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAffected, readSignals, scoreOf } from '../src/affected/affected.ts'
import { chanceOf } from '../src/affected/concerns.ts'
import type { Mode } from '../src/affected/types.ts'
import { weights } from '../src/affected/weights.ts'
import { rankByWords } from './affected/baselines.ts'
import { type Case, type Dataset, halfOf, readDataset } from './affected/dataset.ts'
import { repositoryOf } from './affected/repositories.ts'

const modes: readonly Mode[] = ['beside', 'apart']
const ways = ['beside', 'apart', 'random', 'words', 'co-change', 'same folder'] as const
type Way = (typeof ways)[number]

/** `pages`: recall at 5 and at 10 of each way. Others: whether the change was said to concern the docs. */
type Result =
  | {
      readonly kind: 'docs'
      readonly recall: Readonly<Record<Way, readonly [number, number]>>
      readonly kept: Readonly<Record<Mode, boolean>>
    }
  | { readonly kind: 'other'; readonly kept: Readonly<Record<Mode, boolean>> }
type Row = { readonly name: string; readonly onlyTested: boolean; readonly results: readonly Result[] }

const isLook = process.argv.includes('--look')
const clones = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (clones.length === 0) throw new Error('Name clones: node bench/affected.ts [--look] <clone>…')
const cache = process.env['DOCENT_BENCH_CACHE'] ?? join(tmpdir(), 'docent-bench-affected')
const random = createRandom(7)
// The revision that is measured, not the one at the end of a long run.
const revision = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()
const isChanged = execFileSync('git', ['status', '--porcelain', 'src', 'bench/affected'], { encoding: 'utf8' }) !== ''
const rows: Row[] = []
for (const clone of clones) {
  const repository = repositoryOf(clone)
  if (repository.onlyTested && !isLook) continue
  const dataset = await readDataset(clone, repository, cache)
  const results = halfOf(dataset, isLook ? 'newer' : 'older').map((one) => judge(dataset, one))
  rows.push({ name: repository.name, onlyTested: repository.onlyTested === true, results })
  console.log(lineOf(rows.at(-1) as Row))
}
const report = summarise()
console.log(report)
if (isLook) {
  const head = `\n## ${new Date().toISOString().slice(0, 10)}, revision ${revision}${isChanged ? ' with changes' : ''}\n\n`
  const lines = rows.map((row) => `- ${lineOf(row)}`).join('\n')
  await appendFile(new URL('affected-looks.md', import.meta.url), `${head}${lines}\n\n${report}\n`)
}

function judge(dataset: Dataset, one: Case): Result {
  const pages = dataset.pagesOf(one)
  const input = { change: one.change, pages, history: dataset.historyOf(one) }
  // As `findAffected` does it; the baselines need the signals.
  const { signals, conditions } = readSignals({ ...input, mode: 'beside' }, weights)
  const { threshold } = weights.concerns.beside
  const apart = findAffected({ ...input, history: ownHistory(input.history, one), mode: 'apart' })
  const kept = { beside: chanceOf(conditions, weights.concerns.beside) >= threshold, apart: apart.concernsDocs }
  if (one.truth.length === 0) return { kind: 'other', kept }
  const by = (value: (signal: (typeof signals)[number]) => number) =>
    shuffled(signals.map((signal) => ({ path: signal.path, score: value(signal) }))).toSorted(
      (a, b) => b.score - a.score,
    )
  const recall = (ranked: readonly { readonly path: string }[]): readonly [number, number] => [
    recallAt(5, ranked, one.truth),
    recallAt(10, ranked, one.truth),
  ]
  return {
    kind: 'docs',
    kept,
    recall: {
      beside: recall(by((signal) => scoreOf(signal, weights.mode.beside))),
      apart: recall(apart.pages),
      random: recall(shuffled(pages)),
      words: recall(rankByWords(one, dataset)),
      'co-change': recall(by(({ file, folder }) => file + folder / 1_000)),
      'same folder': recall(by(({ place }) => place)),
    },
  }
}

/** The history of the docs alone. */
function ownHistory(history: ReturnType<Dataset['historyOf']>, { pages }: Case) {
  return history.map(({ paths }) => ({ paths: paths.filter((path) => pages.has(path)), subject: '' }))
}

function recallAt(count: number, ranked: readonly { readonly path: string }[], truth: readonly string[]): number {
  const first = new Set(ranked.slice(0, count).map(({ path }) => path))
  return truth.filter((path) => first.has(path)).length / truth.length
}

function figuresOf({ results }: Row) {
  const docs = results.filter((one) => one.kind === 'docs')
  const others = results.filter((one) => one.kind === 'other')
  const share = (all: readonly Result[], mode: Mode) => mean(all.map(({ kept }) => Number(!kept[mode])))
  const at = (way: Way, index: 0 | 1) => mean(docs.map(({ recall }) => recall[way][index]))
  return {
    docs: docs.length,
    others: others.length,
    at,
    lost: (mode: Mode) => share(docs, mode),
    skipped: (mode: Mode) => share(others, mode),
  }
}

function lineOf(row: Row): string {
  const { docs, others, at, lost, skipped } = figuresOf(row)
  const parts = modes.map(
    (mode) =>
      `${mode} @5 ${show(at(mode, 0))} ${interval(row, mode)} @10 ${show(at(mode, 1))}, lost ${percent(lost(mode))}, skipped ${percent(skipped(mode))}`,
  )
  return `${row.name}${row.onlyTested ? ' (only tested)' : ''}: ${docs} docs commits, ${others} others; ${parts.join('; ')}`
}

function summarise(): string {
  const figures = rows.map(figuresOf)
  const lines = ways.map((way) => {
    const [five, ten] = ([0, 1] as const).map((index) => figures.map(({ at }) => at(way, index)))
    const least = way === 'beside' || way === 'apart' ? `, lowest @5 ${show(Math.min(...(five ?? [])))}` : ''
    return `- ${way}: median of repositories @5 ${show(median(five ?? []))} ${medianInterval(way, 0)}, @10 ${show(median(ten ?? []))} ${medianInterval(way, 1)}${least}`
  })
  const all = { name: '', onlyTested: false, results: rows.flatMap(({ results }) => results) }
  const { docs, others, lost, skipped } = figuresOf(all)
  const concerns = modes.map((mode) => {
    const medians = `median of repositories ${percent(median(figures.map((one) => one.lost(mode))))} and ${percent(median(figures.map((one) => one.skipped(mode))))}`
    return `- concerns the docs, ${mode}: ${percent(lost(mode))} of the docs commits lost, ${percent(skipped(mode))} of the others skipped (${medians})`
  })
  return [
    `${isLook ? 'Newer' : 'Older'} halves of ${rows.length} repositories, ${docs} docs commits, ${others} others`,
    '',
    ...lines,
    ...concerns,
  ].join('\n')
}

/** 95 % by bootstrap over commits. */
function interval({ results }: Row, way: Way): string {
  const values = results.flatMap((one) => (one.kind === 'docs' ? [one.recall[way][0]] : []))
  return quantiles(() => mean(resample(values)))
}

function medianInterval(way: Way, index: 0 | 1): string {
  const values = rows.map(({ results }) =>
    results.flatMap((one) => (one.kind === 'docs' ? [one.recall[way][index]] : [])),
  )
  return quantiles(() => median(values.map((all) => mean(resample(all)))))
}

function quantiles(draw: () => number): string {
  const drawn = Array.from({ length: 1_000 }, draw).toSorted((a, b) => a - b)
  return `(${show(drawn[25] ?? 0)}–${show(drawn[974] ?? 0)})`
}

function resample(values: readonly number[]): number[] {
  return values.map(() => values[Math.floor(random() * values.length)] ?? 0)
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

function show(value: number): string {
  return value.toFixed(3)
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`
}

/** Mulberry32: the same run gives the same figures. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
