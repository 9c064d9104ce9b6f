// Reads the redirects of a JSON file, of `_redirects`, `netlify.toml`, `mkdocs.yml` and `conf.py` with their positions, and
// writes another one in the form of those that are there. Works on texts only.

import { posix } from 'node:path'
import { type JsonNode, memberRange, readJson } from '../../docs-syntax/json.ts'
import { type Splice, dominantLineBreak } from '../../docs-syntax/text.ts'
import { readYaml, writeYamlString } from '../../docs-syntax/yaml.ts'
import { readDocumentPairs, readPythonRedirects } from '../sphinx/redirects.ts'
import { addLines, filled, linesOf, type RedirectEntry, type RedirectList, toValue, type Value } from './entries.ts'

/** Returns undefined for a file that keeps no redirects. A string: the file that has them, named by `$ref`. */
export function readRedirectList(path: string, text: string): RedirectList | string | undefined {
  if (path.endsWith('.json')) return readJsonRedirects(text)
  if (/\.ya?ml$/.test(path)) return readYamlRedirects(text)
  if (path.endsWith('.py')) return readPythonRedirects(text)
  if (posix.basename(path) === '_redirects') return readLineRedirects(text)
  if (/\.txt$|(?:^|\/)[^./]+$/.test(path)) return readDocumentPairs(text)
  return posix.basename(path) === 'netlify.toml' ? readTomlRedirects(text) : undefined
}

/** The array `redirects`, or the array that is the whole file. A string: the file that has it, named by `$ref`. */
function readJsonRedirects(text: string): RedirectList | string | undefined {
  const root = readJson(text)
  const node = root?.kind === 'array' ? root : memberOf(root, 'redirects')
  if (node?.kind === 'object') return memberOf(node, '$ref')?.value
  if (node?.kind !== 'array') return undefined
  const entries = node.members.flatMap((member): RedirectEntry[] => {
    const source = memberOf(member.node, 'source')
    const destination = memberOf(member.node, 'destination')
    if (source?.kind !== 'string' || destination?.kind !== 'string') return []
    const isPlain = member.node.members.every(({ name }) => /^(?:source|destination|permanent|statusCode)$/.test(name))
    const whole = memberRange(node, member)
    const isConditional = member.node.members.some(({ name }) => /^(?:has|missing)$/.test(name))
    return [
      {
        source: { ...source, encode },
        destination: { ...destination, encode },
        whole,
        isPlain,
        isConditional,
        status: undefined,
      },
    ]
  })
  const add: RedirectList['add'] = (source, destination) => addToArray(text, node, { entries, source, destination })
  return { entries, add }
}

