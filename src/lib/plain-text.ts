// Makes foreign text safe for a terminal, a database column, a title or a line of Markdown: PostgreSQL refuses NUL,
// terminals interpret control characters, half of a surrogate pair is not a character, and some characters deceive readers.

/** Replaces control characters except tab and line feed, and lone surrogates, with U+FFFD. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** Cuts a text that is longer than `characters` UTF-16 code units, and appends `…`. */
export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`
}

/** C0 and C1 controls except tab and newline, bidirectional controls, invisible spaces and joiners, Unicode tags. */
export const trickyCharacters =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Replaces the characters that reverse, hide or end a line by their names. */
export function nameTricky(text: string): string {
  return text.replaceAll(trickyCharacters, nameOfCharacter)
}

export function nameOfCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * Formats any text as one line of code in Markdown, of at most `characters` + 3. It mentions nobody, closes no issue, and
 * ends neither the code nor a comment.
 */
export function inlineCode(text: string, characters = 200): string {
  const start = shorten(text, characters * 4).toWellFormed()
  const line = nameTricky(start).replaceAll(/\s+/g, ' ').trim()
  const code = line.replaceAll('`', "'").replaceAll('<!--', '<! --')
  return `\`${shorten(code, characters) || ' '}\``
}
