// Asserts that a computation takes linear time. Compares the CPU time of this thread for two sizes, so a busy machine does
// not change the result.

import assert from 'node:assert/strict'

const factor = 8
/** Shorter times cannot be measured reliably, and are not a risk. */
const minMs = 8
const rounds = 12
/** The clock of some machines advances by four milliseconds: what takes less than ten such steps is measured several times. */
const measuredMs = 40
const mostTimes = 1_024

/**
 * `makeInput` makes an input of a given size. The fastest of several rounds counts. Eight inputs of an eighth of the size
 * take as long as the whole input if the work is linear (ratio 1), and an eighth as long if it is quadratic (ratio 8).
 */
export function assertLinear<T>(
  makeInput: (size: number) => T,
  work: (input: T) => unknown,
  { size, name, maxRatio = 3 }: { readonly size: number; readonly name: string; readonly maxRatio?: number },
): void {
  const [part, whole] = [makeInput(size / factor), makeInput(size)]
  const runParts = (times: number) => cpuMs(times * factor, () => work(part)) / times
  const runWhole = (times: number) => cpuMs(times, () => work(whole)) / times
  // The first runs let the compiler optimise the code.
  runParts(1)
  let best = { parts: Infinity, whole: runWhole(1) }
  if (best.whole < minMs) return
  let times = 1
  while (runParts(times) * times < measuredMs && times < mostTimes) times *= 2
  for (let round = 0; round < rounds; round += 1) {
    best = { parts: Math.min(best.parts, runParts(times)), whole: Math.min(best.whole, runWhole(times)) }
    if (best.whole < Math.max(minMs, maxRatio * best.parts)) return
  }
  assert.fail(`${name}: the whole takes ${best.whole.toFixed(1)} ms, ${factor} parts take ${best.parts.toFixed(1)} ms`)
}

function cpuMs(times: number, work: () => unknown): number {
  const start = process.threadCpuUsage()
  for (let n = 0; n < times; n += 1) work()
  // The time of the kernel is that of new pages of memory, which some virtual machines take long to give.
  return process.threadCpuUsage(start).user / 1_000
}
