// Reads a text as text, where every generator could see something. Takes linear time, or throws `TextTooCostly`.

import { findElements } from '../html/elements.ts'
import { findHandlers } from '../html/handlers.ts'
import { findLinks } from '../html/links.ts'
import { type IsCode, readTags } from '../html/tags.ts'
import { readDocumentType } from '../html/documents.ts'
import { inRanges, type Range } from '../../../../docs-syntax/text.ts'
import { readFrontmatter } from './frontmatter.ts'
import { findRedirects } from '../redirects.ts'
import type { Content } from './kinds.ts'
import { scanStrings } from './strings.ts'
import type { Sign } from '../sign.ts'
import { createSpend } from '../spend.ts'

/** `isCode`: where readers see code. */
export function scanText(
  { text, kind }: Pick<Content, 'text' | 'kind'>,
  isCode: IsCode,
  spend = createSpend(text),
): readonly Sign[] {
  const tags = readTags(text, isCode, spend)
  const links = findLinks(text, { tags, hasStrings: kind === 'mdx' || kind === 'data', spend })
  if (kind === 'style') return links
  if (kind === 'data') return [...links, ...scanStrings(text)]
  const isScript = inRanges(findScripts(text, isCode))
  const handlers = [...findHandlers(text, tags, spend), ...links].filter(({ start }) => !isScript(start))
  const elements = findElements(text, { tags, hasComponents: kind === 'mdx', spend })
  const more = kind === 'html' ? readDocumentType(text) : readFrontmatter(text)
  return [...elements, ...handlers, ...more, ...findRedirects(text)].filter(({ start }) => !isCode(start))
}

const scriptStart = /<\s*script(?:\s[^<>]*)?>/gi
const scriptPart = /(?=<[a-z/!])|-->/gi

/** Assignments such as `button.onclick = run` in a script are no attributes. The text up to the next tag counts as script. */
function findScripts(text: string, isCode: IsCode): readonly Range[] {
  return Array.from(text.matchAll(scriptStart)).flatMap(({ 0: tag, index }): Range[] => {
    if (isCode(index)) return []
    const start = index + tag.length
    scriptPart.lastIndex = start
    return [{ start, end: scriptPart.exec(text)?.index ?? text.length }]
  })
}
