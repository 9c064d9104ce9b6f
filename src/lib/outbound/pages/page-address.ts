// Addresses of pages that somebody allows the service to read: their normal form, those in a text that a person wrote, and
// whether one is below another. Pure. Whether the service may connect to the host is the matter of `web-host.ts`.

import { trickyCharacters } from '../../plain-text.ts'

const mostCharacters = 2_000

/**
 * Returns the address in the normal form of browsers; undefined if it is no address of the web, carries a user name or a
 * password, or has a character that browsers remove, replace or hide: such an address does not lead where it seems to.
 */
export function parsePageAddress(text: string): URL | undefined {
  if (text.length > mostCharacters || /[\s\\]/.test(text) || text.search(trickyCharacters) !== -1) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  return url.href.length > mostCharacters ? undefined : url
}

/** The address that is requested: a fragment is never sent. */
export function withoutFragment(url: URL): string {
  return url.href.slice(0, url.href.length - url.hash.length)
}

/** Steps upwards that a server may see where browsers see a name, also with further escapes. */
const hiddenSteps = /\/\.\.|%(?:25)*(?:2e|2f|5c)/i

/** Whether the address has the origin of the prefix and a path below it. The prefix ends with a slash. */
export function isBelow(prefix: string, url: URL): boolean {
  const { origin, pathname } = new URL(prefix)
  return url.origin === origin && url.pathname.startsWith(pathname) && !hiddenSteps.test(url.pathname)
}

/**
 * Returns the addresses that begin with `http://` or `https://`, without the punctuation of the sentence around them: each once,
 * in normal form.
 */
export function findAddresses(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [written] of text.matchAll(/\bhttps?:\/\/[^\s<>"`]+/gi)) {
    if (written.length > mostCharacters) continue
    const url = parsePageAddress(withoutPunctuation(written))
    // A template, such as https://example.com/{name}, is no address.
    if (url && !/[{}|^]/.test(written)) found.add(url.href)
  }
  return [...found]
}

/** Full-width marks end an address: texts in Chinese and Japanese have no space after it. */
const wideMarks = /[\u2018-\u201f\u3001\u3002\u300a-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/

function withoutPunctuation(written: string): string {
  const [narrow = ''] = written.split(wideMarks)
  return narrow.slice(0, endOfBrackets(narrow)).replace(/[.,;:!?'*_~…]+$/, '')
}

/** The place of the first bracket that ends what began before the address, as in `[text](https://example.com)`. */
function endOfBrackets(text: string): number {
  const open = { ')': 0, ']': 0 }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '(') open[')'] += 1
    if (character === '[') open[']'] += 1
    if (character !== ')' && character !== ']') continue
    if (open[character] === 0) return at
    open[character] -= 1
  }
  return text.length
}
