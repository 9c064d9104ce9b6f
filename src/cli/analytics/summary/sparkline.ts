// Numbers as one line of blocks, and whether a terminal can show such blocks. Pure.

import type { Environment } from '../../../config/environment.ts'

const blocks = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.:-=+*#' } as const
export type Blocks = keyof typeof blocks

/** Draws one character per number: the lowest block only for 0, the highest for the maximum. */
export function sparkline(numbers: readonly number[], kind: Blocks): string {
  const levels = blocks[kind]
  const top = numbers.reduce((greatest, number) => Math.max(greatest, number), 0)
  return numbers.map((number) => levels[levelOf(number, top, levels.length - 1)] ?? '').join('')
}

/** Never returns the lowest level for a number above 0. */
function levelOf(number: number, top: number, highest: number): number {
  return number <= 0 ? 0 : Math.max(1, Math.round((number / top) * highest))
}

/** Reads the locale variables in the order of POSIX. */
export function blocksOf(environment: Environment): Blocks {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || ''
  return /utf-?8/i.test(locale) ? 'unicode' : 'ascii'
}
