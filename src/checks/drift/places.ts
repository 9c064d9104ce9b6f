// Where on a page a term says something of the product as it is now.

import { readMarkedTerms, readTerms } from '../../docs-syntax/terms/code-terms.ts'
import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import type { PageLines } from './excused.ts'
import { commandBefore, isCommandOfOthers } from './others.ts'

/** Shorter names say nothing of others. */
const shortest = 4
/** A label of reStructuredText or of HTML, and an address, name nothing of the product. */
const isReference =
  /:(?:ref|doc|term|download|numref|pep|rfc|issue|pr|manpage|mimetype|mailheader|newsgroup|kbd|abbr|regexp):`[^`]*$|\b(?:name|id|href)=["'][^"']*$|^\s*\.\. _|\]\([^)]*$|https?:\/\/\S*$/

/** `text`_ of reStructuredText. */
const isLabel = /^[^`\n]{0,60}`_/

/** `excuses`: whether another term of a line says that this one is not meant as it is now. `isForeign`: whether a module is not the product's. */
export type Excuses = {
  excuses?(other: string): boolean
  isForeign?(module: string): boolean
}

/** The first line. Undefined if the page excuses any of its places: who writes that a name is gone knows it. */
export function findLine(text: string, page: PageLines, given: Excuses = {}): number | undefined {
  if (isLinked(text, page.lines)) return undefined
  let first: number | undefined
  for (const [at, line] of page.lines.entries()) {
    for (let index = line.indexOf(text); index !== -1; index = line.indexOf(text, index + 1)) {
      if (/[\w-]/.test(line[index - 1] ?? '') || /[\w-]/.test(line[index + text.length] ?? '')) continue
      if (isReference.test(line.slice(0, index)) || line.includes('{%')) continue
      if (isLabel.test(line.slice(index + text.length)) && line[index - 1] === '`') continue
      if (page.isPast(at + 1) || namesIn(line).some((other) => other !== text && given.excuses?.(other)))
        return undefined
      if (isAmongPairs(page.lines, at)) return undefined
      const module = page.moduleAt(at + 1)
      if (module !== undefined && given.isForeign?.(module)) continue
      const command = text.startsWith('-') ? commandBefore(line, index) : undefined
      if (command !== undefined && isCommandOfOthers(command)) continue
      first ??= at + 1
    }
  }
  return first
}

/** Whether the line is one of a table of old and new names: lines beside it have one name in two forms. */
function isAmongPairs(lines: readonly string[], at: number): boolean {
  if (namesIn(lines[at] ?? '').length < 2) return false
  return [at - 2, at - 1, at + 1, at + 2].filter((beside) => isPair(namesIn(lines[beside] ?? ''))).length > 1
}

function isPair([old, ...others]: readonly string[]): boolean {
  const { whole } = termKeys(old ?? '')
  return others.some((other) => {
    const { whole: fresh } = termKeys(other)
    return other !== old && fresh.length >= shortest && whole.endsWith(fresh)
  })
}

/** Whether the page links another product with this name: `https://github.com/emacs-lsp/lsp-mode`. */
function isLinked(text: string, lines: readonly string[]): boolean {
  return lines.some(
    (line) =>
      line.includes(`/${text}`) &&
      Array.from(line.matchAll(/https?:\/\/[\w.-]+\/([\w./-]+)/g)).some(([, path]) => path?.split('/').includes(text)),
  )
}

/** The names in a line that it marks as code, or their form. */
function namesIn(line: string): string[] {
  const spans = Array.from(line.matchAll(/`+([^`\n]+)`+/g), ({ 1: code = '' }) => code)
  return [...spans.flatMap(readTerms), ...readMarkedTerms(line)].map(({ text }) => text)
}
