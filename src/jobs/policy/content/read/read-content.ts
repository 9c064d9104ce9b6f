// Reads what a text contains that a reviewer must know about. Pages are read twice: once as text, where every generator
// could see something, and once by a parser, which says what is code for readers and what is code that runs. Runs in a
// thread (`threads.ts`), because hostile texts take long; most short ones are read without it.

import { inRanges } from '../../../../docs-syntax/text.ts'
import { codeBlocksOfMarkup, isMarkup, readMarkup } from './markup.ts'
import type { Content } from './kinds.ts'
import { readNotebook } from './formats/notebook.ts'
import { parsePageSyntax, withoutSyntax } from './page-syntax.ts'
import { type Reading, unreadable } from '../reading.ts'
import { scanText } from './scan.ts'
import type { Sign } from '../sign.ts'
import { TextTooCostly } from '../spend.ts'
import { findInvisible } from './invisible.ts'
import { readTranslation } from './formats/translation.ts'
import { findTemplates } from './templates.ts'

/** Never throws. */
export function readContent(content: Content): Reading {
  return withinBudget(content, () => read(content))
}

/** Without the parser of pages: all of the text is content. */
export function readText(content: Content): Reading {
  const { text, kind } = content
  return withinBudget(content, () => {
    const { signs } = withoutSyntax({ text, isMdx: kind === 'mdx' })
    return finish(content, { code: [], signs: [...scanText(content, () => false), ...signs] })
  })
}

function withinBudget(content: Content, work: () => Reading): Reading {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof TextTooCostly)) throw error
    return unreadable(content)
  }
}

function read(content: Content): Reading {
  const { kind } = content
  if (kind === 'notebook') return { code: [], signs: sorted(readNotebook(content, (cell) => read(cell).signs)) }
  if (kind === 'translation') {
    return { code: [], signs: sorted(readTranslation(content, (part) => read(part).signs)) }
  }
  // Generators read a text with a frontmatter as a page.
  if (kind === 'text')
    return /^\uFEFF?---[ \t]*[\r\n]/.test(content.text) ? read({ ...content, kind: 'html' }) : nothing
  if (isMarkup(kind)) {
    const code = codeBlocksOfMarkup(content)
    return finish(content, { code, signs: readMarkup(content, code) })
  }
  if (kind !== 'mdx' && kind !== 'markdown') return finish(content, { code: [], signs: scanText(content, () => false) })
  const { code, signs } = parsePage(content)
  return finish(content, { code, signs: [...scanText(content, inRanges(code)), ...signs] })
}

const nothing: Reading = { code: [], signs: [] }

function parsePage({ path, text, kind, dialects }: Content): Reading {
  const page = { path, text, isMdx: kind === 'mdx', dialects }
  try {
    return parsePageSyntax(page)
  } catch {
    // Nested too deep for the stack.
    return withoutSyntax(page)
  }
}

function finish(content: Content, { code, signs }: Reading): Reading {
  const isCode = inRanges(code)
  const all = [...signs, ...findTemplates(content, code), ...findInvisible(content, isCode)]
  return { code, signs: sorted(all) }
}

/** Each once: an attribute may be found in two ways. */
function sorted(signs: readonly Sign[]): readonly Sign[] {
  const known = new Set<string>()
  return signs
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, kind, key }) => {
      const name = `${start} ${kind} ${key}`
      return !known.has(name) && known.add(name)
    })
}
