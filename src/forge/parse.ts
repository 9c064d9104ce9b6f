// Checks what a forge responded. Whatever is not as documented is an unavailable forge, and never a value that is
// missing in the database later.

import type { z } from 'zod'
import type { Reply } from './client.ts'
import { type Asked, failureOf, unreadable } from './errors.ts'

/** The content of a successful response. Throws the failure that every other reply means. */
export function parseReply<T>(reply: Reply, schema: z.ZodType<T>, asked: Asked): T {
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked)
  const parsed = schema.safeParse(reply.body)
  if (!parsed.success) throw unreadable(asked)
  return parsed.data
}
