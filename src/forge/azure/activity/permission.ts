// Whether an account may push to a repository on Azure DevOps. It tells only people who may manage permissions what others may do, and
// a token with that right could grant itself anything. So the proof is a push: the list of pushes names the account that signed in.

import { z } from 'zod'
import { isStatus, parseReply } from '../../parse.ts'
import { instant, text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'

/** As old as a proof may be. */
export const mostDays = 30
const dayMs = 86_400_000

const pushesSchema = z.object({
  value: z.array(z.object({ pushedBy: z.object({ id: text(100) }).nullish(), date: instant })).max(1_000),
})

/** Null: it has pushed nothing lately, so nobody knows. */
export async function mayWrite(
  { client, path, asked }: Azure,
  { id, now }: { readonly id: string; readonly now: Date },
  signal: AbortSignal,
): Promise<true | null> {
  const from = new Date(now.getTime() - mostDays * dayMs).toISOString()
  const query = { 'searchCriteria.pusherId': id, 'searchCriteria.fromDate': from, $top: 1 }
  const reply = await client.ask({ method: 'GET', path: `${path}/pushes`, query }, signal)
  if (isStatus(reply, 400, 403, 404)) return null
  const { value } = parseReply(reply, pushesSchema, asked.read)
  const isTheirs = ({ pushedBy, date }: (typeof value)[number]) => pushedBy?.id.toLowerCase() === id && date >= from
  return value.some(isTheirs) ? true : null
}
