// Reads a translation of gettext: each text is a page of the site, in the language of its pages, which nobody can tell here.

import type { Sign } from '../../sign.ts'
import type { Content } from '../kinds.ts'

const message =
  /^msgstr(?:\[\d{1,2}\])?[ \t]+("(?:[^"\\\n]|\\.){0,20000}"(?:[ \t]*\r?\n[ \t]*"(?:[^"\\\n]|\\.){0,20000}")*)/gm
const part = /"((?:[^"\\\n]|\\.)*)"/g

/** `read` reads a text. The strings of a message are joined. */
export function readTranslation(content: Content, read: (part: Content) => readonly Sign[]): readonly Sign[] {
  return Array.from(content.text.matchAll(message)).flatMap(({ 1: strings = '', index: start }) => {
    const joined = Array.from(strings.matchAll(part), ([, inside = '']) => inside).join('')
    const text = joined.replaceAll(/\\(.)/g, (_, character: string) => ({ n: '\n', t: '\t' })[character] ?? character)
    const signs = (['restructured', 'markdown'] as const).flatMap((kind) => read({ ...content, text, kind }))
    return signs.map((sign) => ({ ...sign, start }))
  })
}
