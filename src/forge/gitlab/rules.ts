// Reads GitLab's push rules, which paid plans have. They are shown to maintainers only.

import { z } from 'zod'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import type { JudgedText, PushRule } from '../rules/rule.ts'
import type { GitLab } from './gitlab.ts'

const pattern = text(5_000).nullish()
const flag = z.boolean().nullish()
const rulesSchema = z
  .object({
    commit_message_regex: pattern,
    commit_message_negative_regex: pattern,
    branch_name_regex: pattern,
    author_email_regex: pattern,
    commit_committer_check: flag,
    commit_committer_name_check: flag,
    reject_unsigned_commits: flag,
    reject_non_dco_commits: flag,
    member_check: flag,
  })
  .nullable()
const userSchema = z.object({
  name: text(300),
  email: text(300).nullish(),
  commit_email: text(300).nullish(),
  public_email: text(300).nullish(),
})

/** Returns no rules where GitLab does not show them. */
export async function readGitLabRules(gitlab: GitLab, signal: AbortSignal): Promise<readonly PushRule[]> {
  const { client, project, asked } = gitlab
  const reply = await client.ask({ method: 'GET', path: `${project}/push_rule` }, signal)
  if (isStatus(reply, 401, 403, 404)) return []
  const found = parseReply(reply, rulesSchema, asked.read)
  if (found === null) return []
  const emails = found.author_email_regex
  return [
    ...textRule('message', found.commit_message_regex),
    ...textRule('message', found.commit_message_negative_regex, true),
    ...textRule('branch', found.branch_name_regex),
    ...textRule('authorEmail', emails),
    ...textRule('committerEmail', emails),
    ...(found.reject_unsigned_commits ? [{ kind: 'signature' } as const] : []),
    ...(found.reject_non_dco_commits ? [{ kind: 'signOff' } as const] : []),
    ...(found.member_check ? [{ kind: 'unknown', words: 'the author must be a user of GitLab' } as const] : []),
    ...(await committerRules(gitlab, found, signal)),
  ]
}

/** GitLab lets `^` and `$` match at the lines of a message. */
function textRule(of: JudgedText, pattern: string | null | undefined, isNegated = false): readonly PushRule[] {
  if (!pattern) return []
  return [{ kind: 'text', of, operator: 'regex', pattern, isNegated, isMultiline: of === 'message' }]
}

async function committerRules(
  { client, asked }: GitLab,
  found: NonNullable<z.infer<typeof rulesSchema>>,
  signal: AbortSignal,
): Promise<readonly PushRule[]> {
  if (!found.commit_committer_check && !found.commit_committer_name_check) return []
  const reply = await client.ask({ method: 'GET', path: '/user' }, signal)
  if (isStatus(reply, 403, 404)) return [{ kind: 'unknown', words: 'the committer must be the account of the token' }]
  const user = parseReply(reply, userSchema, asked.read)
  const emails = [user.commit_email, user.email, user.public_email].flatMap((email) => email || [])
  const [email] = emails
  const person = email === undefined ? null : { name: user.name, email }
  return [
    ...(found.commit_committer_check
      ? [{ kind: 'person', of: 'committerEmail', accepted: [...new Set(emails)], person } as const]
      : []),
    ...(found.commit_committer_name_check
      ? [{ kind: 'person', of: 'committerName', accepted: [user.name], person } as const]
      : []),
  ]
}
