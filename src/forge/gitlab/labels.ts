// Sets labels and reviewers of a merge request. GitLab silently drops what it does not accept, so the response is compared
// with the request.

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
  const found = new Map<string, number>()
  for (const name of reviewers) {
    const id = await findPerson(gitlab, name, signal)
    if (id !== undefined) found.set(name, id)
  }
  if (found.size === 0) return reviewers
  const { reviewers: before = [] } = await readMergeRequest(gitlab, number, signal)
  const ids = new Set([...before.map(({ id }) => id), ...found.values()])
  const row = await edit(gitlab, number, { reviewer_ids: [...ids] }, signal)
  const asked = new Set((row.reviewers ?? []).map(({ id }) => id))
  return reviewers.filter((name) => !asked.has(found.get(name) ?? 0))
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
