// Numbers as one line of blocks, and whether a terminal can show such blocks. Pure.

import type { Environment } from '../../config/environment.ts'

const blocks = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.:-=+*#' } as const
export type Blocks = keyof typeof blocks

/** One character a number: the lowest is 0 alone, the highest the greatest of them. */
export function sparkline(numbers: readonly number[], kind: Blocks): string {
  const levels = blocks[kind]
  const top = numbers.reduce((greatest, number) => Math.max(greatest, number), 0)
  return numbers.map((number) => levels[levelOf(number, top, levels.length - 1)] ?? '').join('')
}

/** What is not 0 is never shown as 0. */
function levelOf(number: number, top: number, highest: number): number {
  return number <= 0 ? 0 : Math.max(1, Math.round((number / top) * highest))
}

/** By the variables that say so, in the order in which POSIX reads them. */
export function blocksOf(environment: Environment): Blocks {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || ''
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii'
}
