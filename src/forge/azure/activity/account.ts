// The account of the token. The part of the API that tells has stayed a preview for years, so it may be refused.

import { z } from 'zod'
import { failureOf } from '../../errors.ts'
import { text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'

const name = text(300).nullish()
const connectionSchema = z.object({
  authenticatedUser: z.object({ id: text(100), customDisplayName: name, providerDisplayName: name }).nullish(),
})

export type Account = { readonly id: string; readonly name: string }

/** Null: the token may not ask, or the preview has changed. Throws what may pass. */
export async function readAccount({ client, located, asked }: Azure, signal: AbortSignal): Promise<Account | null> {
  const query = { 'api-version': '7.1-preview.1' }
  const path = `${located.root}/_apis/connectionData`
  const reply = await client.ask({ method: 'GET', path, query }, signal)
  if (reply.kind !== 'response') throw failureOf(reply, asked.read)
  const user = reply.status === 200 ? connectionSchema.safeParse(reply.body).data?.authenticatedUser : undefined
  const shown = user?.customDisplayName ?? user?.providerDisplayName
  return user && shown ? { id: user.id.toLowerCase(), name: shown } : null
}
