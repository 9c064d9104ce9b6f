// Sets labels, reviewers, assignees and the milestone of a merge request. GitLab silently drops what it does not accept, so
// the response is compared with the request.

import { z } from 'zod'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'
import { edit, readMergeRequest } from './requests.ts'

/** GitLab creates labels that do not exist. A name with a comma would become two labels. */
export async function addLabels(
  gitlab: GitLab,
  number: number,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const possible = labels.filter((label) => !label.includes(','))
  if (possible.length === 0) return labels
  const row = await edit(gitlab, number, { add_labels: possible.join(',') }, signal)
  const present = lowerCase(row.labels ?? [])
  return labels.filter((label) => !present.has(label.toLowerCase()))
}

/** Keeps the reviewers that people requested, because the list in the request replaces all reviewers. */
export async function requestReviewers(
  gitlab: GitLab,
  number: number,
  reviewers: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await findPeople(gitlab, reviewers, signal)
  if (found.size === 0) return reviewers
  const { reviewers: before = [] } = await readMergeRequest(gitlab, number, signal)
  const ids = new Set([...before.map(({ id }) => id), ...found.values()])
  const row = await edit(gitlab, number, { reviewer_ids: [...ids] }, signal)
  const asked = new Set((row.reviewers ?? []).map(({ id }) => id))
  return reviewers.filter((name) => !asked.has(found.get(name) ?? 0))
}

/** Like reviewers. Some plans take only one assignee, the first. */
export async function assign(
  gitlab: GitLab,
  number: number,
  accounts: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await findPeople(gitlab, accounts, signal)
  if (found.size === 0) return accounts
  const { assignees: before = [] } = await readMergeRequest(gitlab, number, signal)
  const ids = new Set([...before.map(({ id }) => id), ...found.values()])
  const row = await edit(gitlab, number, { assignee_ids: [...ids] }, signal)
  const assigned = new Set((row.assignees ?? []).map(({ id }) => id))
  return accounts.filter((name) => !assigned.has(found.get(name) ?? 0))
}

const milestonesSchema = z.array(z.object({ id: z.int().positive(), title: text(10_000) }))

/** A milestone of the project or of its groups. */
export async function setMilestone(
  gitlab: GitLab,
  number: number,
  title: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, project, asked } = gitlab
  const query = { title, state: 'active', include_ancestors: 'true' }
  const reply = await client.ask({ method: 'GET', path: `${project}/milestones`, query }, signal)
  if (isStatus(reply, 403, 404)) return false
  const found = parseReply(reply, milestonesSchema, asked.pullRequests).find((one) => one.title === title)
  if (!found) return false
  return (await edit(gitlab, number, { milestone_id: found.id }, signal)).milestone?.id === found.id
}

async function findPeople(gitlab: GitLab, names: readonly string[], signal: AbortSignal) {
  const found = new Map<string, number>()
  for (const name of names) {
    const id = await findPerson(gitlab, name, signal)
    if (id !== undefined) found.set(name, id)
  }
  return found
}

const peopleSchema = z.array(z.object({ id: z.int().positive(), username: text(300) }))

async function findPerson(gitlab: GitLab, username: string, signal: AbortSignal): Promise<number | undefined> {
  const { client, asked } = gitlab
  const reply = await client.ask({ method: 'GET', path: '/users', query: { username } }, signal)
  if (isStatus(reply, 403, 404)) return undefined
  const people = parseReply(reply, peopleSchema, asked.pullRequests)
  return people.find((person) => person.username.toLowerCase() === username.toLowerCase())?.id
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()))
}
