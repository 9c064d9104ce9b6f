// The whole id of the head of a pull request, of which Bitbucket shows 12 digits.

import { z } from 'zod'
import { isStatus, parseReply } from '../parse.ts'
import { oid } from '../reply/shapes.ts'
import type { Bitbucket } from './bitbucket.ts'

const commitSchema = z.object({ hash: oid })

/** Empty: Bitbucket does not have the commit, as of a fork that was deleted. */
export async function readHead({ client, path, asked }: Bitbucket, hash: string, signal: AbortSignal): Promise<string> {
  if (hash === '' || oid.safeParse(hash).success) return hash
  const reply = await client.ask({ method: 'GET', path: `${path}/commit/${hash}` }, signal)
  return isStatus(reply, 404) ? '' : parseReply(reply, commitSchema, asked.read).hash
}
