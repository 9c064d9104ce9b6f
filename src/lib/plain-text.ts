// Text of others, made fit for a terminal, a database column or a title: PostgreSQL takes no NUL, terminals obey
// control characters, and a lone surrogate is no character at all.

/** Control characters other than tab and line feed become U+FFFD; so do lone surrogates. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}
