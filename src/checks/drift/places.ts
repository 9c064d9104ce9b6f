// Where on a page a term says something of the product as it is now.

import { readMarkedTerms, readTerms } from '../../docs-syntax/terms/code-terms.ts'
import type { PageLines } from './excused.ts'
import { commandBefore, isCommandOfOthers } from './others.ts'

/** A label of reStructuredText or of HTML, and an address, name nothing of the product. */
const isReference =
  /:(?:ref|doc|term|download|numref|pep|rfc|issue|pr):`[^`]*$|\b(?:name|id|href)=["'][^"']*$|^\s*\.\. _|\]\([^)]*$|https?:\/\/\S*$/

/** `text`_ of reStructuredText. */
const isLabel = /^[^`\n]{0,60}`_/

/**
 * The first line. `excuses`: whether another term of the line says that this one is not meant as it is now. Undefined if the page excuses any of its places: who writes that a name is gone knows it.
 */
export function findLine(
  text: string,
  page: PageLines,
  excuses: (other: string) => boolean = () => false,
): number | undefined {
  let first: number | undefined
  for (const [at, line] of page.lines.entries()) {
    for (let index = line.indexOf(text); index !== -1; index = line.indexOf(text, index + 1)) {
      if (/[\w-]/.test(line[index - 1] ?? '') || /[\w-]/.test(line[index + text.length] ?? '')) continue
      if (isReference.test(line.slice(0, index)) || line.includes('{%')) continue
      if (isLabel.test(line.slice(index + text.length)) && line[index - 1] === '`') continue
      if (page.isPast(at + 1) || namesIn(line).some((other) => other !== text && excuses(other))) return undefined
      const command = text.startsWith('-') ? commandBefore(line, index) : undefined
      if (command !== undefined && isCommandOfOthers(command)) continue
      first ??= at + 1
    }
  }
  return first
}

/** The names in a line that it marks as code, or their form. */
function namesIn(line: string): string[] {
  const spans = Array.from(line.matchAll(/`+([^`\n]+)`+/g), ({ 1: code = '' }) => code)
  return [...spans.flatMap(readTerms), ...readMarkedTerms(line)].map(({ text }) => text)
}
