// Sets labels, reviewers, assignees and the milestone of a pull request on Gitea, which requires the ids of labels and
// milestones, and the names of people.

import { z } from 'zod'
import { failureOf } from '../errors.ts'
import { isStatus, parseReply } from '../parse.ts'
import { refusedOf } from '../reply/refused.ts'
import { text } from '../reply/shapes.ts'
import type { Gitea } from './gitea.ts'

const labelsSchema = z.array(z.object({ id: z.int().positive(), name: text(1_000) }))
const pageSize = 50
const mostPages = 20

/** Uses existing labels of the repository only. Docent creates no labels. */
export async function addLabels(
  gitea: Gitea,
  number: number,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { client, path, asked } = gitea
  const known = await readLabels(gitea, signal)
  const ids = labels.flatMap((label) => known.get(label.toLowerCase()) ?? [])
  if (ids.length === 0) return labels
  const request = { method: 'POST', path: `${path}/issues/${number}/labels`, body: { labels: ids } } as const
  const reply = await client.ask(request, signal)
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked.pullRequests)
  return labels.filter((label) => !known.has(label.toLowerCase()))
}

async function readLabels(gitea: Gitea, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const { client, path, asked } = gitea
  const known = new Map<string, number>()
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { limit: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/labels`, query }, signal)
    const rows = parseReply(reply, labelsSchema, asked.pullRequests)
    for (const { id, name } of rows) known.set(name.toLowerCase(), id)
    if (rows.length === 0) break
  }
  return known
}

/** `org/team` requests a team. */
export async function requestReviewers(
  gitea: Gitea,
  number: number,
  reviewers: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { client, path, asked } = gitea
  return await refusedOf(reviewers, async (names) => {
    const teams = names.filter((name) => name.includes('/'))
    const body = {
      reviewers: names.filter((name) => !name.includes('/')),
      team_reviewers: teams.map((name) => name.slice(name.lastIndexOf('/') + 1)),
    }
    const request = { method: 'POST', path: `${path}/pulls/${number}/requested_reviewers`, body } as const
    const reply = await client.ask(request, signal)
    if (isStatus(reply, 403, 404, 422)) return true
    if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked.pullRequests)
    return false
  })
}

const peopleSchema = z.array(z.object({ login: text(300) }))

/** Gitea replaces the assignees, and refuses all for one that it does not accept. */
export async function assign(
  gitea: Gitea,
  number: number,
  accounts: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { client, path, asked } = gitea
  const found = await client.ask({ method: 'GET', path: `${path}/assignees` }, signal)
  if (isStatus(found, 403, 404)) return accounts
  const possible = new Map(
    parseReply(found, peopleSchema, asked.pullRequests).map(({ login }) => [login.toLowerCase(), login]),
  )
  const accepted = accounts.filter((name) => possible.has(name.toLowerCase()))
  if (accepted.length === 0) return accounts
  const read = await client.ask({ method: 'GET', path: `${path}/pulls/${number}` }, signal)
  const { assignees } = parseReply(read, z.object({ assignees: peopleSchema.nullish() }), asked.pullRequests)
  const before = (assignees ?? []).map(({ login }) => login)
  const body = { assignees: [...new Set([...before, ...accepted.map((name) => possible.get(name.toLowerCase()))])] }
  const reply = await client.ask({ method: 'PATCH', path: `${path}/pulls/${number}`, body }, signal)
  if (isStatus(reply, 403, 404, 422)) return accounts
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked.pullRequests)
  return accounts.filter((name) => !accepted.includes(name))
}

const milestonesSchema = z.array(z.object({ id: z.int().positive(), title: text(10_000) }))

/** Returns false if there is no open milestone of this title. */
export async function setMilestone(gitea: Gitea, number: number, title: string, signal: AbortSignal): Promise<boolean> {
  const { client, path, asked } = gitea
  const query = { state: 'open', name: title, limit: pageSize }
  const found = await client.ask({ method: 'GET', path: `${path}/milestones`, query }, signal)
  if (isStatus(found, 403, 404)) return false
  const one = parseReply(found, milestonesSchema, asked.pullRequests).find((row) => row.title === title)
  if (!one) return false
  const body = { milestone: one.id }
  const reply = await client.ask({ method: 'PATCH', path: `${path}/pulls/${number}`, body }, signal)
  if (isStatus(reply, 403, 404, 422)) return false
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked.pullRequests)
  return true
}
