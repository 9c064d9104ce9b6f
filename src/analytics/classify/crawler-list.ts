// The 1,500 crawlers of `crawler-user-agents`, used only in this file: maps its tags to our categories. Our own rows
// are tried first. The list does not distinguish training from search or assistants, and some of its words are in the
// names of phones and apps; those are removed before matching.

import list from 'crawler-user-agents'
import type { Category } from '../category.ts'
import type { Label } from '../page-view.ts'
import { withoutBrowserNames } from './browser.ts'
import { literalOf } from './literal.ts'

type Entry = { readonly expression: RegExp; readonly label: Label }

/** An entry gets the category of the first of these tags that it has. */
const categoryOfTag: readonly (readonly [tag: string, Category])[] = [
  ['http-library', 'library'],
  ['browser-automation', 'automation'],
  ['feed-reader', 'feed'],
  ['social-preview', 'preview'],
  ['monitoring', 'monitor'],
  ['seo', 'seo'],
  ['scanner', 'crawler'],
  ['advertising', 'crawler'],
  ['archiver', 'crawler'],
  ['academic', 'crawler'],
]

/** Tagged `seo` in the list, but a command line tool. */
const libraries: readonly string[] = ['^curl']
/** Apps with a built-in browser: people, not crawlers, if the rest of the user agent is a browser's. */
const apps: readonly string[] = [
  'Notion\\/',
  'Viber',
  'Fluid',
  'Sogou',
  'Fever',
  'Trove',
  'Sonic',
  'Odin;',
  'MetaIAB Facebook',
]

const gramLength = 4

/** The shape of its entries: its own types lack the tags. */
type Shipped = { readonly pattern: string; readonly tags?: readonly string[] }

const entries: readonly Entry[] = (list as readonly Shipped[]).map(({ pattern, tags = [] }) => ({
  expression: new RegExp(pattern),
  label: { category: toCategory(pattern, tags), agent: toName(pattern), operator: '', rule: `list:${toName(pattern)}` },
}))
const grams = indexByGram(entries)

/** Returns the first matching entry. `userAgent` is as sent, bounded; `isBrowser`: it looks like a browser's. */
export function findListed(userAgent: string, isBrowser: boolean): Label | undefined {
  const text = isBrowser ? withoutBrowserNames(userAgent) : userAgent
  return entries[firstOf(candidatesOf(text), text, isBrowser)]?.label
}

function firstOf(candidates: readonly number[], text: string, isBrowser: boolean): number {
  const found = candidates.find((at) => {
    const expression = entries[at]?.expression
    return expression?.test(text) && !(isBrowser && apps.includes(expression.source))
  })
  return found ?? -1
}

type Grams = { readonly byGram: ReadonlyMap<string, readonly number[]>; readonly always: readonly number[] }

/**
 * An index by the first four characters of the text that an expression needs. Only expressions whose four characters
 * occur in a user agent are tried. Trying all 1,500 took 62 µs for a browser; this takes 7.
 */
function indexByGram(all: readonly Entry[]): Grams {
  const grams = all.map(({ expression }) => literalOf(expression.source).slice(0, gramLength))
  const byGram = Map.groupBy(grams.keys(), (at) => grams[at] ?? '')
  const always = [...byGram].filter(([gram]) => gram.length < gramLength).flatMap(([, positions]) => positions)
  return { byGram, always }
}

function candidatesOf(text: string): readonly number[] {
  const lower = text.toLowerCase()
  const found = new Set(grams.always)
  for (let at = 0; at + gramLength <= lower.length; at += 1) {
    for (const candidate of grams.byGram.get(lower.slice(at, at + gramLength)) ?? []) found.add(candidate)
  }
  return [...found].sort((a, b) => a - b)
}

function toCategory(pattern: string, tags: readonly string[]): Category {
  if (libraries.includes(pattern)) return 'library'
  if (tags.includes('ai-crawler')) return tags.includes('search-engine') ? 'ai_search' : 'ai_training'
  if (tags.includes('search-engine')) return 'search'
  return categoryOfTag.find(([tag]) => tags.includes(tag))?.[1] ?? 'crawler'
}

/** Derives the name from the first alternative of a pattern: `[cC]laude[bB]ot` gives `claudebot`. */
function toName(pattern: string): string {
  return pattern
    .replaceAll(/\(\^\| \)|\(\[\^-\]\|\$\)|\[\\s\\S\]\*.*|\\d/g, '')
    .replaceAll(/(?<!\\)\((\w+)\|\w+\)/g, (_, first: string) => first)
    .replaceAll(/\|.*/g, '')
    .replaceAll(/\[([a-z])[a-z]\]/gi, (_, letter: string) => letter)
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/^[\^ (]+|[$ /;)]+$/g, '')
}
