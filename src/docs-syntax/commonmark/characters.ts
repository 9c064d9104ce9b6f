// The classes of characters by which CommonMark and GFM decide. Codes are UTF-16 code units; NaN is the end of a text.

export const tab = 9
export const lineFeed = 10
export const carriageReturn = 13
export const space = 32
export const bang = 33
export const star = 42
export const less = 60
export const bracketOpen = 91
export const backslash = 92
export const bracketClose = 93
export const underscore = 95
export const backtick = 96
export const tilde = 126

const punctuation = /[\p{P}\p{S}]/u
const whitespace = /\s/

export function isBlank(code: number): boolean {
  return code === space || code === tab
}

export function isLineBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn
}

export function isBlankOrBreak(code: number): boolean {
  return code === space || (code <= carriageReturn && (code === tab || isLineBreak(code)))
}

export function isWhitespace(code: number): boolean {
  return code < 128
    ? code === space || (code >= tab && code <= carriageReturn)
    : whitespace.test(String.fromCharCode(code))
}

export function isAsciiPunctuation(code: number): boolean {
  return (code > 32 && code < 48) || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 127)
}

export function isPunctuation(code: number): boolean {
  return code < 128 ? isAsciiPunctuation(code) : punctuation.test(String.fromCharCode(code))
}

export function isLetter(code: number): boolean {
  return (code > 96 && code < 123) || (code > 64 && code < 91)
}

export function isDigit(code: number): boolean {
  return code > 47 && code < 58
}

/** A character that separates words for the marks of emphasis: the start and the end of a text count as whitespace. */
export function classOf(code: number): 'space' | 'punctuation' | 'other' {
  if (Number.isNaN(code) || isWhitespace(code)) return 'space'
  return isPunctuation(code) ? 'punctuation' : 'other'
}