/** `/old /new 301`, a line each. */
function readLineRedirects(text: string): RedirectList {
  const entries = linesOf(text).flatMap((whole): RedirectEntry[] => {
    // `/old id=:id /new/:id 301! Country=de`: the parts with `=` are conditions.
    const form = /^([ \t]*)(\/\S*)((?:[ \t]+[\w-]+=[^\s=]+)*[ \t]+)(\S+)([^#\r\n]*)/
    const found = form.exec(text.slice(whole.start, whole.end))
    if (!found) return []
    const [, indent = '', from = '', gap = '', to = '', rest = ''] = found
    const source = toValue(from, whole.start + indent.length)
    const isConditional = `${gap}${rest}`.includes('=')
    const status = /^[ \t]+(\d{3})!?(?=[ \t]|$)/.exec(rest)?.[1]
    return [
      {
        source,
        whole,
        isPlain: !isConditional,
        destination: toValue(to, source.end + gap.length),
        status: status === undefined ? undefined : Number(status),
        isConditional,
      },
    ]
  })
  const add: RedirectList['add'] = (source, destination, before) =>
    addLines(text, entries, { source, destination, before })
  return { entries, add }
}

/** `[[redirects]]` with `from` and `to`. */
function readTomlRedirects(text: string): RedirectList | undefined {
  const entries = Array.from(text.matchAll(/^[ \t]*\[\[redirects\]\][^]*?(?=^[ \t]*\[|(?![^]))/gm)).flatMap((found) => {
    const whole = { start: found.index, end: found.index + found[0].trimEnd().length + 1 }
    const source = tomlValue(found[0], 'from', found.index)
    const destination = tomlValue(found[0], 'to', found.index)
    const isPlain = !/^[ \t]*(?!from|to|status|force|\[\[redirects)[\w[]/m.test(found[0])
    const written = /^[ \t]*status[ \t]*=[ \t]*["']?(\d{3})/m.exec(found[0])?.[1]
    const status = written === undefined ? undefined : Number(written)
    const isConditional = /^[ \t]*(?:conditions|query)\b/m.test(found[0])
    return source && destination ? [{ source, destination, isPlain, whole, status, isConditional }] : []
  })
  if (entries.length === 0) return undefined
  const lineBreak = dominantLineBreak(text)
  const add: RedirectList['add'] = (source, destination) => {
    const sample = entries.findLast(({ isPlain }) => isPlain)
    const block = sample
      ? filled(text, sample, { source, destination }).trimEnd()
      : `[[redirects]]${lineBreak}from = "${source}"${lineBreak}to = "${destination}"${lineBreak}status = 301`
    const end = text.trimEnd().length
    return { start: end, end, text: `${lineBreak}${lineBreak}${block}` }
  }
  return { entries, add }
}

/** `redirect_maps` of the plugin `redirects` of MkDocs: `old.md: new.md`; `redirects` of GitBook: `old: new.md`. A line each. */
function readYamlRedirects(text: string): RedirectList | undefined {
  const lines = linesOf(text)
  const entries = readYaml(text).strings.flatMap(({ path, start, end, value, style }): RedirectEntry[] => {
    const name = path.at(-1)
    if (path.at(-2) !== 'redirect_maps' && !isOfGitbook(path)) return []
    const whole = lines.find((line) => line.start <= start && end <= line.end)
    if (typeof name !== 'string' || !whole || style === 'block' || end - whole.start > 1000) return []
    const key = /^[ \t]*((["']?).+?\2)[ \t]*:[ \t]*$/.exec(text.slice(whole.start, start))?.[1]
    if (key?.replace(/^["']|["']$/g, '') !== name) return []
    const at = text.indexOf(key, whole.start)
    const write = (written: string): string => writeYamlString(written, style)
    const quote = /^["']/.exec(key)?.[0] ?? ''
    const source = { value: name, start: at, end: at + key.length, encode: (one: string) => quote + one + quote }
    return [
      {
        source,
        destination: { start, end, value, encode: write },
        whole,
        isPlain: true,
        status: undefined,
        isConditional: false,
      },
    ]
  })
  if (entries.length === 0) return undefined
  return {
    entries,
    add: (source, destination) => addLines(text, entries, { source, destination, before: undefined }),
  }
}

function isOfGitbook(path: readonly (string | number)[]): boolean {
  return path.length === 2 && path[0] === 'redirects'
}

function addToArray(
  text: string,
  node: JsonNode,
  added: { entries: readonly RedirectEntry[]; source: string; destination: string },
): Splice {
  const { members } = node
  const last = members.at(-1)
  const sample = added.entries.findLast(({ isPlain }) => isPlain)
  const member = sample && members.find(({ start, end }) => start <= sample.source.start && sample.source.end <= end)
  const pair = `{ "source": ${encode(added.source)}, "destination": ${encode(added.destination)} }`
  if (!last) return { start: node.start + 1, end: node.end - 1, text: onItsLine(text, node, pair) }
  const item = sample && member ? filled(text, { ...sample, whole: member }, added) : pair
  return { start: last.end, end: last.end, text: separator(text, node) + item }
}

/** The comma between two items, with the white space of the other ones. */
function separator(text: string, { start, members }: JsonNode): string {
  const [first, last, previous] = [members[0], members.at(-1), members.at(-2)]
  if (!first || !last) return ''
  const between = previous ? text.slice(previous.end, last.start) : `,${text.slice(start + 1, first.start)}`
  if (between === ',') return /,\s/.test(text.slice(last.start, last.end)) ? ', ' : ','
  return /^\s*,\s*$/.test(between) ? between : ', '
}

/** The only item of an array, on a line of its own if the file has more than one. */
function onItsLine(text: string, node: JsonNode, item: string): string {
  if (!/\n/.test(text.trimEnd())) return item
  const indent = /[ \t]*$/.exec(/^[^]*\n[ \t]*/.exec(text.slice(0, node.start))?.[0] ?? '')?.[0] ?? ''
  const step = /\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const lineBreak = dominantLineBreak(text)
  return `${lineBreak}${indent}${step}${item}${lineBreak}${indent}`
}

function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.members.find((member) => member.key && member.name === name)?.node
}

function encode(value: string): string {
  return JSON.stringify(value)
}

function tomlValue(block: string, name: string, offset: number): Value | undefined {
  const found = new RegExp(`^([ \\t]*${name}[ \\t]*=[ \\t]*)(["'])(.*?)\\2`, 'm').exec(block)
  const [all, before = '', quote = '', value = ''] = found ?? []
  if (all === undefined || !found) return undefined
  const start = offset + found.index + before.length
  return { value, start, end: offset + found.index + all.length, encode: (written) => quote + written + quote }
}
