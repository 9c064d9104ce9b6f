// The terms of a documentation that drift looks up, and under which keys: a flag `--max-lines` may be `max_lines` in code, a name
// `Client.close` two names, and `--no-color` the opposite of `color`.

import { type TermKind, readTerms } from '../../docs-syntax/terms/code-terms.ts'
import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import { type PageTerm, termsOf } from '../facts/terms/page-terms.ts'
import type { SitePage } from '../rules/site-page.ts'

/** One name of a term. `keys`: it is there if any of these is. `isMarked`: its form alone says that it names something. */
export type Segment = {
  readonly text: string
  readonly keys: readonly [string, ...string[]]
  readonly isMarked: boolean
}

export type Documented = {
  readonly text: string
  readonly kind: Exclude<TermKind, 'word' | 'number' | 'address'> | 'operation'
  readonly segments: readonly Segment[]
  /** Whether a page marks it as code within a line. */
  isInline: boolean
  /** Whether a heading or a directive of a page is the name itself: the page describes it. */
  isDescribed: boolean
  readonly places: Place[]
}

export type Place = { readonly page: SitePage; readonly line: number }

/** A shorter key is in any source. */
const shortest = 4
const file =
  /\w\.(?:[cm]?[jt]sx?|py|rb|go|rs|md|rst|json|ya?ml|toml|cfg|ini|txt|sh|html?|css|xml|lock|env|log|conf|service|tar|gz|zip|exe)$/i
/** Words in names that only examples have. */
const exampleWords: ReadonlySet<string> = new Set(['my', 'your', 'foo', 'bar', 'baz', 'example', 'dummy'])
const opposite = /^(?:no|with|without|enable|disable)$/
const method = /^[A-Z]+ /

/** The terms of the pages by their text. */
export function documentedIn(pages: readonly SitePage[]): ReadonlyMap<string, Documented> {
  const found = new Map<string, Documented>()
  for (const page of pages) {
    for (const term of termsOf(page.facts)) {
      // In a block, `.toArray` is a method of whatever.
      if (term.kind === 'block' && term.text.startsWith('.')) continue
      // `.Client.close` of Sphinx is `Client.close` of any module.
      const text = term.text.replace(/^\.(?=\w)/, '')
      const known = found.get(text)
      const fresh = known ?? toDocumented({ ...term, text })
      if (!fresh) continue
      if (!known) found.set(text, fresh)
      fresh.isInline ||= term.kind === 'inline'
      fresh.places.push({ page, line: term.line })
    }
    for (const name of describedOn(page)) {
      const term = found.get(name)
      if (term) term.isDescribed = true
    }
  }
  return found
}

function describedOn({ facts: { headings, rst } }: SitePage): string[] {
  const objects = (rst?.described ?? []).map((name) => name.slice(name.indexOf(' ') + 1))
  return [...headings.map(({ text }) => text), ...objects].map((name) => name.replace(/\(.*$|[`*:\s]+/g, ''))
}

function toDocumented({ text, kind }: PageTerm): Documented | undefined {
  if (kind === 'heading' || kind === 'link') return undefined
  if (kind === 'operation') return withSegments(text, 'operation')
  const [term, ...more] = readTerms(text)
  if (term?.text !== text || more.length > 0) return undefined
  const { kind: form } = term
  if (form === 'word' || form === 'number' || form === 'address') return undefined
  // References and labels of reStructuredText.
  if (/^-?_[^_]|[^_]_$/.test(text)) return undefined
  // Headers of HTTP and of messages; names of files; addresses of people.
  if (/^x-/i.test(text) || file.test(text) || /\w@\w/.test(text)) return undefined
  if (termKeys(text).words.some((word) => exampleWords.has(word))) return undefined
  // Methods of jQuery.
  if (text.startsWith('$.')) return undefined
  // `non-blocking` in a comment of an example is a word.
  if (kind === 'block' && form === 'name' && !/[_$.:]|[a-z\d][A-Z]/.test(text)) return undefined
  return withSegments(text, form)
}

function withSegments(text: string, kind: Documented['kind']): Documented | undefined {
  const segments = partsOf(text, kind).flatMap((part) => toSegment(part, kind) ?? [])
  return segments.length === 0 ? undefined : { text, kind, segments, isInline: false, isDescribed: false, places: [] }
}

function partsOf(text: string, kind: Documented['kind']): string[] {
  if (kind === 'variable' || (kind === 'flag' && !text.includes('.'))) return [text]
  if (kind !== 'operation') return text.split(/[./:#@+~$]+/)
  // The authors of the docs name parameters as they like.
  return text
    .replace(method, '')
    .split('/')
    .filter((part) => /^[\w-]+$/.test(part) && !/^v\d+$/.test(part))
}

function toSegment(text: string, kind: Documented['kind']): Segment | undefined {
  const { whole, words } = termKeys(text)
  if (whole.length < shortest) return undefined
  const isMarked =
    kind === 'flag' || kind === 'variable' || /[_-]|[a-z\d][A-Z]/.test(text.replace(/^[_-]+|[_-]+$/g, ''))
  return { text, keys: [whole, ...othersOf(kind, words)], isMarked }
}

/** `--no-color` is there if `color` is, and `ACME_PAGE_SIZE` if `page_size` is: products put a prefix before their settings. */
function othersOf(kind: Documented['kind'], [first = '', ...rest]: readonly string[]): string[] {
  const bare = rest.join('')
  const isPrefixed = kind === 'variable' ? rest.length > 1 : kind === 'flag' && opposite.test(first)
  return isPrefixed && bare.length >= shortest ? [bare] : []
}
