// Reads lists of one project on GitLab whole.

import type { z } from 'zod'
import { readWhole } from '../../merging/checks.ts'
import type { Known } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import type { GitLab } from '../gitlab.ts'

export const pageSize = 100

type Reading = { readonly what: string; readonly signal: AbortSignal }

export function readPages<Row>(
  gitlab: GitLab,
  place: string,
  schema: z.ZodType<readonly Row[]>,
  { what, signal }: Reading,
): Promise<Known<readonly Row[]>> {
  return readWhole(what, async (page) => {
    const reply = await ask(gitlab, { place, query: { per_page: pageSize, page } }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const rows = parseReply(reply, schema, gitlab.asked.read)
    return { rows, next: rows.length === pageSize }
  })
}

type Asking = { readonly place: string; readonly query?: Readonly<Record<string, number>> }

export function ask({ client, project }: GitLab, { place, query = {} }: Asking, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${project}/${place}`, query }, signal)
}
