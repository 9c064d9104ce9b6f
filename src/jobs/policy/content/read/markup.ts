// Reads reStructuredText, AsciiDoc, Org and Textile: raw HTML where the language has a way to write it, and the addresses of links
// and images. What these languages show as code is no content.

import { inRanges, type Range } from '../../../../docs-syntax/text.ts'
import { readAddress } from '../html/address.ts'
import { imageOf } from '../html/elements.ts'
import { codeAddress, toHost } from '../html/links.ts'
import type { Sign } from '../sign.ts'
import { findRedirects } from '../redirects.ts'
import { scanText } from './scan.ts'
import type { Content, ContentKind } from './kinds.ts'

type Language = {
  /** Each finds an address in its first group. */
  readonly links: readonly RegExp[]
  readonly images: readonly RegExp[]
  /** Each finds HTML in its first group. */
  readonly html: readonly RegExp[]
  /** With one of these, any part of the text may be HTML. */
  readonly anywhere: RegExp
  readonly code: readonly RegExp[]
}

const languages: Readonly<Partial<Record<ContentKind, Language>>> = {
  restructured: {
    links: [
      /<([^<>]{1,4000})>`__?/g,
      /^[ \t]*\.\.[ \t]+_(?:`[^`\n]{1,300}`|(?:[^:\n\\]|\\.|:(?!\s)){1,300}):[ \t]*((?:[^\n]{1,400}|\n[ \t]+(?=\S)){1,20})/gm,
      /^[ \t]*:target:[ \t]*((?:[^\n]{1,400}|\n[ \t]+(?=[^\s:])){1,20})/gm,
      /^[ \t]*(?:__|\.\.[ \t]+__:)[ \t]+((?:[^\n]{1,400}|\n[ \t]+(?=\S)){1,20})/gm,
    ],
    images: [/\.\.[ \t]+(?:\|[^|\n]{1,200}\|[ \t]+)?(?:image|figure)::[ \t]*(\S{1,4000})/g],
    html: [/^[ \t]*\.\.[ \t]+raw::[ \t]*[^\n]*html[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|[ \t]*\n)*)/gim],
    anywhere: /\.\.[ \t]+role::[^\n]*\(raw\)|\.\.[ \t]+default-role::[ \t]*raw/i,
    code: [
      /``[^`\n]+``/g,
      /^([ \t]*)\.\.[ \t]+(?:code-block|code|sourcecode|literalinclude|prompt|doctest|highlight)::[^\n]*\n(?:(?:\1[ \t]+[^\n]*)?(?:\n|$))*/gm,
      /^([ \t]*)(?![ \t]*\.\.[ \t])[^\n]*::[ \t]*\n(?:[ \t]*\n)+(?:(?:\1[ \t]+[^\n]*)?(?:\n|$))+/gm,
    ],
  },
  asciidoc: {
    links: [
      /\b(?:link|xref):{1,2}([^[\]\s]{1,4000})\[/g,
      /<<([^<>\n]{1,4000})>>/g,
      /\blink=["']?([^\],"'\n]{1,4000})/g,
      /\b((?:javascript|vbscript|data|https?):[^[\]\s]{1,4000})\[/gi,
      /^:[\w-]+:[ \t]+(\S{1,4000})/gm,
    ],
    images: [/\b(?:image|icon|video|audio|iframe):{1,2}([^[\]\s]{1,4000})\[/g],
    html: [
      /^\+{4,}[ \t]*\n([^]*?)(?:^\+{4,}[ \t]*$|(?![^]))/gm,
      /\bpass:[a-z,]*\[([^]{0,20000}?)(?<!\\)\]/g,
      /\+{2,3}([^]{0,20000}?)\+{2,3}/g,
    ],
    anywhere: /^\[[^\]\n]*(?:pass|subs\s*=)[^\]\n]*\]/m,
    code: [/^(-{4,}|\.{4,}|`{3,})[^\n]*\n[^]*?^\1[ \t]*$/gm, /`[^`\n]+`/g],
  },
  org: {
    links: [/\[\[([^\][]{1,4000})\]/g, /<((?:javascript|vbscript|data|https?):[^<>]{1,4000})>/gi],
    images: [/\[\[([^\][]{1,4000})\]\]/g],
    html: [
      /^[ \t]*#\+begin_export[ \t]+html[^\n]*\n([^]*?)(?:^[ \t]*#\+end_export|(?![^]))/gim,
      /^[ \t]*#\+html:[ \t]*([^\n]*)/gim,
      /@@html:([^]{0,20000}?)@@/gi,
    ],
    anywhere: /#\+(?:macro|html_head|html_head_extra):/i,
    code: [/^[ \t]*#\+begin_(?:src|example)[^\n]*\n[^]*?^[ \t]*#\+end_(?:src|example)/gim, /[=~][^=~\n]+[=~]/g],
  },
  textile: {
    links: [/":(\S{1,4000})/g],
    images: [/!(?:[^\s!(]{0,100}\))?([^\s!()]{1,4000})(?:\([^()\n]*\))?!/g],
    html: [],
    anywhere: /(?:)/,
    code: [/@[^@\n]+@/g, /^bc\.[^\n]*(?:\n[^\n]+)*/gm],
  },
}

export function isMarkup(kind: ContentKind): boolean {
  return languages[kind] !== undefined
}

export function codeBlocksOfMarkup({ text, kind }: Content): readonly Range[] {
  const language = languages[kind]
  if (!language) return []
  const html = inRanges(htmlOf(text, language))
  const found = language.code.flatMap((pattern) => {
    return Array.from(text.matchAll(pattern), ({ 0: written, index }) => ({
      start: index,
      end: index + written.length,
    }))
  })
  return found.filter(({ start }) => !html(start) && !(kind === 'asciidoc' && isUnescaped(text, start)))
}

/** The lines of attributes above a block. */
const blockAttributes = /(?:^(?:\[[^\n]{0,500}\]|\.[^\s.][^\n]{0,500}|[ \t]*)\r?\n){1,9}$/m

/** Whether the substitutions of an AsciiDoc block leave out that of `<`. */
function isUnescaped(text: string, start: number): boolean {
  const above = blockAttributes.exec(text.slice(Math.max(0, start - 2_000), start))?.[0] ?? ''
  return Array.from(above.matchAll(/\bsubs\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\]\s]*))/g)).some((match) => {
    const parts = (match[1] ?? match[2] ?? match[3] ?? '').split(',').map((part) => part.trim())
    if (parts.some((part) => /^-(?:specialch\w*|c)$/.test(part))) return true
    const isChange = parts.every((part) => /^[+-]|\+$/.test(part))
    return (
      !isChange && !parts.some((part) => /^\+?(?:normal|verbatim|specialchars|specialcharacters|n|v|c)\+?$/.test(part))
    )
  })
}

/** AsciiDoc puts attributes in before it reads a link. Undefined: the text has no attributes. */
function withAttributes(text: string): string | undefined {
  const values = new Map<string, string>(
    Object.entries({ colon: ':', 'two-colons': '::', sp: ' ', lt: '<', gt: '>', amp: '&' }),
  )
  const defined = text.matchAll(/^:([\w-]{1,100}):[ \t]+([^\r\n]{1,300})|\{set:([\w-]{1,100}):([^{}\n]{1,300})\}/gm)
  for (const [, name, value, other, its] of defined) {
    values.set((name ?? other ?? '').toLowerCase(), putIn(value ?? its ?? '', values).slice(0, 300))
  }
  return /\{[\w-]+\}/.test(text)
    ? putIn(text.replaceAll(/^:[\w-]+:.*$/gm, ''), values).slice(0, text.length * 4 + 1_000)
    : undefined
}

function putIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{([\w-]{1,100})\}/g, (_, name: string) => values.get(name.toLowerCase()) ?? '')
}

export function readMarkup(content: Content, code: readonly Range[]): readonly Sign[] {
  const { text, kind } = content
  const language = languages[kind]
  if (!language) return []
  const isCode = inRanges(code)
  const isHtml = language.anywhere.test(text) ? () => true : inRanges(htmlOf(text, language))
  const html = scanText({ text, kind: 'html' }, isCode).filter(
    ({ kind: one, start }) => one === 'host' || isHtml(start),
  )
  const links = language.links
    .flatMap((pattern) => addressesOf(text, pattern))
    .flatMap(({ raw, start }) => {
      const isCode = readAddress(raw).isCode || readAddress(raw.replaceAll(/\\\s?|\s/g, '')).isCode
      return isCode ? [codeAddress(raw, start)] : toHost(raw, start)
    })
  const images = language.images
    .flatMap((pattern) => addressesOf(text, pattern))
    .flatMap(({ raw, start }) => {
      return [...toHost(raw, start), ...imageOf(raw, start)]
    })
  const bare = kind === 'asciidoc' ? withAttributes(blank(text, code).replaceAll('<', '&lt;')) : undefined
  const put = bare === undefined ? [] : readPutIn(bare, language)
  return [...html, ...put, ...[...links, ...images, ...findRedirects(text)].filter(({ start }) => !isCode(start))]
}

/** Nobody can say where it is in the text. */
function readPutIn(text: string, { links }: Language): readonly Sign[] {
  const found = links.flatMap((pattern) => addressesOf(text, pattern)).filter(({ raw }) => readAddress(raw).isCode)
  const html = text.includes('<') ? scanText({ text, kind: 'html' }, () => false) : []
  return [...found.map(({ raw }) => codeAddress(raw, 0)), ...html.map((sign) => ({ ...sign, start: 0 }))]
}

function blank(text: string, code: readonly Range[]): string {
  const isCode = inRanges(code)
  return text
    .split(/(?<=\n)/)
    .reduce<{ at: number; kept: string[] }>(
      ({ at, kept }, line) => ({ at: at + line.length, kept: isCode(at) ? kept : (kept.push(line), kept) }),
      { at: 0, kept: [] },
    )
    .kept.join('')
}

/** AsciiDoc replaces `{name}` first, which may be empty. */
function addressesOf(text: string, pattern: RegExp): readonly { readonly raw: string; readonly start: number }[] {
  return Array.from(text.matchAll(pattern), ({ 1: raw = '', index }) => ({
    raw: raw.replaceAll(/\{[\w-]+\}/g, ''),
    start: index,
  }))
}

function htmlOf(text: string, { html }: Language): readonly Range[] {
  return html.flatMap((pattern) => {
    return Array.from(text.matchAll(pattern), ({ 0: written, index }) => ({
      start: index,
      end: index + written.length,
    }))
  })
}
