// Turns the body of a response into text that a model can read: HTML into Markdown, other texts as they are. Whatever is no
// text is named instead. Pure; never throws.

import { parsePage } from '../../../docs-syntax/markdown.ts'
import { readHtml } from '../../../docs-syntax/web/html-text.ts'
import { startOf } from '../../../lib/plain-text.ts'

export type Body = {
  /** The address of the page, after redirects. */
  readonly address: string
  /** As the host sent them. Undefined: it sent no such header. */
  readonly type: string | undefined
  readonly encoding: string | undefined
  readonly bytes: Uint8Array
}

/** `kind`: for the head line. `links`: whole addresses, in no order. */
export type PageText =
  | { readonly kind: string; readonly title: string; readonly text: string; readonly links: readonly string[] }
  /** The end of a sentence. */
  | { readonly problem: string }

const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/
const isText =
  /^(?:text\/.+|.+\+(?:json|xml|yaml)|application\/(?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-ndjson|x-sh|sql|graphql))$/
const hasLinks = /^text\/(?:plain|markdown|x-markdown)$/

export function toPageText({ address, type = '', encoding, bytes }: Body): PageText {
  if (encoding !== undefined && !/^identity$/i.test(encoding.trim())) {
    return { problem: `the response is compressed (${startOfWord(encoding)}), although that was not asked for` }
  }
  const [given = ''] = type.toLowerCase().split(';')
  const media = given.trim() || (looksLikeHtml(bytes) ? 'text/html' : 'text/plain')
  if (isPdf(bytes) || media === 'application/pdf') return { problem: 'it is a PDF, and no page of text' }
  if (!isHtml.test(media) && !isText.test(media)) return { problem: `it is ${startOfWord(media)}, and no page of text` }
  const text = decode(bytes, charsetOf(type) ?? (isHtml.test(media) ? declaredCharset(bytes) : undefined))
  if (text.includes('\0')) return { problem: `it is called ${startOfWord(media)}, and is no text` }
  if (isHtml.test(media)) return { kind: 'HTML as Markdown', ...readHtml(text, address) }
  const links = hasLinks.test(media) ? linksOf(text, address) : []
  return { kind: media, title: '', text: text.replace(/\r\n?/g, '\n'), links }
}

/** Markdown is often sent as plain text. */
function linksOf(text: string, address: string): readonly string[] {
  const urls = parsePage('page.md', text).links.map(({ url }) => URL.parse(url, address))
  return [...new Set(urls.flatMap((url) => (url && /^https?:$/.test(url.protocol) ? url.href : [])))]
}

/** A byte order mark wins over the header. An unknown name is that of UTF-8. */
function decode(bytes: Uint8Array, charset: string | undefined): string {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return new TextDecoder(mark ?? (isUtf8 ? 'utf-8' : (charset ?? 'utf-8'))).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function charsetOf(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1]
}

/** In the first 1,024 bytes, as browsers look for it. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const charset = charsetOf(startOfBytes(bytes, 1_024))
  // A page that declares UTF-16 in letters of one byte is not in UTF-16.
  return charset !== undefined && /^utf-?16/i.test(charset) ? 'utf-8' : charset
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<!--)/i.test(startOfBytes(bytes, 512))
}

function isPdf(bytes: Uint8Array): boolean {
  return startOfBytes(bytes, 5) === '%PDF-'
}

function startOfBytes(bytes: Uint8Array, count: number): string {
  return Buffer.from(bytes.subarray(0, count)).toString('latin1')
}

/** A header may be long. */
function startOfWord(text: string): string {
  return startOf(text.replace(/[^\w.+/-]+/g, ' ').trim(), 60)
}
