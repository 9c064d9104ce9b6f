// Reads a page of AsciiDoc as ranges: prose, code, links, headings and ids. It is our own reader, line by line, because
// `@asciidoctor/core` gives the lines of blocks and no positions inside them, and takes more than linear time for hostile
// text: 60,000 characters of `[[a,` take 5.4 s in 4.1.0, and 30,000 take 1.4 s. This one follows the code of Asciidoctor
// 2.0, evaluates nothing, never throws, and takes linear time. It does not read `compat-mode`, the macros and blocks of
// extensions, or markup that comes from the values of attributes, except destinations.

import type { Frontmatter, MarkdownPage } from '../page.ts'
import { readYaml } from '../yaml.ts'
import { type SiteAttributes, createAttributes } from './attributes.ts'
import { createBlocks } from './blocks/block-state.ts'
import { readBlocks } from './blocks/blocks.ts'
import { splitLines } from './blocks/lines.ts'
import { readRun } from './inline/read-run.ts'
import { type AsciidocState, createState } from './state.ts'

export type AsciidocPage = MarkdownPage & {
  readonly title: string | undefined
  /** The values at the end of the page, from the page and its site. Null: unset. */
  readonly attributes: ReadonlyMap<string, string | null>
  /**
   * Attributes that the page sets under a condition. With `idprefix`, `idseparator` or `sectids` among them, the slugs of
   * headings without an own id are a guess.
   */
  readonly undecided: ReadonlySet<string>
  /** Text that is there only in some builds: from `ifdef::` to `endif::`. */
  readonly conditionals: readonly { readonly start: number; readonly end: number }[]
}

export function isAsciidocPath(path: string): boolean {
  return /\.(?:adoc|asciidoc|asc)$/i.test(path)
}

/** The attributes that a page sets, as the fields of frontmatter. */
export function toFields({ attributes }: Pick<AsciidocPage, 'attributes'>): {
  readonly strings: Record<string, string>
  readonly lists: Record<string, never>
} {
  const set = [...attributes].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { strings: Object.fromEntries(set), lists: {} }
}

/** `site`: the attributes of `antora.yml` or of a playbook. Without them, destinations keep what only these define. */
export function readAsciidoc(text: string, site?: SiteAttributes): AsciidocPage {
  return toPage(readState(text, site))
}

export function readState(text: string, site?: SiteAttributes): AsciidocState {
  const state = createState(text, createAttributes(site))
  state.frontmatter = readFrontmatter(text)
  const lines = splitLines(text, { start: state.frontmatter?.end ?? 0, end: text.length })
  readBlocks(createBlocks(state, { kind: 'text', depth: 0, header: 'before' }), lines)
  readUsedValues(state)
  return state
}

function toPage(state: AsciidocState): AsciidocPage {
  const { frontmatter, title, headings, ids, conditionals } = state
  const [prose, code, links] = [sorted(state.prose), sorted(state.code), sorted(state.links)]
  const attributes = state.attributes.entries()
  const shownTitle = title ?? attributes.get('doctitle') ?? undefined
  const undecided = state.attributes.undecided()
  const own = { title: shownTitle, attributes, undecided, conditionals: sorted(conditionals) }
  return {
    syntax: 'asciidoc',
    problem: undefined,
    frontmatter,
    prose,
    code,
    links,
    references: [],
    headings,
    ids,
    ...own,
  }
}

/** Generators such as Jekyll put frontmatter before AsciiDoc, too. */
function readFrontmatter(text: string): Frontmatter | undefined {
  const open = /^---[ \t]*\r?\n/.exec(text)?.[0]
  if (open === undefined) return undefined
  const close = /^---[ \t]*$/m
  const found = close.exec(text.slice(open.length))
  if (!found) return undefined
  const body = { start: open.length, end: open.length + found.index }
  const { strings, problem } = readYaml(text.slice(body.start, body.end), body.start)
  return { start: 0, end: body.end + found[0].length, body, kind: 'yaml', strings, problem }
}

/** The value of an attribute is prose if text shows it and no destination has it. */
function readUsedValues(state: AsciidocState): void {
  for (const { name, value } of state.entries) {
    const written = state.source.slice(value.start, value.end)
    const isShown = state.usesInProse.has(name) && !state.usesElsewhere.has(name)
    if (isShown && written !== '' && !/^pass:|:\/\//.test(written))
      readRun(state, { ...value, holes: [], kind: 'text' })
  }
}

function sorted<T extends { readonly start: number }>(ranges: readonly T[]): T[] {
  return ranges.toSorted((a, b) => a.start - b.start)
}
