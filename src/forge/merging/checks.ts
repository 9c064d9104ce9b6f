// Reads lists of a host whole: one that the credential may not read, or that has too many pages, is unknown.

import { plainText, shorten } from '../../lib/plain-text.ts'
import { type CheckFailure, type CheckState, type ForgeCheck, type Known, known, unknown } from './merging.ts'

const mostNameCharacters = 100

/** `failure`: only of a check that is red. */
export function checkOf(name: string, state: CheckState, failure?: CheckFailure): ForgeCheck {
  return { name: lineOf(name, mostNameCharacters), state, ...(failure && { failure }) }
}

const mostDescription = 500

type Failed = Pick<CheckFailure, 'readLog'> & {
  readonly description: string | null | undefined
  /** As the host has it: those of other services lead elsewhere. */
  readonly link: string | null | undefined
}

export function failureFrom({ description, link, readLog }: Failed): CheckFailure {
  const url = URL.parse(link ?? '')
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return { description: lineOf(description ?? '', mostDescription), link: isPage ? url.href : null, readLog }
}

export const hasNoLog = (): Promise<undefined> => Promise.resolve(undefined)

function lineOf(text: string, characters: number): string {
  return shorten(plainText(text).replaceAll(/\s+/g, ' ').trim(), characters)
}

const mostPages = 10

/** `next`: whether the host has more. Undefined: the credential may not read the list. */
export type ListPage<Row> = { readonly rows: readonly Row[]; readonly next: boolean }

/** Reads the pages 1, 2, …. `what`: such as `the checks of the commit`. */
export async function readWhole<Row>(
  what: string,
  readPage: (page: number) => Promise<ListPage<Row> | undefined>,
): Promise<Known<readonly Row[]>> {
  const found: Row[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const read = await readPage(page)
    if (!read) return unknown(`The credential may not read ${what}.`)
    found.push(...read.rows)
    if (!read.next) return known(found)
  }
  return unknown(`There are more of ${what} than are read.`)
}

/** Known only if both are. */
export function together(
  one: Known<readonly ForgeCheck[]>,
  other: Known<readonly ForgeCheck[]>,
): Known<readonly ForgeCheck[]> {
  if (one.kind === 'unknown') return one
  return other.kind === 'unknown' ? other : known([...one.value, ...other.value])
}

export function mapKnown<From, To>(given: Known<From>, to: (value: From) => To): Known<To> {
  return given.kind === 'unknown' ? given : known(to(given.value))
}
