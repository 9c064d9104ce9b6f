// Finds what sends readers of a page to another host: fields of its frontmatter, whose names the plugins and themes of
// generators choose (`redirect_to`, `redirect`, `layout: redirect`), fields of AsciiDoc and reStructuredText, and
// `http-equiv=refresh` outside of HTML.

import { lineStarts } from '../../../docs-syntax/text.ts'
import { readSettings, type Setting } from '../site/read-settings.ts'
import { quote, refreshToPath, refused } from './html/elements.ts'
import { isEvent } from './html/handlers.ts'
import { toHost } from './html/links.ts'
import { squash, type Sign } from './sign.ts'

/** The text of a frontmatter, the name of a file of its language, and the number of lines before it. */
type Head = { readonly name: string; readonly text: string; readonly above: number }

const blocks: readonly (readonly [form: RegExp, name: string, above: number])[] = [
  [/^\uFEFF?---[ \t]*json[ \t]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)---[ \t]*(?:\r|\n|$)/i, 'head.json', 1],
  [/^\uFEFF?---[^\r\n]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)---[ \t]*(?:\r|\n|$)/, 'head.yml', 1],
  [/^\uFEFF?\+\+\+[^\r\n]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)\+\+\+[ \t]*(?:\r|\n|$)/, 'head.toml', 1],
  [/^\uFEFF?;;;[^\r\n]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n);;;[ \t]*(?:\r|\n|$)/, 'head.json', 1],
  [/^\uFEFF?(\{[^]*?(?:\r\n|\r|\n)\})[ \t]*(?:\r|\n|$)/, 'head.json', 0],
  // Fields without marks, as Pelican and MultiMarkdown read them.
  [/^\uFEFF?((?:[\w-]+:[^\r\n]*(?:\r\n|\r|\n|$))+)/, 'head.txt', 0],
]
/** An escape may hide each word. */
const mayMatter = /redirect|refresh|permalink|url|slug|path|alias|output|file|save|\bon[a-z]{3}|\\/i
/** Fields that say where a page is written. */
const placeName =
  /^(?:permalink|url|slug|path|alias(?:es)?|redirect_from|output(?:-?file)?|filename|file_?name|save_as|destination)$/i
/** A file that hosts or browsers read, and no page. */
const specialPlace =
  /(?:^|\/)(?:cname|[._][^/.][^/]*|[^/]*\.(?!html?$|mdx?$|xml$)[a-z]\w*)\/?$|(?:^|\/)\.(?:\.|well-known)\//i
const redirectName = /redirect/i
const layoutName = /^(?:layout|type|template|component)$/i
const refreshName = /^http-?equiv\s*=\s*["']?refresh/i

const field = /^[ \t]*[:"']?([\w.-]{0,60}redirect[\w.-]{0,60})["']?[ \t]*[:=][ \t]*(\S[^\r\n]*)/gim
/** A field of AsciiDoc or reStructuredText, anywhere on the page. */
const markupField = /^:[\w-]{0,60}redirect[\w-]{0,60}:[ \t]+(\S{1,4000})/gim
const refreshField = /^[ \t>]*:http-?equiv=["']?refresh["']?:[ \t]*([^\r\n]{0,4000})/gim

export function findRedirects(text: string): readonly Sign[] {
  const fields = Array.from(text.matchAll(markupField), ({ 1: value = '', index }) => toRedirects(value, index))
  const refreshes = Array.from(text.matchAll(refreshField), ({ 1: value = '', index }) => toRefresh(value, index))
  return [...fields.flat(), ...refreshes.flat(), ...findInHead(text)]
}

function findInHead(text: string): readonly Sign[] {
  const head = headOf(text)
  if (!head || !mayMatter.test(head.text)) return []
  const offset = text.indexOf(head.text)
  const starts = lineStarts(text)
  const startOf = ({ line }: Setting) => starts[(line ?? 1) - 1 + head.above] ?? offset
  // A generator may read what this parser does not.
  const written = Array.from(head.text.matchAll(field), ({ 2: value = '', index }) => {
    return toRedirects(value.replaceAll(/^["']|["'],?\s*$/g, ''), offset + index)
  })
  const settings = readSettings(head.name, head.text) ?? []
  const isRedirect = settings.some(({ path, value }) => layoutName.test(path.at(-1) ?? '') && redirectName.test(value))
  const read = settings.flatMap((one) => {
    const { path, value } = one
    if (path.some((name) => refreshName.test(name))) return toRefresh(value, startOf(one))
    if (
      placeName.test(path.findLast((name) => name !== '[]') ?? '') &&
      specialPlace.test(value.trim()) &&
      !/^\w+:\/\//.test(value)
    )
      return [
        {
          kind: 'code',
          key: `place ${value}`,
          what: 'a page that is written as a special file',
          start: startOf(one),
        } as const,
      ]
    const key = path.at(-1) ?? ''
    if (isEvent(key) && !/^(?:true|false|yes|no|on|off|[\d.:-]*)$/i.test(value))
      return [refused({ name: key.toLowerCase(), start: startOf(one) }, value, 'an event handler in the frontmatter')]
    return isRedirect || path.some((name) => redirectName.test(name)) ? toRedirects(value, startOf(one)) : []
  })
  return [...written.flat(), ...read]
}

function headOf(text: string): Head | undefined {
  for (const [form, name, above] of blocks) {
    const inside = form.exec(text)?.[1]
    if (inside !== undefined) return { name, text: inside, above }
  }
  return undefined
}

function toRedirects(value: string, start: number): Sign[] {
  return toHost(value, start).map(({ host = '' }) => {
    return { kind: 'redirect', key: `redirect ${host}`, what: `a redirect to ${quote(host)}`, start, host }
  })
}

/** Like `<meta http-equiv="refresh">`, which it becomes. */
function toRefresh(value: string, start: number): Sign[] {
  return refreshToPath.test(value) ? [] : [refused({ name: 'meta', start }, squash(value), 'a redirect (`http-equiv`)')]
}
