// Shared by the readers of pull requests and issues: how an address names one, a request for what may be missing, and cleaning
// of texts.

import type { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import { isStatus, parseReply } from '../parse.ts'
import { bodyText } from '../reply/shapes.ts'
import type { Discussion, DiscussionKey, Discussions, Remark } from './discussion.ts'

/** The most remarks of each kind that are read. */
export const mostRemarks = 50

/**
 * `pages`: what comes after the address of the repository, with the number as its only group. Forges take the path of a
 * repository in any case.
 */
export function createKeyOf(
  { webUrl, path }: { readonly webUrl: string; readonly path: string },
  pages: Readonly<Partial<Record<DiscussionKey['kind'], RegExp>>>,
): Discussions['keyOf'] {
  const start = `${webUrl}/${path}/`.toLowerCase()
  return ({ origin, pathname, search }) => {
    const address = origin + pathname
    if (search !== '' || !address.toLowerCase().startsWith(start)) return undefined
    for (const kind of ['pull', 'issue'] as const) {
      const number = Number(pages[kind]?.exec(address.slice(start.length))?.[1])
      if (number > 0 && number <= 2_147_483_647) return { kind, number }
    }
    return undefined
  }
}

type Reading<T> = {
  readonly client: ForgeClient
  readonly asked: Asked
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly schema: z.ZodType<T>
}

/** Returns undefined for what is not there, or not for this credential. */
export async function readOptional<T>(reading: Reading<T>, signal: AbortSignal): Promise<T | undefined> {
  const { client, path, query = {}, schema, asked } = reading
  const reply = await client.ask({ method: 'GET', path, query }, signal)
  return isStatus(reply, 403, 404, 410) ? undefined : parseReply(reply, schema, asked)
}

type Shown = {
  readonly title: string
  readonly state: string
  readonly author: string | null | undefined
  readonly body?: string | null | undefined
}

/** Cleans the texts of a discussion. `remarks`: of each list that was read. */
export function toDiscussion(key: DiscussionKey, shown: Shown, remarks: readonly (readonly Remark[])[]): Discussion {
  return {
    ...key,
    title: plainText(shown.title),
    state: plainText(shown.state.toLowerCase()),
    author: nameOf(shown.author),
    body: bodyText(shown.body),
    remarks: remarks.flat().toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    isWhole: remarks.every(({ length }) => length < mostRemarks),
  }
}

/** `on`: the file and the line. */
export function toRemark(
  author: string | null | undefined,
  at: string,
  text: string | null | undefined,
  on: { readonly path?: string | null | undefined; readonly line?: number | null | undefined } = {},
): Remark {
  const path = on.path == null ? null : plainText(on.path)
  return { author: nameOf(author), at, text: bodyText(text), path, line: on.line ?? null }
}

function nameOf(name: string | null | undefined): string | null {
  return name == null || name === '' ? null : plainText(name)
}
