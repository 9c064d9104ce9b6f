// Makes foreign text safe for a terminal, a database column, a title or a line of Markdown: PostgreSQL refuses NUL,
// terminals interpret control characters, half of a surrogate pair is not a character, and some characters deceive readers.

/** Replaces control characters except tab and line feed, and lone surrogates, with U+FFFD. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** Returns the first UTF-16 code units of a text, at most `characters`. Never cuts a character in half. */
export function startOf(text: string, characters: number): string {
  if (text.length <= characters) return text
  const isInside = /[\ud800-\udbff]/.test(text.charAt(characters - 1))
  return text.slice(0, isInside ? characters - 1 : characters)
}

/** Cuts a text that is longer than `characters` UTF-16 code units, and appends `mark`. */
export function shorten(text: string, characters: number, mark = '…'): string {
  return text.length <= characters ? text : startOf(text, characters) + mark
}

/**
 * Characters that hide, reorder or end what a line says: controls, marks of direction, characters without width (Unicode
 * calls them default ignorable), tags, separators of lines and paragraphs. Not the ones that correct text needs: joiners
 * inside emoji and between letters that join, one variation selector after an emoji, an ideograph or a Mongolian letter,
 * the short tags of the flag of a region.
 */
function deceptiveBeside(kept: string): RegExp {
  const needed = [
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})`,
    String.raw`(?<=[\p{L}\p{N}\p{S}\p{P}])[\ufe00-\ufe0f]`,
    String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180d\u180f]`,
    String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e007a}]{0,6})[\u{e0030}-\u{e007a}\u{e007f}]`,
  ]
  const all = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb`
  return new RegExp(String.raw`[[${all}]--[${kept}]](?<!${needed.join('|')})`, 'gv')
}

/** For texts whose line breaks may be CR. */
export const deceptiveCharacters = deceptiveBeside(String.raw`\t\n\r`)

/** For texts that a person sees: a CR inside a line goes back to its beginning. */
export const trickyCharacters = deceptiveBeside(String.raw`\t\n`)

/** Replaces the characters that reverse, hide or end a line by their names. */
export function nameTricky(text: string): string {
  return text.replaceAll(trickyCharacters, nameOfCharacter)
}

/** Makes a text safe for a terminal: no control character, and nothing that hides or reorders a line. */
export function terminalText(text: string): string {
  return nameTricky(plainText(text))
}

export function nameOfCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Makes a text a part of a regular expression, of JavaScript or of git, that matches it literally. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Formats a text as a quote in Markdown. */
export function quoteMarkdown(text: string): string {
  const lines = text.split('\n').map((line) => `> ${line}`.trimEnd())
  return lines.join('\n')
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

/** Without percent encoding; a text that is not encoded correctly stays as it is. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A text of its own. One that was cut from another keeps all of that in memory, such as a path with its query. */
export function copyText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
