// Reads the address in an attribute, a link or a string as a browser does after the page was built: character references,
// escapes, percent encoding, spaces and invisible characters do not hide a scheme or a host.

export type Address = {
  /** Opening it runs code. */
  readonly isCode: boolean
  /** The host of another site, in lower case; undefined for an address of the same site. */
  readonly host: string | undefined
  readonly hasQuery: boolean
}

/** No address in documentation is longer; the rest does not change the host. */
const maxCharacters = 4_000
const ownSite = 'docent.invalid'
/** The references that can be part of an address. */
const references: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bsol: '\\',
  colon: ':',
  commat: '@',
  equals: '=',
  excl: '!',
  gt: '>',
  hyphen: '-',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  newline: '\n',
  nbsp: ' ',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rpar: ')',
  semi: ';',
  shy: '',
  sol: '/',
  tab: '\t',
  zerowidthspace: '',
}
const ignored = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu
const codeScheme =
  /^(?:(?:javascript|vbscript|livescript):|data:(?:text\/(?:html|xml|javascript|ecmascript)|application\/(?:xhtml|xml|javascript|ecmascript)))/i

/** `raw` is the address as the page has it. */
export function readAddress(raw: string): Address {
  const text = decodeText(raw.slice(0, maxCharacters))
  const bare = decodePercent(text.slice(0, 300).replace(ignored, ''))
  const url = parseUrl(text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''))
  return { isCode: codeScheme.test(bare), host: url?.host, hasQuery: url?.hasQuery ?? false }
}

/** Whether a string of code or data is an address that runs code. Prose such as `JavaScript: an introduction` is not. */
export function isCodeString(raw: string): boolean {
  const text = decodeText(raw.slice(0, 300)).replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  return codeScheme.test(text.trimStart()) && !/:\s/.test(text.slice(0, text.indexOf(':') + 2))
}

function parseUrl(text: string): { readonly host: string; readonly hasQuery: boolean } | undefined {
  try {
    const url = new URL(text, `https://${ownSite}/`)
    const host = url.hostname.replace(/\.$/, '')
    const isOutside = /^(?:https?|wss?|ftp):$/.test(url.protocol) && host !== ownSite && host !== ''
    return isOutside ? { host, hasQuery: url.search !== '' } : undefined
  } catch {
    return undefined
  }
}

/** Resolves character references of HTML and escapes of Markdown, JavaScript and YAML. */
export function decodeText(raw: string): string {
  return raw
    .replaceAll(
      /&(?:#(?:x([0-9a-f]{1,8})|(\d{1,8}))|([a-z]{2,14}));?/gi,
      (written, hex: string, decimal: string, name: string) => {
        if (name) return references[name.toLowerCase()] ?? written
        return fromCode(hex ? Number.parseInt(hex, 16) : Number(decimal)) ?? written
      },
    )
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
