// Text from elsewhere, made fit for a terminal, a database column or a title: PostgreSQL refuses NUL, terminals obey
// control characters, and half of a surrogate pair is not a character.

/** Control characters other than tab and line feed become U+FFFD; so do lone surrogates. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** The text when it has at most `characters` UTF-16 units; otherwise its beginning, not longer than that, and `…`. */
export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`
}
