// Escapes what looks like a tag of the service in text that others wrote (files, results, messages, notes of the
// repository), so that only the service can write a notice: `<notice` becomes `\u{003C}notice`. A text that already holds
// such a form gets its backslash escaped, so `restoreTags` always gives the original: a model may copy what it read. Pure.

/** The same letters in other alphabets. */
const alike: Readonly<Record<string, string>> = {
  n: 'ոռп',
  o: 'оοօᴏⲟ0',
  t: 'тτᴛ',
  i: 'іιıɪ1l|ӏ',
  c: 'сϲᴄⲥ',
  e: 'еҽ',
}
/** Blocks of letters in other styles: letterlike, circled, full-width, mathematical. */
const styledBlocks = [
  [0x21_00, 0x21_8f],
  [0x24_9c, 0x24_e9],
  [0xff_21, 0xff_5a],
  [0x1_d4_00, 0x1_d7_ff],
  [0x1_f1_30, 0x1_f1_69],
] as const

const openers = ['<', '＜', '﹤', '‹', '〈', '〈', '⟨', '❮', '˂', 'ᐸ', '≺']
const opener = `[${openers.join('')}]`
/** How `escapeTags` writes an opener, without the backslash. */
const openerCode = String.raw`u\{(?:${openers.map(codeOf).join('|')})\}`
/** A character that cannot be seen, as it is or as the tools show it. */
const unseen = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cc}]|\\u\{(?!005C|${openers.map(codeOf).join('|')})[0-9A-F]{4,6}\}`
const gap = String.raw`(?:\s|${unseen}){0,8}`
const notes = String.raw`repository(?:[\s_-]|${unseen}){0,8}notes`
const tag = String.raw`${gap}(?:[/／∕⁄]${gap})?(?:${lookalikeOf('notice')}|${notes})`

const toEscape = new RegExp(String.raw`${opener}(?=${tag})|\\(?=(?:u\{005C\})*${openerCode}${tag})`, 'giu')
const toRestore = new RegExp(
  String.raw`\\${openerCode}(?=${tag})|\\u\{005C\}(?=(?:u\{005C\})*${openerCode}${tag})`,
  'giu',
)

/** Returns the text as a model sees it. */
export function escapeTags(text: string): string {
  return text.replace(toEscape, (character) => String.raw`\u{${codeOf(character)}}`)
}

/** Returns the text that `escapeTags` escaped. */
export function restoreTags(text: string): string {
  return text.replace(toRestore, (written) => String.fromCodePoint(Number.parseInt(written.slice(3, -1), 16)))
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** A pattern for the word in every style, also with characters between its letters that cannot be seen. */
function lookalikeOf(word: string): string {
  const styled = styledBlocks.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  )
  const classes = Array.from(word, (letter) => {
    const same = styled.filter((character) => character.normalize('NFKC').replace(/[()]/g, '').toLowerCase() === letter)
    return `[${letter}${alike[letter] ?? ''}${same.join('')}]`
  })
  return classes.join(`(?:${unseen}){0,4}`)
}
