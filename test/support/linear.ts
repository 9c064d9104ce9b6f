// Asserts that a computation takes linear time. Compares the CPU time of this thread for two sizes, so a busy machine does
// not change the result.

import assert from 'node:assert/strict'

const factor = 8
/** Shorter times cannot be measured reliably, and are not a risk. */
const minMs = 8
const rounds = 5

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
  const runParts = () => cpuMs(() => Array.from({ length: factor }, () => work(part)))
  const runWhole = () => cpuMs(() => work(whole))
  // The first runs let the compiler optimise the code.
  runParts()
  let best = { parts: Infinity, whole: Infinity }
  for (let round = 0; round < rounds; round += 1) {
    best = { parts: Math.min(best.parts, runParts()), whole: Math.min(best.whole, runWhole()) }
    if (best.whole < Math.max(minMs, maxRatio * best.parts)) return
  }
  assert.fail(`${name}: the whole takes ${best.whole.toFixed(1)} ms, ${factor} parts take ${best.parts.toFixed(1)} ms`)
}

function cpuMs(work: () => unknown): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}
