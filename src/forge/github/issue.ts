// Sets assignees and the milestone of a pull request, which GitHub keeps with its issues.

import { z } from 'zod'
import { isStatus, parseReply } from '../parse.ts'
import type { GitHub } from './github.ts'

const assignedSchema = z.object({ assignees: z.array(z.object({ login: z.string().max(300) })).max(1_000) })
const milestonesSchema = z.array(z.object({ number: z.int().positive(), title: z.string().max(10_000) }))
const pageSize = 100
const mostPages = 20

/** GitHub silently drops accounts that it does not accept, so the response is compared with the request. */
export async function assign(
  { client, path, asked }: GitHub,
  number: number,
  assignees: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const request = { method: 'POST', path: `${path}/issues/${number}/assignees`, body: { assignees } } as const
  const reply = await client.ask(request, signal)
  if (isStatus(reply, 403, 404, 422)) return assignees
  const { assignees: now } = parseReply(reply, assignedSchema, asked.pullRequests)
  const names = new Set(now.map(({ login }) => login.toLowerCase()))
  return assignees.filter((name) => !names.has(name.toLowerCase()))
}

/** Returns false if there is no open milestone of this title. */
export async function setMilestone(
  github: GitHub,
  number: number,
  title: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, path } = github
  const milestone = await findMilestone(github, title, signal)
  if (milestone === undefined) return false
  const request = { method: 'PATCH', path: `${path}/issues/${number}`, body: { milestone } } as const
  const reply = await client.ask(request, signal)
  if (isStatus(reply, 403, 404, 422)) return false
  parseReply(reply, z.object({}), github.asked.pullRequests)
  return true
}

async function findMilestone({ client, path, asked }: GitHub, title: string, signal: AbortSignal) {
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { state: 'open', per_page: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/milestones`, query }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const rows = parseReply(reply, milestonesSchema, asked.pullRequests)
    const found = rows.find((one) => one.title === title)
    if (found || rows.length < pageSize) return found?.number
  }
  return undefined
}
