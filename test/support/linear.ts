// Asserts that a computation is linear in the size of its input, by ratio: a busy machine slows down both sides.

import assert from 'node:assert/strict'

const rounds = 7
/** Linear work takes 4 times as long for an input 4 times as large, quadratic work 16 times. */
const maxRatio = 10
/** Anything faster is too short to measure, and no danger either. */
const minMs = 4

/** `makeInput` makes an input of a size; `work` is measured with `size` and four times `size`. The best round counts. */
export function assertLinear<T>(
  makeInput: (size: number) => T,
  work: (input: T) => unknown,
  { size, name }: { readonly size: number; readonly name: string },
): void {
  const [small, large] = [makeInput(size), makeInput(4 * size)]
  let best = { small: Infinity, large: Infinity }
  for (let round = 0; round < rounds; round += 1) {
    best = { small: Math.min(best.small, msOf(work, small)), large: Math.min(best.large, msOf(work, large)) }
    if (best.large < minMs || best.large < maxRatio * best.small) return
  }
  const ratio = (best.large / best.small).toFixed(1)
  assert.fail(`${name}: four times the input takes ${ratio} times as long (${best.large.toFixed(1)} ms)`)
}

function msOf<T>(work: (input: T) => unknown, input: T): number {
  const start = performance.now()
  work(input)
  return performance.now() - start
}
