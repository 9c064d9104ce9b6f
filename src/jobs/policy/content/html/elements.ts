// Finds elements that run code, load something from another site, or send what a reader enters to one.

import { addressesIn, findAttributes, type FoundAttribute, isPlain } from './attributes.ts'
import { decodeText, readAddress } from './address.ts'
import { inlineCode } from '../../../../lib/plain-text.ts'
import { type Sign, squash } from '../sign.ts'
import type { Spend } from '../spend.ts'
import type { Tags } from './tags.ts'

const opening =
  /<\s*(?:[^\s<>/"'=:]{1,100}:)?(script|iframe|frame|object|embed|applet|portal|fencedframe|meta|base|form|link|image|use|feimage|set|animate\w*)(?![\w.:-])/gi
const maxTag = 4_000

type Tag = {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly attributes: readonly FoundAttribute[]
}

export type ElementOptions = { readonly tags: Tags; readonly hasComponents: boolean; readonly spend: Spend }

/** `hasComponents`: a name like `Frame` is a component of the site and no element, except `Script` of Next.js. */
export function findElements(text: string, { tags, hasComponents, spend }: ElementOptions): Sign[] {
  const bodyOf = createBodies(text, hasComponents)
  const isComponent = (name: string) => hasComponents && /^[A-Z].*[a-z]/.test(name) && name !== 'Script'
  const elements = Array.from(text.matchAll(opening)).flatMap((match) => {
    const [written, name = ''] = match
    if (isComponent(name)) return []
    const place = { name: name.toLowerCase(), start: match.index }
    const end = tagEnd(text, match.index + written.length, spend)
    if (end === undefined) return [refused(place, 'without an end', `an \`<${place.name}>\` that does not end`)]
    const read = tags.attributesAt(match.index)
    const attributes = [...read.attributes, ...findAttributes(text, spend, match.index, end)]
    return readTag({ ...place, end, text: text.slice(match.index, end), attributes }, bodyOf)
  })
  return [...elements, ...tags.attributes.flatMap(readFormAction), ...tags.attributes.flatMap(readGadget)]
}

/** A button sends the form to another site than its form does. */
function readFormAction(attribute: FoundAttribute): Sign[] {
  if (!/^(?:[:]|v-bind:)?formaction$/.test(attribute.name)) return []
  return addressesIn(attribute).flatMap((raw) =>
    readAddress(raw).targets.map(({ host }) => refused(attribute, host, `a form that sends to ${quote(host)}`)),
  )
}

/** Attributes whose element imports what they name: islands of Astro, and the entry of RequireJS. */
const gadget = /^(?:component-url|renderer-url|before-hydration-url|data-main)$/

function readGadget(attribute: FoundAttribute): Sign[] {
  if (!gadget.test(attribute.name) || attribute.value.trim() === '') return []
  return [refused(attribute, squash(attribute.value), `a script (\`${attribute.name}\`)`)]
}

const scriptEdge = /<\s*\/?\s*(?:[^\s<>/"'=:]{1,100}:)?script/gi

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
      if (has(tag, /^name$/, /verif(?:y|ication)|msvalidate/i))
        return [
          {
            kind: 'code',
            key: `verification ${squash(tag.text)}`,
            what: 'a proof of who owns the site',
            start: tag.start,
          },
        ]
      return has(tag, /^http-?equiv$/, /refresh/i) && !staysOnSite(tag)
        ? [refused(tag, squash(tag.text), 'a redirect (`<meta http-equiv>`)')]
        : []
    case 'base':
      return tag.attributes.length > 0
        ? [refused(tag, squash(tag.text), 'a `<base>`, which changes where links lead')]
        : []
    case 'form':
      return hostsOf(tag, /^action$/).map((host) => refused(tag, host, `a form that sends to ${quote(host)}`))
    case 'link':
      if (!has(tag, /^rel$/, /stylesheet|preload|prefetch|import|manifest|prerender|preconnect/i)) return []
      return hostsOf(tag, /^href$/).map((host) => refused(tag, host, `a style sheet or script from ${quote(host)}`))
    case 'set':
      return readAnimation(tag)
    case 'image':
    case 'use':
    case 'feimage':
      return readImage(tag)
    default:
      return tag.name.startsWith('animate') ? readAnimation(tag) : readFrame(tag)
  }
}

/** A path is all that it names: without a scheme, a host, a query or anything that a browser would decode. */
export const refreshToPath = /^\s*\d{1,3}\s*;\s*url\s*=\s*(?!\/\/)[\w./#-]+\s*$/i

function staysOnSite({ attributes }: Tag): boolean {
  const contents = attributes.filter(({ name }) => name.endsWith('content'))
  return contents.length > 0 && contents.every((one) => isPlain(one) && refreshToPath.test(one.value))
}

/** A script is what its tag says. Another text, or another file of the site, is shown: it may be a correction. */
function readScript(tag: Tag, body: string): Sign[] {
  const local = tag.attributes.filter(
    (one) => one.name === 'src' && isPlain(one) && readAddress(one.value).targets.length === 0,
  )
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
    const { isContent, targets } = readAddress(raw)
    if (isContent) return [refused(tag, squash(raw), `${what} with content of its own`)]
    return targets.map(({ host }) => refused(tag, squash(raw), `${what} of ${quote(host)}`))
  })
}

function readImage(tag: Tag): Sign[] {
  const sources = tag.attributes.filter(({ name }) => /^(?:xlink:)?href$/.test(name))
  return sources.flatMap(addressesIn).flatMap((raw) => imageOf(raw, tag.start))
}

/** An animation can make a handler or an address. */
function readAnimation(tag: Tag): Sign[] {
  const isCode = has(tag, /^attributename$/, /^\s*(?:on|(?:xlink:)?href\s*$)/i)
  return isCode ? [refused(tag, squash(tag.text), 'an animation of an event handler or address')] : []
}

/** An image of another site with a query can send what the model read to that site. */
export function imageOf(raw: string, start: number): Sign[] {
  const target = readAddress(raw).targets.find(({ hasQuery }) => hasQuery)
  if (target === undefined) return []
  const { host } = target
  return [{ kind: 'image', key: squash(raw), what: `an image of ${quote(host)} with a query`, start, host }]
}

function hostsOf({ attributes }: Tag, names: RegExp): string[] {
  const raw = attributes.filter(({ name }) => names.test(name)).flatMap(addressesIn)
  return raw.flatMap((one) => readAddress(one).targets.map(({ host }) => host))
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
function tagEnd(text: string, from: number, spend: Spend): number | undefined {
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
    else if (character === '>' && depth === 0) {
      spend(at - from)
      return at + 1
    }
  }
  spend(last - from)
  return last === text.length ? last : undefined
}
