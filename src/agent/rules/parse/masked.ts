// Replaces each quotation with one token, so that nothing inside it is read as an instruction.

import type { Token } from './tokens.ts'

export const fence = '\u{e002}\\d+\u{e003}'

export type Masked = {
  readonly text: string
  /** Returns the quotation that the token replaced. Other words are returned unchanged. */
  unmask(token: string): string
  /** Restores the quotations in a part of the masked text. */
  restore(text: string): string
  /** Returns the words of these tokens, without quotation marks. */
  raw(tokens: readonly Token[]): string
}

const patterns = [
  /(?<=^|\n)[ \t]*(?<mark>`{3,20}|~{3,20})[^\n]*\n(?<fence>[^]*?)(?:\n?[ \t]*\k<mark>[ \t]*(?=\n|$))/u,
  /"(?<straight>(?:[^"\\]|\\.)*)"/u,
  /\u201c(?<curly>[^\u201c\u201d]*)\u201d/u,
  /\u201e(?<low>[^\u201c\u201d\u201e]*)[\u201c\u201d]/u,
  /\u00ab\s?(?<angle>[^\u00ab\u00bb]*?)\s?\u00bb/u,
  /(?<!`)`{1,9}(?<code>[^`\n]+)`{1,9}/u,
  /\u2018(?<single>[^\n\u2018]*?)\u2019(?!\p{L})/u,
  /(?<![\p{L}\p{N}])'(?<plain>[^'\n]+(?:'\p{L}[^'\n]*){0,9})'(?![\p{L}\p{N}])/u,
]
const pattern = new RegExp(patterns.map((one) => one.source).join('|'), 'gu')
const token = new RegExp(`[\u{e000}\u{e002}](\\d+)[\u{e001}\u{e003}]`, 'gu')

export function maskQuotations(source: string): Masked {
  const values: string[] = []
  const written: string[] = []
  const clean = source.replace(/[\u{e000}-\u{e003}]/gu, '').replace(/\r\n?/g, '\n')
  const text = clean.replace(pattern, (whole, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    const index = values.push(valueOf(groups)) - 1
    written.push(whole)
    return groups['fence'] === undefined ? `\u{e000}${index}\u{e001}` : `\u{e002}${index}\u{e003}`
  })
  const unmask = (word: string) => word.replace(token, (_, index: string) => values[Number(index)] ?? '')
  return {
    text,
    unmask,
    raw: (tokens) => unmask(text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0)),
    restore: (part) => part.replace(token, (_, index: string) => written[Number(index)] ?? ''),
  }
}

function valueOf({ mark: _mark, straight, ...others }: Record<string, string | undefined>): string {
  if (straight !== undefined) return straight.replace(/\\(["\\])/g, '$1')
  return Object.values(others).find((value) => value !== undefined) ?? ''
}
