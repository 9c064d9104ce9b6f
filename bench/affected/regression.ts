// Logistic regression for `bench/affected-fit.ts`: Newton's method with a penalty on the squares of the weights, over facts that are
// brought to one scale.

import type { Condition, Conditions, Judgement } from '../../src/affected/conditions.ts'

/** A change of a repository: whether it changed docs, and its facts. */
export type Sample = { readonly repository: string; readonly isDocs: boolean; readonly conditions: Conditions }

/** A commit with docs weighs as much as this many without: losing it is worse. */
const docsWeight = 3
const penalty: number = 1
const [most, near] = [25, 1e-6]

export function fit(samples: readonly Sample[], names: readonly Condition[]): Omit<Judgement, 'threshold'> {
  const weights = weigh(samples)
  const scales = names.map((name) => {
    const values = samples.map(({ conditions }) => conditions[name])
    const mean = dot(weights, values) / samples.length
    const spread = Math.sqrt(
      dot(
        weights,
        values.map((value) => (value - mean) ** 2),
      ) / samples.length,
    )
    return { name, mean, spread: spread || 1 }
  })
  const rows = samples.map(({ conditions }) => [
    1,
    ...scales.map(({ name, mean, spread }) => (conditions[name] - mean) / spread),
  ])
  let found = [0, ...names.map(() => 0)]
  for (let round = 0; round < most; round += 1) {
    const step = newtonStep({ rows, samples, weights, found })
    found = found.map((value, at) => value + (step[at] ?? 0))
    if (Math.max(...step.map(Math.abs)) < near) break
  }
  const own = scales.map(({ spread }, at) => (found[at + 1] ?? 0) / spread)
  const bias =
    (found[0] ?? 0) -
    dot(
      own,
      scales.map(({ mean }) => mean),
    )
  return { bias, weights: Object.fromEntries(names.map((name, at) => [name, own[at] ?? 0])) }
}

/** Each repository weighs the same. */
function weigh(samples: readonly Sample[]): number[] {
  const sums = new Map<string, number>()
  const own = ({ isDocs }: Sample) => (isDocs ? docsWeight : 1)
  for (const one of samples) sums.set(one.repository, (sums.get(one.repository) ?? 0) + own(one))
  return samples.map((one) => (own(one) / (sums.get(one.repository) ?? 1)) * (samples.length / sums.size))
}

type State = {
  readonly rows: readonly (readonly number[])[]
  readonly samples: readonly Sample[]
  readonly weights: readonly number[]
  readonly found: readonly number[]
}

function newtonStep({ rows, samples, weights, found }: State): number[] {
  const gradient = found.map((value, at) => (at === 0 ? 0 : -penalty * value))
  const curve = found.map((_, at) => found.map((__, other) => (at === other && at > 0 ? penalty : 0)))
  for (const [index, row] of rows.entries()) {
    const chance = 1 / (1 + Math.exp(-dot(row, found)))
    const weight = weights[index] ?? 0
    const error = weight * (Number(samples[index]?.isDocs) - chance)
    for (const [at, value] of row.entries()) {
      gradient[at] = (gradient[at] ?? 0) + error * value
      const line = curve[at] ?? []
      const share = weight * chance * (1 - chance) * value
      for (const [other, factor] of row.entries()) line[other] = (line[other] ?? 0) + share * factor
    }
  }
  return solve(curve, gradient)
}

/** Gauss with the largest pivot. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0])
  const { length } = rows
  for (let at = 0; at < length; at += 1) {
    rows.splice(at, length - at, ...rows.slice(at).toSorted((a, b) => Math.abs(b[at] ?? 0) - Math.abs(a[at] ?? 0)))
    const pivot = rows[at] ?? []
    for (let below = at + 1; below < length; below += 1) {
      const row = rows[below] ?? []
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1)
      for (let column = at; column <= length; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  }
  const solution: number[] = Array.from({ length }, () => 0)
  for (let at = length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? []
    solution[at] = ((row[length] ?? 0) - dot(row.slice(at + 1, length), solution.slice(at + 1))) / (row[at] ?? 1)
  }
  return solution
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}
