// Finds what a change lost: headings and code blocks of surviving pages that are nowhere in the documentation any more,
// and pages that became much shorter. Text that moved to another page is not lost, and neither is a heading or a block
// that another one took the place of.

import type { CheckResult } from './check-tree.ts'
import type { PageLoss } from '../docs-syntax/page.ts'
import { createDocsText, type DocsText, headingKey, headingWords, isCopy } from './docs-text.ts'
import type { PageFacts, PageText } from './facts/page-facts.ts'
import { similarity } from './suggest/choose.ts'
import { findUnreplaced } from './unreplaced.ts'

/** A page without them has another address, or another name in lists. */
const keptFields = ['permalink', 'slug', 'id', 'title']
/** In a shorter page, a sentence is a large part. */
const fewestWords = 50
const mostLost = 0.3
/** More alike, they are one heading: `Install` and `Installation`, but not `Create a key` and `Delete a key`. */
const leastSimilar = 0.5

type Checked = Pick<CheckResult, 'index' | 'parts'>
type Wanted = { readonly before: PageFacts; readonly after: PageFacts; readonly docs: () => DocsText }

/** `moves`: the new path of each file that the change moved. In order of path. */
export function findLosses(
  before: Checked,
  after: Checked,
  moves: ReadonlyMap<string, string> = new Map(),
): PageLoss[] {
  const docs = createDocsText(after)
  const found = before.index.pages.flatMap((page): PageLoss[] => {
    const path = moves.get(page.path) ?? page.path
    const facts = after.index.page(path)?.facts ?? after.parts.get(path)
    if (!facts || facts === page.facts) return []
    const wanted = { before: page.facts, after: facts, docs: () => docs(isCopy(before.index, page)) }
    const loss = { path, ...lostContent(wanted), fields: lostFields(wanted), words: lostWords(wanted) }
    const { headings, codeBlocks, fields, words } = loss
    return headings.length + codeBlocks.length + fields.length > 0 || words ? [loss] : []
  })
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function lostContent({ before, after, docs }: Wanted): Pick<PageLoss, 'headings' | 'codeBlocks'> {
  // A page that could not be read is a finding of its own.
  if (!before.text || !after.text) return { headings: [], codeBlocks: [] }
  const headings = findUnreplaced({
    before: before.headings,
    after: after.headings,
    keyOf: ({ text }) => headingKey(text),
    replaces: (item, old) => similarity(headingKey(item.text), headingKey(old.text)) > leastSimilar,
  })
  const blocks = findUnreplaced({
    before: before.text.code,
    after: after.text.code,
    keyOf: ({ hash }) => hash,
    replaces: (item, old) => item.lines * 2 >= old.lines,
  })
  return {
    headings: headings.filter(({ text }) => !docs().hasHeading(headingKey(text))).map(({ text }) => headingWords(text)),
    codeBlocks: blocks.filter((block) => !docs().hasCode(block)).map(({ first }) => first),
  }
}

function lostFields({ before, after }: Wanted): readonly string[] {
  // A frontmatter that cannot be read is a finding of its own.
  if (!after.text || after.frontmatter?.problem) return []
  const [had, has] = [before.frontmatter?.names ?? [], after.frontmatter?.names ?? []]
  return keptFields.filter((name) => had.includes(name) && !has.includes(name))
}

/** Words that moved to other pages are not lost. */
function lostWords({ before, after, docs }: Wanted): PageLoss['words'] {
  // Read in different ways, a page has more or fewer words.
  if (!before.text || !after.text || (before.problem === null) !== (after.problem === null)) return null
  const words = { before: before.text.words, after: after.text.words }
  const missing = words.before - words.after
  if (words.before < fewestWords || missing <= words.before * mostLost) return null
  return missing - movedWords(before.text, after.text, docs()) > words.before * mostLost ? words : null
}

function movedWords({ stretches }: PageText, after: PageText, docs: DocsText): number {
  const present = docs.stretches()
  const own = new Set(after.stretches)
  return stretches.reduce((sum, hash, at) => {
    const isMoved = at % 2 === 0 && !own.has(hash) && present.has(hash)
    return isMoved ? sum + (stretches[at + 1] ?? 0) : sum
  }, 0)
}
