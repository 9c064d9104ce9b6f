// Reads whether GitLab shows a commit as signed by a known key.

import { z } from 'zod'
import type { Verification } from '../../host.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'
import { sourceOf } from '../requests.ts'

const signatureSchema = z.object({ verification_status: text(100) })

/** GitLab responds with 404 for a commit without a signature. */
export async function readVerification(gitlab: GitLab, commit: string, signal: AbortSignal): Promise<Verification> {
  const { client, asked } = gitlab
  const path = `${sourceOf(gitlab)}/repository/commits/${commit}/signature`
  const reply = await client.ask({ method: 'GET', path }, signal)
  if (isStatus(reply, 404)) return { isVerified: false, reason: 'unsigned' }
  const { verification_status: reason } = parseReply(reply, signatureSchema, asked.read)
  return { isVerified: reason === 'verified', reason }
}
