// Finds elements that run code, load something from another site, or send what a reader enters to one.

import { addressesIn, findAttributes, type FoundAttribute, isPlain } from './attributes.ts'
import { decodeText, readAddress } from './address.ts'
import { type Sign, squash } from './sign.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import type { Spend } from './spend.ts'

const opening =
  /<\s*(?:[\w-]+:)?(script|iframe|frame|object|embed|applet|portal|fencedframe|meta|base|form|link|image|use|feimage)(?![\w.:-])/gi
const maxTag = 4_000

type Tag = {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly attributes: readonly FoundAttribute[]
}

/** `hasComponents`: a capital letter makes it a component of the site and no element, except `Script` of Next.js. */
export function findElements(text: string, hasComponents: boolean, spend: Spend): Sign[] {
  const bodyOf = createBodies(text, hasComponents)
  return Array.from(text.matchAll(opening)).flatMap((match) => {
    const [written, name = ''] = match
    if (hasComponents && name !== name.toLowerCase() && name !== 'Script') return []
    const place = { name: name.toLowerCase(), start: match.index }
    const end = tagEnd(text, match.index + written.length)
    if (end === undefined) return [refused(place, 'without an end', `an \`<${place.name}>\` that does not end`)]
    spend(end - match.index)
    const attributes = findAttributes(text, spend, match.index, end)
    return readTag({ ...place, end, text: text.slice(match.index, end), attributes }, bodyOf)
  })
}

const scriptEdge = /<\s*\/?\s*(?:[\w-]+:)?script/gi

type BodyOf = (tag: Tag) => string

/** Returns a function that returns the text of a script, up to the next tag of a script. Call it in the order of the text. */
function createBodies(text: string, hasComponents: boolean): BodyOf {
  const edges = Array.from(text.matchAll(scriptEdge), ({ index }) => index)
  let next = 0
  return (tag) => {
    // Only JSX has scripts that end in their own tag.
    if (hasComponents && tag.text.endsWith('/>')) return ''
    while ((edges[next] ?? Infinity) < tag.end) next += 1
    return text.slice(tag.end, edges[next] ?? text.length)
  }
}

function readTag(tag: Tag, bodyOf: BodyOf): Sign[] {
  switch (tag.name) {
    case 'script':
      return readScript(tag, bodyOf(tag))
    case 'meta':
      return has(tag, /^http-?equiv$/, /refresh/i)
        ? [refused(tag, squash(tag.text), 'a redirect (`<meta http-equiv>`)')]
        : []
    case 'base':
      return tag.attributes.length > 0
        ? [refused(tag, squash(tag.text), 'a `<base>`, which changes where links lead')]
        : []
    case 'form':
      return hostsOf(tag, /^(?:form)?action$/).map((host) => refused(tag, host, `a form that sends to ${quote(host)}`))
    case 'link':
      if (!has(tag, /^rel$/, /stylesheet|preload|prefetch|import/i)) return []
      return hostsOf(tag, /^href$/).map((host) => refused(tag, host, `a style sheet or script from ${quote(host)}`))
    case 'image':
    case 'use':
    case 'feimage':
      return readImage(tag)
    default:
      return readFrame(tag)
  }
}

/** A script is what its tag says. Another text, or another file of the site, is shown: it may be a correction. */
function readScript(tag: Tag, body: string): Sign[] {
  const local = tag.attributes.filter((one) => one.name === 'src' && isPlain(one) && !readAddress(one.value).host)
  const outer = local.reduce((left, { value }) => left.replace(value, ''), tag.text)
  const content = squash(`${local.map(({ value }) => value).join(' ')} ${body}`)
  const own = refused(tag, squash(outer), 'a script')
  return content === ''
    ? [own]
    : [own, { kind: 'code', key: `script ${content}`, what: 'code to a script', start: tag.start }]
}

const frameSource = /^(?:src|data|href|code|codebase|archive)$/

function readFrame(tag: Tag): Sign[] {
  const what = `an \`<${tag.name}>\``
  if (tag.attributes.some(({ name }) => name.endsWith('srcdoc')))
    return [refused(tag, squash(tag.text), `${what} with content of its own`)]
  const sources = tag.attributes.filter(({ name }) => frameSource.test(name.replace(/^(?::|v-bind:)/, '')))
  const computed = sources.some((one) => !isPlain(one))
  if (computed) return [refused(tag, squash(tag.text), `${what} whose address is code`)]
  return sources.flatMap(addressesIn).flatMap((raw) => {
    const { host } = readAddress(raw)
    return host === undefined ? [] : [refused(tag, squash(raw), `${what} of ${quote(host)}`)]
  })
}

function readImage(tag: Tag): Sign[] {
  const sources = tag.attributes.filter(({ name }) => /^(?:xlink:)?href$/.test(name))
  return sources.flatMap(addressesIn).flatMap((raw) => imageOf(raw, tag.start))
}

/** An image of another site with a query can send what the model read to that site. */
export function imageOf(raw: string, start: number): Sign[] {
  const { host, hasQuery } = readAddress(raw)
  if (host === undefined || !hasQuery) return []
  return [{ kind: 'image', key: squash(raw), what: `an image of ${quote(host)} with a query`, start, host }]
}

function hostsOf({ attributes }: Tag, names: RegExp): string[] {
  const raw = attributes.filter(({ name }) => names.test(name)).flatMap(addressesIn)
  return raw.flatMap((one) => readAddress(one).host ?? [])
}

function has({ attributes }: Tag, names: RegExp, value: RegExp): boolean {
  return attributes.some((one) => names.test(one.name) && addressesIn(one).some((text) => value.test(decodeText(text))))
}

export function refused({ name, start }: Pick<Tag, 'name' | 'start'>, key: string, what: string): Sign {
  return { kind: 'refused', key: `${name} ${key}`, what, start }
}

export function quote(host: string): string {
  return inlineCode(host, 100)
}

/** The end of a tag, with quoted values and code in braces inside. Undefined: it does not end within the limit. */
function tagEnd(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + maxTag)
  let quoted = ''
  let depth = 0
  for (let at = from; at < last; at += 1) {
    const character = text.charAt(at)
    if (quoted !== '') {
      if (character === quoted) quoted = ''
    } else if (character === '"' || character === "'") quoted = character
    else if (character === '{') depth += 1
    else if (character === '}') depth = Math.max(0, depth - 1)
    else if (character === '>' && depth === 0) return at + 1
  }
  return last === text.length ? last : undefined
}
