// Reads a list of one repository on Bitbucket whole.

import { z } from 'zod'
import { readWhole } from '../../merging/checks.ts'
import type { Known } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Bitbucket } from '../bitbucket.ts'

const pageSize = 50

type Listing = { readonly place: string; readonly what: string; readonly signal: AbortSignal }

export function readList<Row>(
  { client, path, asked }: Bitbucket,
  { place, what, signal }: Listing,
  schema: z.ZodType<Row>,
): Promise<Known<readonly Row[]>> {
  const pages = z.object({ values: z.array(schema).max(1_000), next: text(4_000).optional() })
  return readWhole(what, async (page) => {
    const query = { pagelen: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}${place}`, query }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const { values, next } = parseReply(reply, pages, asked.read)
    return { rows: values, next: next !== undefined }
  })
}
