// Makes foreign text safe for a terminal, a database column or a title: PostgreSQL refuses NUL, terminals interpret control
// characters, and half of a surrogate pair is not a character.

/** Replaces control characters except tab and line feed, and lone surrogates, with U+FFFD. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** Cuts a text that is longer than `characters` UTF-16 code units, and appends `…`. */
export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`
}
