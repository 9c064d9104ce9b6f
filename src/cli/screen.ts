// Prints permanent lines and, on a terminal, a few lines below them that are repainted. Without a terminal, only the
// permanent lines are printed. All text is made plain here, so no escape sequences but our own reach a terminal.

import { terminalText } from '../lib/plain-text.ts'
import { type Output, paint } from './output.ts'
import type { Line } from './job/watch-lines.ts'

export interface Screen {
  print(lines: readonly Line[]): void
  /** Replaces the lines at the bottom. */
  live(lines: readonly Line[]): void
  /** Removes the lines at the bottom. */
  clear(): void
}

/** `indent` is printed before every line. */
export function createScreen(output: Output, indent = ''): Screen {
  const { terminal } = output
  const painted = (lines: readonly Line[]) => lines.map(({ style, text }) => indent + paint(output, style, plain(text)))
  if (!terminal) {
    const warn = (lines: readonly Line[]) => {
      for (const line of painted(lines)) output.warn(line)
    }
    return { print: warn, live: () => undefined, clear: () => undefined }
  }
  let bottom: readonly Line[] = []
  const erase = () => {
    if (bottom.length === 0) return ''
    return `\r${bottom.length > 1 ? `\u001b[${bottom.length - 1}A` : ''}\u001b[J`
  }
  const fitted = () => {
    const columns = (terminal.columns() || 80) - indent.length - 1
    return painted(bottom.map((line) => ({ ...line, text: fit({ ...line, text: plain(line.text) }, columns) }))).join(
      '\n',
    )
  }
  return {
    print: (lines) => {
      const stay = painted(lines).map((line) => `${line}\n`)
      terminal.write(erase() + stay.join('') + fitted())
    },
    live: (lines) => {
      const before = erase()
      bottom = lines
      terminal.write(before + fitted())
    },
    clear: () => {
      terminal.write(erase())
      bottom = []
    },
  }
}

function plain(text: string): string {
  return terminalText(text).replaceAll(/[\t\n]/g, ' ')
}

/** Cuts a text to a number of columns. Wide characters take two columns, combining marks take no column. */
export function fit({ text, isTail = false }: Pick<Line, 'text' | 'isTail'>, columns: number): string {
  const characters = isTail ? Array.from(text).toReversed() : Array.from(text)
  let width = 0
  const end = characters.findIndex((character) => (width += widthOf(character)) > columns)
  const shown = end < 0 ? characters : characters.slice(0, end)
  return (isTail ? shown.toReversed() : shown).join('')
}

function widthOf(character: string): number {
  if (/\p{Mark}|\p{Cf}/u.test(character)) return 0
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
    character,
  )
    ? 2
    : 1
}
