// The account of an API token. An access token may not ask: it acts for itself.

import { z } from 'zod'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Bitbucket } from '../bitbucket.ts'

const userSchema = z.object({
  uuid: text(100).nullish(),
  account_id: text(200).nullish(),
  nickname: text(300).nullish(),
  display_name: text(300).nullish(),
})

export type Account = {
  readonly name: string | null
  /** Those by which a comment mentions it. */
  readonly ids: readonly string[]
}

/** Null: the token may not ask. */
export async function readAccount({ client, asked }: Bitbucket, signal: AbortSignal): Promise<Account | null> {
  const reply = await client.ask({ method: 'GET', path: '/user' }, signal)
  if (isStatus(reply, 401, 403, 404)) return null
  const { uuid, account_id: id, nickname, display_name: name } = parseReply(reply, userSchema, asked.read)
  return { name: nickname ?? name ?? null, ids: [id, uuid?.replaceAll(/[{}]/g, '')].filter((one) => one != null) }
}
