// Reads the address in an attribute, a link or a string as a browser does after the page was built: character references,
// escapes, percent encoding, spaces and invisible characters do not hide a scheme or a host.

import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { placeOf } from './places.ts'

export type Target = {
  /** Another site, in lower case. */
  readonly host: string
  /** The host, with the first part of the path where strangers have paths. */
  readonly place: string
  readonly hasQuery: boolean
}

export type Address = {
  /** Opening it runs code. */
  readonly isCode: boolean
  /** It holds its content itself, which a frame runs. */
  readonly isContent: boolean
  /** The sites that it may lead to: generators read backslashes in different ways. Empty: the same site. */
  readonly targets: readonly Target[]
}

const ownSite = 'docent.invalid'
const ignored = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu
const codeScheme =
  /^(?:(?:javascript|vbscript|livescript):(?=.)|data:(?:text\/(?:html|xsl|javascript|ecmascript|[\w.+-]*xml)|application\/(?:javascript|ecmascript|[\w.+-]*xml)|multipart\/))/i
const contentScheme = /^(?:data|blob|filesystem):/i

/** `raw` is the address as the page has it. Nothing is cut before it is decoded. */
export function readAddress(raw: string): Address {
  const [inHtml, inMarkdown] = [decodeHTMLAttribute(raw), decodeText(raw)]
  const forms = inHtml === inMarkdown ? [inHtml] : [inHtml, inMarkdown]
  const bare = forms.map((text) => decodePercent(text.replaceAll(ignored, '').slice(0, 300)))
  const targets = forms.flatMap((text) => parseTarget(text) ?? [])
  const isSame = targets.length > 1 && targets[0]?.host === targets[1]?.host
  return {
    isCode: bare.some((text) => codeScheme.test(text)),
    isContent: bare.some((text) => contentScheme.test(text)),
    targets: isSame ? targets.slice(targets[0]?.hasQuery === true ? 0 : 1).slice(0, 1) : targets,
  }
}

/** Whether a string of code or data is an address that runs code. Prose such as `JavaScript: an introduction` is not. */
export function isCodeString(raw: string): boolean {
  const text = decodeText(raw)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trimStart()
  return codeScheme.test(text) && !/:\s/.test(text.slice(0, text.indexOf(':') + 2))
}

function parseTarget(text: string): Target | undefined {
  try {
    const url = new URL(text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''), `https://${ownSite}/`)
    const host = url.hostname.replace(/\.$/, '')
    const isOutside = /^(?:https?|wss?|ftp):$/.test(url.protocol) && host !== ownSite && host !== ''
    return isOutside ? { host, place: placeOf(url), hasQuery: url.search !== '' } : undefined
  } catch {
    return undefined
  }
}

/** Resolves character references of HTML and escapes of Markdown, JavaScript and YAML. */
export function decodeText(raw: string): string {
  return decodeEscapes(decodeHTML(raw))
}

/** Those of Markdown, JavaScript and YAML. */
export function decodeEscapes(raw: string): string {
  return raw
    .replaceAll(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (written, ...codes: string[]) => {
      return fromCode(Number.parseInt(codes.slice(0, 3).find(Boolean) ?? '', 16)) ?? written
    })
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

function fromCode(code: number): string | undefined {
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
