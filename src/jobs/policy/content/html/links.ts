// Finds the addresses of a text wherever a generator may read one: links, images and definitions of Markdown, attributes,
// style sheets, strings of code and data, and addresses in the running text. Takes linear time.

import { addressesIn, findAttributes, type FoundAttribute } from './attributes.ts'
import { isCodeString, readAddress } from './address.ts'
import { imageOf, quote } from './elements.ts'
import { type Sign, squash } from '../sign.ts'
import type { Spend } from '../spend.ts'
import { findStyleAddresses, type StyleAddress } from './styles.ts'
import type { Tags } from './tags.ts'

type Found = { readonly raw: string; readonly start: number; readonly isImage: boolean }

/** A definition after any mark of a container, with a label of any length. */
const definition = /\]:\s{0,200}(?:<([^<>\n]*)|(\S+))/g
const imageReference = /!\[([^[\]]{0,300})\](?:\[([^[\]]{0,300})\])?/g
const autolink = /<([a-z&\\%][\w+.&#;%\\-]{0,60}:[^<>]*)>/gi
const codeImport = /\bimport\s{0,20}\(?\s{0,20}(["'`])((?:https?:|data:|\/\/)[^"'`\n]{0,2000})/gi
const codeImportFrom = /\bfrom\s{0,20}(["'])((?:https?:|data:|\/\/)[^"'\n]{0,2000})/gi
/** An address in text, with the first parts of its path. */
const bare =
  /\b(?:https?|ftp):\/\/[^\s<>"'`\\^{|}/?#)\],;*]+(?:\/[^\s<>"'`\\^{|}/?#)\],;*]{0,200}){0,4}|(?<![\w./-])www\.[\w-]+(?:\.[\w-]+)+(?:\/[^\s<>"'`\\^{|}/?#)\],;*]{0,200}){0,4}/gi
const quoted = /["'`]/g
/** Attributes that load what they name, besides those whose name says image. */
const loading =
  /^(?:src|srcset|imagesrcset|poster|background|style|ping|attributionsrc|data-src(?:set)?|data-background(?:-image)?|light|dark)$/
const imageName = /image|img|icon|logo|thumbnail|cover|avatar|picture|photo|banner/
/** Attributes whose value readers see as text. */
const prose =
  /^(?:title|alt|label|description|aria-\w+|placeholder|heading|header|caption|tip|content|name|summary|sidebartitle)$/

export type LinkOptions = { readonly tags: Tags; readonly hasStrings: boolean; readonly spend: Spend }

/** `hasStrings`: a quoted string anywhere may become an address, as in MDX and data. */
export function findLinks(text: string, { tags, hasStrings, spend }: LinkOptions): Sign[] {
  const styles = findStyleAddresses(text)
  const found = [
    ...findDestinations(text, spend),
    ...findDefinitions(text, spend),
    ...styles.map(({ raw, start }) => ({ raw, start, isImage: true })),
    ...[...tags.attributes, ...findAttributes(text, spend)].flatMap(addressesOf),
  ]
  const signs = found.flatMap((one) => [...judge(one), ...(one.isImage ? imageOf(one.raw, one.start) : [])])
  return [
    ...signs,
    ...styles.flatMap(toImport),
    ...findImports(text),
    ...Array.from(text.matchAll(bare)).flatMap((match) =>
      isNamespace(text, match.index) ? [] : toHost(match[0], match.index),
    ),
    ...(hasStrings ? findCodeStrings(text, spend) : []),
  ]
}

/** An XML namespace is a name, and nothing is fetched. */
function isNamespace(text: string, start: number): boolean {
  return /\bxmlns(?::[\w.-]+)?\s*=\s*["']$/.test(text.slice(Math.max(0, start - 100), start))
}

export function toHost(raw: string, start: number): Sign[] {
  const { targets } = readAddress(/^www\./i.test(raw) ? `https://${raw}` : raw)
  return targets.map(({ place }) => ({
    kind: 'host',
    key: place,
    what: `a link to ${quote(place)}`,
    start,
    host: place,
  }))
}

export function codeAddress(raw: string, start: number): Sign {
  return {
    kind: 'refused',
    key: `address ${squash(raw)}`,
    what: 'an address that runs code',
    start,
  }
}

function judge({ raw, start }: Found): Sign[] {
  return readAddress(raw).isCode ? [codeAddress(raw, start)] : toHost(raw, start)
}

const destination = /\s*(?:<([^<>\n]*)>?|(\S*))/y

/** The destinations of Markdown links and images, and automatic links. */
function findDestinations(text: string, spend: Spend): Found[] {
  const found: Found[] = []
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    destination.lastIndex = at + 2
    const raw = destination.exec(text)
    spend(raw?.[0].length ?? 0)
    const address = raw?.[1] ?? withoutEnd(raw?.[2] ?? '')
    found.push({ raw: address, start: at, isImage: isImageLabel(text, at) })
  }
  return [
    ...found,
    ...Array.from(text.matchAll(autolink), (match) => ({ raw: match[1] ?? '', start: match.index, isImage: false })),
  ]
}

/** Without the bracket that ends the link, and what follows it. */
function withoutEnd(raw: string): string {
  let depth = 0
  for (let at = 0; at < raw.length; at += 1) {
    if (raw[at] === '(') depth += 1
    else if (raw[at] === ')' && (depth -= 1) < 0) return raw.slice(0, at)
  }
  return raw
}

/** Whether the label that ends at `end` begins with `![`. A label that is too long to be searched counts as an image. */
function isImageLabel(text: string, end: number): boolean {
  let depth = 0
  for (let at = end; at >= 0 && end - at < 500; at -= 1) {
    if (text[at] === ']') depth += 1
    else if (text[at] === '[' && (depth -= 1) === 0) return text[at - 1] === '!'
  }
  return end >= 500
}

/** A definition is an image if an image anywhere on the page uses its name. */
function findDefinitions(text: string, spend: Spend): Found[] {
  const images = new Set(Array.from(text.matchAll(imageReference), (match) => nameOf(match[2] || (match[1] ?? ''))))
  return Array.from(text.matchAll(definition), (match) => {
    const raw = match[1] ?? match[2] ?? ''
    spend(raw.length)
    const label = /\[((?:[^[\]\\]|\\.){0,300})$/.exec(text.slice(Math.max(0, match.index - 300), match.index))?.[1]
    return { raw, start: match.index, isImage: images.size > 0 && (label === undefined || images.has(nameOf(label))) }
  })
}

function nameOf(label: string): string {
  return squash(label).toLowerCase()
}

function addressesOf(attribute: FoundAttribute): Found[] {
  const { name, start, hasValue } = attribute
  if (!hasValue || prose.test(name) || /^xmlns(?::|$)/.test(name)) return []
  const isImage = isLoading(attribute)
  return addressesIn(attribute).flatMap((value) => splitSources(name, value).map((raw) => ({ raw, start, isImage })))
}

function isLoading({ name }: FoundAttribute): boolean {
  const bareName = name.replace(/^(?:v-bind:|:)/, '')
  return loading.test(bareName) || imageName.test(bareName)
}

function splitSources(name: string, value: string): readonly string[] {
  if (name.endsWith('srcset')) return value.split(/[\s,]+/).filter((part) => part.length > 4)
  return name === 'style' ? (value.match(/(?:https?:)?\/\/[^\s"')]+/gi) ?? []) : [value]
}

function toImport({ raw, start, isImport }: StyleAddress): Sign[] {
  if (!isImport) return []
  return readAddress(raw).targets.map(({ host }) => {
    return { kind: 'refused', key: `import ${host}`, what: `an import from ${quote(host)}`, start } as const
  })
}

function findImports(text: string): Sign[] {
  return [...text.matchAll(codeImport), ...text.matchAll(codeImportFrom)].map((match): Sign => {
    const raw = match[2] ?? ''
    return { kind: 'refused', key: `import ${raw}`, what: 'an import from another site', start: match.index }
  })
}

/** The scheme of an address that runs code begins so, also if it is escaped. */
const codeStart = /^[\p{Cc}\p{Cf}\s]*[jvld&\\%]/iu
const maxScheme = 120

function findCodeStrings(text: string, spend: Spend): Sign[] {
  return Array.from(text.matchAll(quoted)).flatMap(({ index }) => {
    const raw = text.slice(index + 1, index + 1 + maxScheme)
    if (!codeStart.test(raw)) return []
    spend(maxScheme)
    return isCodeString(raw) ? [codeAddress(raw.slice(0, 60), index)] : []
  })
}
