// Reads what a text contains that a reviewer must know about. Pages are read twice: once as text, where every generator
// could see something, and once by a parser, which says what is code for readers and what is code that runs.

import type { Range } from '../../../../docs-syntax/text.ts'
import { findSiteConfig } from '../../site-code.ts'
import { findElements } from '../elements.ts'
import { readFrontmatter } from './frontmatter.ts'
import { findHandlers } from '../handlers.ts'
import { findLinks } from '../links.ts'
import type { Sign } from '../sign.ts'
import { createSpend, TextTooCostly } from '../spend.ts'
import type { ReadSyntax } from './threads.ts'

/** `mdx`: also Markdown that a site reads as MDX. `data` has addresses only. */
export type ContentKind = 'mdx' | 'markdown' | 'html' | 'style' | 'data'

export type KindOf = (path: string) => ContentKind | undefined
export type ReadSigns = (content: Content) => Promise<readonly Sign[]>

export type Content = { readonly path: string; readonly text: string; readonly kind: ContentKind }

const kinds: readonly (readonly [RegExp, ContentKind])[] = [
  [/\.mdx$/i, 'mdx'],
  [/\.(?:md|markdown|mdown|mkd)$/i, 'markdown'],
  [/\.(?:html?|xhtml|svg)$/i, 'html'],
  [/\.(?:css|scss|sass|less)$/i, 'style'],
  [/\.(?:jsonc?|json5|ya?ml|toml)$/i, 'data'],
]
/** Generators that read `.md` as MDX. */
const readsAsMdx = /(?:^|\/)(?:docusaurus\.config\.[cm]?[jt]s|docs\.json|mint\.json)$/

/** Returns a function that says how a file is read; undefined for a file whose content is not judged here. */
export function createKindOf(paths: Iterable<string>): KindOf {
  let isMdx = false
  for (const path of paths) if (readsAsMdx.test(path)) isMdx = true
  return (path) => {
    const kind = kinds.find(([name]) => name.test(path))?.[1] ?? (findSiteConfig(path) ? 'data' : undefined)
    return kind === 'markdown' && isMdx ? 'mdx' : kind
  }
}

/** Reads as text alone, which takes linear time: finds too much, because code for readers counts, too. */
export function scanContent(content: Content): readonly Sign[] {
  try {
    return scan(content)
  } catch (error) {
    if (!(error instanceof TextTooCostly)) throw error
    // The same text is the same sign, and any other text is a new one.
    return [
      {
        kind: 'refused',
        key: `unread ${content.text}`,
        what: 'more addresses and attributes than can be read',
        start: 0,
      },
    ]
  }
}

function scan({ text, kind }: Content): readonly Sign[] {
  const spend = createSpend(text)
  const isPage = kind === 'mdx' || kind === 'markdown'
  const links = findLinks(text, { hasStrings: kind === 'mdx' || kind === 'data', spend })
  if (kind === 'data' || kind === 'style') return links
  const handlers = [...findHandlers(text, spend), ...links]
  const signs = [...findElements(text, kind === 'mdx', spend), ...outsideScripts(text, handlers)]
  return isPage ? [...signs, ...readFrontmatter(text)] : signs
}

/** Reads all signs in the order of the text. `reading` has the syntax of pages. */
export async function readContent(content: Content, reading: ReadSyntax): Promise<readonly Sign[]> {
  const { path, text, kind } = content
  const signs = scanContent(content)
  const isMdx = kind === 'mdx'
  if (!isMdx && (kind !== 'markdown' || signs.length === 0)) return sorted(signs)
  const { code, signs: more } = await reading({ path, text, isMdx })
  return sorted([...withoutRanges(signs, code), ...more])
}

function sorted(signs: readonly Sign[]): readonly Sign[] {
  return signs.toSorted((a, b) => a.start - b.start)
}

function withoutRanges(signs: readonly Sign[], ranges: readonly Range[]): readonly Sign[] {
  const rest = ranges.toSorted((a, b) => a.start - b.start)
  let next = 0
  return sorted(signs).filter(({ start }) => {
    while ((rest[next]?.end ?? Infinity) <= start) next += 1
    return (rest[next]?.start ?? Infinity) > start
  })
}

const scriptStart = /<\s*script(?:\s[^<>]*)?>/gi
const scriptPart = /(?=<[a-z/!])|-->/gi

/** Assignments such as `button.onclick = run` in a script are no attributes. The text up to the next tag counts as script. */
function outsideScripts(text: string, signs: readonly Sign[]): readonly Sign[] {
  const ranges = Array.from(text.matchAll(scriptStart), ({ 0: tag, index }): Range => {
    const start = index + tag.length
    scriptPart.lastIndex = start
    return { start, end: scriptPart.exec(text)?.index ?? text.length }
  })
  return ranges.length === 0 ? signs : withoutRanges(signs, ranges)
}
