// Reads a page of reStructuredText, as docutils and Sphinx do, into the ranges that a page of Markdown has too, and into
// what only Sphinx has: toctrees, labels, fields. Takes linear time for any text, never throws, and runs no directive.

import type { MarkdownPage, Prose } from '../page.ts'
import { readBody } from './body.ts'
import { normaliseName } from './ids.ts'
import {
  type RstField,
  type RstLabel,
  type RstState,
  type Toctree,
  createState,
  settleLabels,
  splitLines,
} from './state.ts'
import type { Range } from '../text.ts'

export type RstPage = MarkdownPage & {
  readonly labels: readonly RstLabel[]
  readonly toctrees: readonly Toctree[]
  /** The fields at the start of the page (`:orphan:`), which readers do not see. */
  readonly fields: readonly RstField[]
  /** Parts that a condition of the build shows or hides (`only`, `ifconfig`). */
  readonly conditional: readonly Range[]
  /** How often roles that name neither a document nor a label occur, with what they name ('' for no role). */
  readonly roles: ReadonlyMap<string, number>
  readonly directives: ReadonlyMap<string, number>
}

export function readRst(source: string): RstPage {
  const state = createState(source, readBody)
  state.readBody(state, splitLines(source), { depth: 0, titles: true, cell: false })
  settleLabels(state)
  return toPage(state)
}

export function readToctrees(source: string): readonly Toctree[] {
  return readRst(source).toctrees
}

function toPage(state: RstState): RstPage {
  const { headings, labels, toctrees, fields, conditional, roles, directives } = state
  const inOrder = <T extends Range>(ranges: readonly T[]): T[] => ranges.toSorted((a, b) => a.start - b.start)
  return {
    syntax: 'rst',
    problem: undefined,
    frontmatter: undefined,
    prose: inOrder([...state.prose, ...namesInProse(state)]),
    code: inOrder(state.code),
    links: inOrder(state.links),
    references: inOrder(
      state.references.map(({ start, end, identifier, label }) => ({ start, end, identifier, label })),
    ),
    headings,
    ids: state.ids,
    labels,
    toctrees,
    fields,
    conditional,
    roles,
    directives,
  }
}

/**
 * The text of a reference is the name of its target too. It is prose if the target is an address on this page, with the
 * same spelling, or a heading, whose text is prose itself; and if no reference to it is a single word without quotes.
 */
function namesInProse({ source, links, headings, references }: RstState): Prose[] {
  const headingNames = new Set(headings.map(({ text }) => normaliseName(text)))
  const definitions = Map.groupBy(links, ({ kind, identifier }) => (kind === 'definition' ? identifier : undefined))
  const groups = Map.groupBy(references, ({ identifier }) => identifier)
  return [...groups].flatMap(([identifier, uses]) => {
    const targets = identifier.startsWith('__') ? [] : (definitions.get(identifier) ?? [])
    const names = targets.flatMap(({ whole }) => nameRange(source, whole))
    const written = new Set(
      [...uses.map(({ label }) => label), ...names].map(({ start, end }) => source.slice(start, end)),
    )
    const [only = ''] = written
    const isNamed = names.length > 0 || headingNames.has(identifier)
    if (!isNamed || written.size !== 1 || /[`\\\n]/.test(only) || uses.some(({ isSimple }) => isSimple)) return []
    return [...uses.map(({ label }) => label), ...names].map(({ start, end }) => ({
      start,
      end,
      kind: 'label' as const,
    }))
  })
}

function nameRange(source: string, { start, end }: Range): Range[] {
  const found = /^\.\.[ \t]+_(`?)([^`:\n]{1,300})\1:/.exec(source.slice(start, Math.min(end, start + 320)))
  if (!found) return []
  const from = start + found[0].length - 1 - (found[1]?.length ?? 0) - (found[2]?.length ?? 0)
  return [{ start: from, end: from + (found[2]?.length ?? 0) }]
}
