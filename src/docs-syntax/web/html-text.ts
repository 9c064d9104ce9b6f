// Turns a page of the web into Markdown for a reader of text: headings, paragraphs, lists, tables, code, and links with whole
// addresses. Runs nothing, builds no tree, never throws, and takes linear time. Its result is data of others.

import { decodeReferences } from '../commonmark/content.ts'
import { readMarkup, type Tag } from '../html.ts'
import { withoutHidden } from './hidden-elements.ts'

export type WebText = {
  readonly title: string
  /** Markdown. If the page marks its main part, only that. */
  readonly text: string
  /** The addresses of all links of the page, in normal form, each once. */
  readonly links: readonly string[]
}

/** A shorter main part is an empty frame that a script fills. */
const leastMain = 200

/** `address`: of the page; its links are relative to it. */
export function readHtml(html: string, address: string): WebText {
  const source = withoutHidden(html)
  const { tags } = readMarkup(source, { start: 0, end: source.length })
  const base = baseOf(source, tags, address)
  const links = new Set(tags.flatMap((tag) => linkOf(source, tag, base) ?? []))
  const part = mainOf(tags)
  const main = part.length === 0 ? '' : write({ source, base, tags: part })
  const text = main.length < leastMain ? write({ source, base, tags }) : main
  return { title: titleOf(source, tags), text, links: [...links] }
}

function titleOf(source: string, tags: readonly Tag[]): string {
  const at = tags.findIndex(({ name, kind }) => kind === 'open' && name.toLowerCase() === 'title')
  const [start, end] = [tags[at]?.end, tags[at + 1]?.start]
  if (start === undefined || end === undefined) return ''
  return decodeReferences(source.slice(start, end)).replace(/\s+/g, ' ').trim()
}

function baseOf(source: string, tags: readonly Tag[], address: string): string {
  const written = tags.find(({ name }) => name.toLowerCase() === 'base')
  const href = written && attributeOf(source, written, 'href')
  return (href === undefined ? null : URL.parse(href, address))?.href ?? address
}

/** The tags of the first `main`. */
function mainOf(tags: readonly Tag[]): readonly Tag[] {
  const from = tags.findIndex(({ name, kind }) => kind === 'open' && name.toLowerCase() === 'main')
  if (from === -1) return []
  const until = tags.findIndex(({ name, kind }, at) => at > from && kind === 'close' && name.toLowerCase() === 'main')
  return tags.slice(from, until === -1 ? tags.length : until + 1)
}

function attributeOf(source: string, { attributes }: Tag, name: string): string | undefined {
  const found = attributes.find((one) => one.name.toLowerCase() === name)
  return found && decodeReferences(source.slice(found.value.start, found.value.end)).trim()
}

