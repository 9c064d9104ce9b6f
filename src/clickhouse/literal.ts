// Lists in the text of a statement. Parameters travel in the address of a request, which takes some kilobytes; lists of
// thousands belong in its body.

/** `[1,2]` */
export function numberList(numbers: readonly bigint[]): string {
  return `[${numbers.map((number) => String(number)).join(',')}]`
}

/** `['a','b']`, whatever stands in the texts. */
export function textList(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text.replace(/[\\']/g, String.raw`\$&`).replaceAll('\0', String.raw`\0`)}'`).join(',')}]`
}
