// Writes values into the text of a statement. Parameters of a server are part of the request's address, which is limited
// to some kilobytes, so a list of thousands belongs in the body; and the embedded engine runs statements with parameters
// one at a time (see `embedded.ts`).

/** `'a'`, escaped. A lone surrogate becomes U+FFFD, as in a bound parameter. */
export function text(value: string): string {
  return `'${value
    .toWellFormed()
    .replace(/[\\']/g, String.raw`\$&`)
    .replaceAll('\0', String.raw`\0`)}'`
}

/** `[1,2]` */
export function numberList(numbers: readonly bigint[]): string {
  return `[${numbers.map((number) => String(number)).join(',')}]`
}

/** `['a','b']`, with every text escaped. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map(text).join(',')}]`
}
