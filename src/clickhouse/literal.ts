// Writes lists into the text of a statement. Parameters are part of the request's address, which is limited to some
// kilobytes; a list of thousands belongs in the body.

/** `[1,2]` */
export function numberList(numbers: readonly bigint[]): string {
  return `[${numbers.map((number) => String(number)).join(',')}]`
}

/** `['a','b']`, with every text escaped. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text.replace(/[\\']/g, String.raw`\$&`).replaceAll('\0', String.raw`\0`)}'`).join(',')}]`
}
