// Reads the redirects of Sphinx with their positions: `rediraffe_redirects`, a dictionary or a file of paths, and `redirects`
// of sphinx-reredirects, from the name of a document to an address that is relative to it. Works on texts only.

import { posix } from 'node:path'
import { dominantLineBreak } from '../../docs-syntax/text.ts'
import { addLines, filled, linesOf, type RedirectEntry, type RedirectList, type Value } from '../redirects/entries.ts'
import { type PythonString, readPythonConfig } from './python-config.ts'

const plain = { isPlain: true, status: undefined, isConditional: false } as const

/** A string: the file that has them. Undefined: there are no redirects, or code makes them. */
export function readPythonRedirects(text: string): RedirectList | string | undefined {
  const values = readPythonConfig(text)
  const paths = values.get('rediraffe_redirects')
  const list = paths ?? (text.includes('reredirects') ? values.get('redirects') : undefined)
  if (!list || list.isComputed) return undefined
  if (paths && list.strings.length === 1) return list.strings[0]?.value
  if (list.strings.length === 0 || list.strings.length % 2 === 1) return undefined
  const entries = Array.from({ length: list.strings.length / 2 }, (_, at): RedirectEntry[] => {
    const [source, destination] = list.strings.slice(at * 2, at * 2 + 2)
    if (!source || !destination) return []
    const target = paths ? toValue(destination) : toRelative(source.value, destination)
    return [{ ...plain, source: toValue(source), destination: target, whole: wholeOf(text, source, destination) }]
  }).flat()
  return { entries, add: (source, destination) => addToDictionary(text, entries, { source, destination }) }
}

/** `rediraffe_redirects` as a file: `"old page.rst" new.rst`, a line each. */
export function readDocumentPairs(text: string): RedirectList | undefined {
  const entries = linesOf(text).flatMap((whole): RedirectEntry[] => {
    const line = text.slice(whole.start, whole.end)
    const found = /^([ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s#]\S*)([ \t]+)("[^"\n]*"|'[^'\n]*'|\S+)\s*$/.exec(line)
    const [, indent = '', source = '', gap = '', destination = ''] = found ?? []
    if (!found) return []
    const start = whole.start + indent.length
    const next = start + source.length + gap.length
    return [{ ...plain, whole, source: toWord(source, start), destination: toWord(destination, next) }]
  })
  if (entries.length === 0) return undefined
  return { entries, add: (source, destination) => addLines(text, entries, { source, destination, before: undefined }) }
}

function toWord(written: string, start: number): Value {
  const quote = /^["']/.exec(written)?.[0] ?? ''
  const value = quote === '' ? written : written.slice(1, -1)
  const encode = (next: string) => (quote === '' && /\s/.test(next) ? `"${next}"` : quote + next + quote)
  return { value, start, end: start + written.length, encode }
}

function toValue({ value, start, end, quote }: PythonString): Value {
  return { value, start, end, encode: (next) => quote + next + quote }
}

/**
 * An address as the document that it leads to. It begins at the page that is built for the source: `old.html`, or
 * `old/index.html` if the others end with a slash; with a slash at its start, at the root of the site.
 */
function toRelative(source: string, written: PythonString): Value {
  const { value, quote } = written
  const [, path = '', end = '', suffix = ''] = /^([^?#]*?)((?:\.html|\/)?)([?#].*)?$/.exec(value) ?? []
  if (path === '' || /^[a-z][\w+.-]*:|^\/\/|\$/i.test(value)) return toValue(written)
  const baseOf = (page: string) => (end === '/' ? page.replace(/(?:^|\/)index$/, '') : posix.dirname(page))
  const isRooted = path.startsWith('/')
  const encode = (next: string, page: string) => {
    const [, name = '', rest = ''] = /^([^?#]*)(.*)$/.exec(next) ?? []
    const place = end === '/' ? name.replace(/(?:^|\/)index$/, '') : name
    const to = isRooted ? `/${place}` : posix.relative(baseOf(page), place)
    return quote + (to === '/' || to === '' ? to : to + end) + rest + quote
  }
  const name = isRooted ? posix.normalize(path.slice(1)) : posix.join(baseOf(source), path)
  return { ...toValue(written), value: name + suffix, encode }
}

/** The entry with its comma, and with its lines if nothing else is on them. */
function wholeOf(text: string, source: PythonString, destination: PythonString) {
  const comma = /^[ \t]*,[ \t]*/.exec(text.slice(destination.end))?.[0].length ?? 0
  const indent = /(?:^|\n)([ \t]*)$/.exec(text.slice(0, source.start))?.[1]
  const line = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/.exec(text.slice(destination.end + comma))?.[0]
  const end = destination.end + comma
  return indent === undefined || line === undefined
    ? { start: source.start, end }
    : { start: source.start - indent.length, end: end + line.length }
}

function addToDictionary(
  text: string,
  entries: readonly RedirectEntry[],
  added: { readonly source: string; readonly destination: string },
) {
  const last = entries.at(-1)
  const sample =
    entries.findLast(({ source, destination }) => !/[*?$[]|:\/\//.test(source.value + destination.value)) ?? last
  if (!last || !sample) return { start: 0, end: 0, text: '' }
  const { source, destination } = sample
  const pair = filled(text, { ...sample, whole: { start: source.start, end: destination.end } }, added)
  const indent = /(?:^|\n)([ \t]*)$/.exec(text.slice(0, last.source.start))?.[1]
  const gap = indent === undefined ? ' ' : dominantLineBreak(text) + indent
  const comma = /^[ \t]*,(?:[ \t]*#[^\r\n]*)?/.exec(text.slice(last.destination.end))?.[0]
  const at = last.destination.end + (comma?.length ?? 0)
  return { start: at, end: at, text: comma === undefined ? `,${gap}${pair}` : `${gap}${pair},` }
}
