// Asserts that a computation is linear in the size of its input, by ratio and in CPU time of this thread, so a busy
// machine changes nothing.

import assert from 'node:assert/strict'

const factor = 8
/** Anything faster is too short to measure, and no danger either. */
const minMs = 8
const rounds = 5

/**
 * `makeInput` makes an input of a size. The best of several rounds counts. Eight inputs of an eighth cost as much as the
 * whole input if the work is linear (ratio 1), and an eighth of it if it is quadratic (ratio 8).
 */
export function assertLinear<T>(
  makeInput: (size: number) => T,
  work: (input: T) => unknown,
  { size, name, maxRatio = 3 }: { readonly size: number; readonly name: string; readonly maxRatio?: number },
): void {
  const [part, whole] = [makeInput(size / factor), makeInput(size)]
  const runParts = () => cpuMs(() => Array.from({ length: factor }, () => work(part)))
  const runWhole = () => cpuMs(() => work(whole))
  // The compiler needs the first runs.
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
