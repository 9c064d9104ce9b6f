// Reads whether Gitea shows a commit as signed by a known key.

import { z } from 'zod'
import type { Verification } from '../../host.ts'
import { parseReply } from '../../parse.ts'
import { encodePath, text } from '../../reply/shapes.ts'
import type { Gitea } from '../gitea.ts'

const verification = z.object({ verified: z.boolean(), reason: text(300).optional() })
const commitSchema = z.object({ commit: z.object({ verification: verification.nullish() }) })

export async function readVerification(
  { client, path, place: { fork }, asked }: Gitea,
  sha: string,
  signal: AbortSignal,
): Promise<Verification> {
  const reply = await client.ask(
    { method: 'GET', path: `${fork === undefined ? path : `/repos/${encodePath(fork)}`}/git/commits/${sha}` },
    signal,
  )
  const found = parseReply(reply, commitSchema, asked.read).commit.verification
  return { isVerified: found?.verified ?? false, reason: found?.reason ?? 'unsigned' }
}
