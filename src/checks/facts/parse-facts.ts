// Parses facts that were written to a file. The file may be damaged, or written by anyone who may write there, so
// everything that is not exactly a fact is refused.

import type { DataFacts } from './data-facts.ts'
import type {
  CodeBlock,
  Frontmatter,
  PageEntry,
  PageFacts,
  PageHeading,
  PageInclude,
  PageLink,
  PageTerms,
  PageText,
  RstFacts,
} from './page-facts.ts'
import type { Problem } from '../../docs-syntax/page.ts'

type Check = (value: unknown) => boolean
type Guard<Kind> = (value: unknown) => value is Kind
/** Names all fields, so a new one cannot be forgotten. */
type Fields<Kind> = { readonly [Name in keyof Required<Kind>]: Check }

const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const number: Check = (value) => Number.isSafeInteger(value)
/** The number of a line, or of things. */
const count: Check = (value) => number(value) && Number(value) >= 0
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const textsByName: Check = (value) => isPlainObject(value) && Object.values(value).every(text)
const listsByName: Check = (value) => isPlainObject(value) && Object.values(value).every(listOf(text))

const packedTerms: Check = (value) => text(value) && /^(?:-?\d+ [^;]+(?:;|$))*$/.test(String(value))

const problem = objectOf<Problem>({ line: count, message: text })
const pageFacts = objectOf<PageFacts>({
  problem: orNull(problem),
  openFence: orNull(count),
  frontmatter: orNull(
    objectOf<Frontmatter>({
      line: count,
      problem: orNull(problem),
      names: listOf(text),
      strings: textsByName,
      lists: listsByName,
    }),
  ),
  links: listOf(
    objectOf<PageLink>({
      kind: oneOf('link', 'image', 'import', 'doc', 'ref', 'any', 'file', 'include'),
      url: text,
      line: count,
    }),
  ),
  includes: listOf(
    objectOf<PageInclude>({
      style: oneOf('braces', 'snippets', 'arrows', 'directive', 'elements'),
      url: text,
      line: count,
    }),
  ),
  headings: listOf(objectOf<PageHeading>({ text, line: count })),
  ids: listOf(text),
  titles: listOf(text),
  rst: orNull(
    objectOf<RstFacts>({
      labels: listOf(text),
      entries: listOf(objectOf<PageEntry>({ name: text, isGlob: flag, line: count, start: count, end: count })),
      objects: listOf(text),
      described: listOf(text),
    }),
  ),
  isOpen: flag,
  text: orNull(
    objectOf<PageText>({
      words: count,
      whole: number,
      stretches: listOf(number),
      code: listOf(objectOf<CodeBlock>({ first: text, hash: number, lines: count })),
    }),
  ),
  terms: objectOf<PageTerms>({
    inline: packedTerms,
    blocks: packedTerms,
    prose: packedTerms,
    operations: listOf((value) => text(value) && /^\d+ [A-Z]+ \//.test(String(value))),
  }),
})
const dataFacts = objectOf<DataFacts>({
  problem: orNull(problem),
  references: listOf(objectOf<DataFacts['references'][number]>({ url: text, line: count })),
  pointers: listOf(text),
})

/** Undefined: the text is not the JSON of such facts. */
export function parsePageFacts(json: string): PageFacts | undefined {
  return parse(json, pageFacts)
}

/** Undefined: the text is not the JSON of such facts. */
export function parseDataFacts(json: string): DataFacts | undefined {
  return parse(json, dataFacts)
}

function parse<Kind>(json: string, isKind: Guard<Kind>): Kind | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isKind(value) ? value : undefined
  } catch {
    return undefined
  }
}

function objectOf<Kind>(fields: Fields<Kind>): Guard<Kind> {
  const checks = Object.entries<Check>(fields)
  return (value): value is Kind =>
    isPlainObject(value) &&
    Object.keys(value).length === checks.length &&
    checks.every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
