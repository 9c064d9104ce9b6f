// Settings as people type them: numbers as text, lists as lines. Pure.

/** One entry a line; blank lines and blanks around an entry do not count. */
export function toLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function fromLines(list: readonly string[]): string {
  return list.join('\n')
}

/** Names, which have no commas: separated by commas or lines. */
export function toNames(text: string): readonly string[] {
  return toLines(text.replaceAll(',', '\n'))
}

/**
 * Blank is null, the default. Accepts the separators that `fromNumber` writes. NaN for what is no number, which a field
 * with `numberPattern` does not let through.
 */
export function toNumber(text: string): number | null {
  const plain = text.trim().replaceAll(/[,_\s]/g, '')
  return plain === '' ? null : Number(plain)
}

export function fromNumber(value: number | null): string {
  return value === null ? '' : value.toLocaleString('en', { maximumFractionDigits: 6 })
}

/** The texts that `toNumber` takes, as the pattern of a field. */
export const numberPattern = String.raw`\s*\d[\d,_ ]*(\.\d+)?\s*`
