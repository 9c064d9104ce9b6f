// Reads the branch protections of Gitea and Forgejo that match a branch. They are shown to administrators of the repository
// only.

import { z } from 'zod'
import { compilePattern } from '../../lib/push-rules/re2.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import type { PushRule } from '../rules/rule.ts'
import type { Gitea } from './gitea.ts'

const protectionSchema = z.object({
  rule_name: text(1_000).optional(),
  branch_name: text(1_000).optional(),
  enable_push: z.boolean().optional(),
  enable_push_whitelist: z.boolean().optional(),
  push_whitelist_usernames: z.array(text(300)).nullish(),
  push_whitelist_teams: z.array(text(300)).nullish(),
  require_signed_commits: z.boolean().optional(),
})
const userSchema = z.object({ login: text(300) })

/** Returns no rules where Gitea does not show them. */
export async function readGiteaRules(gitea: Gitea, branch: string, signal: AbortSignal): Promise<readonly PushRule[]> {
  const { client, path, asked } = gitea
  const reply = await client.ask({ method: 'GET', path: `${path}/branch_protections` }, signal)
  if (isStatus(reply, 403, 404)) return []
  const rows = parseReply(reply, z.array(protectionSchema), asked.read)
  const matches = await Promise.all(rows.map((row) => isOf(row.rule_name || (row.branch_name ?? ''), branch)))
  const protection = rows.find((_, at) => matches[at])
  if (!protection) return []
  const signature = protection.require_signed_commits ? [{ kind: 'signature' } as const] : []
  return [...signature, ...(await pushRules(gitea, protection, signal))]
}

async function pushRules(
  { client, asked }: Gitea,
  protection: z.infer<typeof protectionSchema>,
  signal: AbortSignal,
): Promise<readonly PushRule[]> {
  const name = protection.rule_name ?? protection.branch_name ?? ''
  const words = `the protection \`${name}\` lets nobody push`
  if (protection.enable_push === false) return [{ kind: 'closed', words }]
  if (protection.enable_push_whitelist !== true) return []
  const { login } = parseReply(await client.ask({ method: 'GET', path: '/user' }, signal), userSchema, asked.read)
  if (protection.push_whitelist_usernames?.includes(login)) return []
  const some = `the protection \`${name}\` lets only some accounts push`
  const hasTeams = (protection.push_whitelist_teams ?? []).length > 0
  return [{ kind: hasTeams ? 'unknown' : 'closed', words: some }]
}

/** A star does not cross a slash; two do. */
async function isOf(glob: string, branch: string): Promise<boolean> {
  const pattern = glob
    .replaceAll(/[.+^$(){}|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*{1,2}|\?/g, (sign) => ({ '*': '[^/]*', '**': '.*' })[sign] ?? '[^/]')
  const matches = await compilePattern(`^${pattern}$`)
  return matches?.(branch) ?? false
}