/** The whole address of a link to a page of the web. */
function linkOf(source: string, tag: Tag, base: string): string | undefined {
  if (tag.kind === 'close' || !/^(?:a|area)$/i.test(tag.name)) return undefined
  const href = attributeOf(source, tag, 'href')
  const url = href === undefined || href === '' ? null : URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

type Page = { readonly source: string; readonly base: string; readonly tags: readonly Tag[] }

/** The text so far, and what is open at its end. */
type Output = {
  readonly parts: string[]
  /** Line breaks that come before the next text. */
  breaks: number
  isLineStart: boolean
  /** The numbers of the lists around; 0 for one without numbers. */
  readonly lists: number[]
  pre: number
  isTitle: boolean
  link: { readonly href: string; readonly at: number } | undefined
}

function write({ source, base, tags }: Page): string {
  const output: Output = { parts: [], breaks: 0, isLineStart: true, lists: [], pre: 0, isTitle: false, link: undefined }
  let position = tags[0]?.start ?? 0
  for (const tag of tags) {
    addText(output, decodeReferences(source.slice(position, tag.start)))
    position = tag.end
    if (tag.kind === 'close') close(output, tag.name.toLowerCase())
    else open(output, tag, { source, base })
  }
  // After the last tag of a page: what is not in any element.
  if (tags.at(-1)?.name.toLowerCase() !== 'main') addText(output, decodeReferences(source.slice(position)))
  return output.parts
    .join('')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .trim()
}

const paragraphs = /^(?:p|blockquote|pre|table|dl|figure|section|article|main|header|footer|nav|aside|h[1-6])$/
const lines = /^(?:div|tr|dt|dd|form|fieldset|figcaption|details|summary|option|body|html|head|address|caption)$/

function open(output: Output, tag: Tag, { source, base }: Pick<Page, 'source' | 'base'>): void {
  const name = tag.name.toLowerCase()
  breakBefore(output, name)
  if (name === 'title') output.isTitle = true
  else if (/^h[1-6]$/.test(name)) addMark(output, `${'#'.repeat(Number(name.charAt(1)))} `)
  else if (name === 'ul') output.lists.push(0)
  else if (name === 'ol') output.lists.push(1)
  else if (name === 'li') addItem(output)
  else if (name === 'br') output.breaks = Math.max(output.breaks, 1)
  else if (name === 'pre') {
    addMark(output, '```\n')
    output.pre += 1
  } else if (name === 'code' && output.pre === 0) addMark(output, '`')
  else if (name === 'td' || name === 'th') addMark(output, '| ')
  else if (name === 'img') addText(output, attributeOf(source, tag, 'alt') ?? '')
  else if (name === 'a') openLink(output, linkOf(source, tag, base))
}

function close(output: Output, name: string): void {
  if (name === 'title') output.isTitle = false
  else if (name === 'ul' || name === 'ol') output.lists.pop()
  else if (name === 'pre' && output.pre > 0) {
    output.pre -= 1
    addMark(output, output.isLineStart ? '```' : '\n```')
  } else if (name === 'code' && output.pre === 0) addMark(output, '`')
  else if (name === 'td' || name === 'th') addMark(output, ' ')
  else if (name === 'a') closeLink(output)
  breakBefore(output, name)
}

function breakBefore(output: Output, name: string): void {
  if (output.pre > 0) return
  const isOuterList = (name === 'ul' || name === 'ol') && output.lists.length === 0
  if (paragraphs.test(name) || isOuterList) output.breaks = Math.max(output.breaks, 2)
  else if (lines.test(name)) output.breaks = Math.max(output.breaks, 1)
}

function addItem(output: Output): void {
  const number = output.lists.at(-1) ?? 0
  const indent = '  '.repeat(Math.min(Math.max(0, output.lists.length - 1), 20))
  output.breaks = Math.max(output.breaks, 1)
  addMark(output, `${indent}${number === 0 ? '-' : `${number}.`} `)
  if (number > 0) output.lists.splice(-1, 1, number + 1)
}

function openLink(output: Output, href: string | undefined): void {
  closeLink(output)
  if (href === undefined || output.pre > 0) return
  addMark(output, '[')
  output.link = { href, at: output.parts.length }
}

function closeLink(output: Output): void {
  const { link } = output
  if (!link) return
  output.link = undefined
  // A link without a text, such as one of a picture, still leads somewhere.
  if (output.parts.length === link.at) output.parts.push(link.href)
  output.parts.push(`](${link.href})`)
  output.isLineStart = false
}

function addText(output: Output, text: string): void {
  if (output.isTitle || text === '') return
  if (output.pre > 0) {
    addMark(output, text.replace(/\r\n?/g, '\n'))
    return
  }
  const words = text.replace(/\s+/g, ' ')
  const shown = output.breaks > 0 || output.isLineStart ? words.trimStart() : words
  if (shown !== '') addMark(output, shown)
}

function addMark(output: Output, mark: string): void {
  if (output.parts.length > 0 && output.breaks > 0) output.parts.push('\n'.repeat(output.breaks))
  output.breaks = 0
  output.parts.push(mark)
  output.isLineStart = /\n$|^(?:#+|\s*-|\s*\d+\.|\||\[) $/.test(mark)
}
