// Checks what a forge responded. Whatever is not as documented is an unavailable forge, and never a value that is
// missing in the database later.

import type { z } from 'zod'
import type { Reply } from './client.ts'
import { type Asked, failureOf, outcomeOf, unreadable } from './errors.ts'
import type { Created, HostedPull } from './host.ts'

/** The content of a successful response. Throws the failure that every other reply means. */
export function parseReply<T>(reply: Reply, schema: z.ZodType<T>, asked: Asked): T {
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked)
  const parsed = schema.safeParse(reply.body)
  if (!parsed.success) throw unreadable(asked)
  return parsed.data
}

/** Returns the result of opening a pull request, or undefined if it was refused; the caller finds out why. */
export function parseCreated<T>(
  reply: Reply,
  schema: z.ZodType<T>,
  toPull: (row: T) => HostedPull,
): Created | undefined {
  if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
  const outcome = outcomeOf(reply)
  if (outcome === 'exists' || outcome === 'empty') return { kind: outcome }
  if (reply.kind !== 'response' || reply.status >= 300) return undefined
  const made = schema.safeParse(reply.body)
  return made.success ? { kind: 'created', pull: toPull(made.data) } : { kind: 'unknown_effect' }
}

export function isStatus(reply: Reply, ...statuses: readonly number[]): boolean {
  return reply.kind === 'response' && statuses.includes(reply.status)
}
