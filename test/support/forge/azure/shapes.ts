// The replies of the loopback Azure DevOps. Lists cut descriptions.

import { createHash } from 'node:crypto'
import { type Call, Refusal } from '../routes.ts'
import type { Pull, World } from '../world.ts'

export const refuse = (status: number, message: string, typeKey = 'VssServiceException'): Refusal =>
  new Refusal(status, { $id: '1', innerException: null, message, typeKey, errorCode: 0, eventId: 3000 })

/** The id of a person's identity, or of anything else with a name. */
export function idOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)]
  return [...parts, digits.slice(20, 32)].join('-')
}

/** The members of the organization. */
export function personOf(id: string): string | undefined {
  return ['ada', 'grace'].find((login) => idOf(login) === id)
}

export function shapePerson(login: string) {
  const descriptor = `${login === 'docs-bot' ? 'svc' : 'aad'}.${idOf(login)}`
  return { id: idOf(login), displayName: login, uniqueName: `${login}@acme.example`, descriptor }
}

export function shapeLabel(name: string) {
  return { id: idOf(name), name, active: true }
}

/** `path`: `organization/project/_git/repository` */
export function shapeRepository({ path, switches }: World, web: string) {
  const [, project = '', , name = ''] = path.split('/')
  return {
    id: idOf(path),
    name,
    project: { id: idOf(project), name: project, state: 'wellFormed', visibility: 'private' },
    defaultBranch: 'refs/heads/main',
    isDisabled: switches.isArchived,
    remoteUrl: `${web}/${encodeURI(path)}`,
  }
}

/** Everybody who may push has done so a day ago. */
export function shapePushes(world: World, { query }: Pick<Call, 'query'>) {
  const id = query.get('searchCriteria.pusherId') ?? ''
  const login = [...world.remarks.writers].find((one) => idOf(one) === id)
  world.remarks.asked.push(login ?? id)
  const date = new Date(world.now() - 86_400_000).toISOString()
  if (login === undefined || date < (query.get('searchCriteria.fromDate') ?? '')) return []
  return [{ pushId: 1, pushedBy: shapePerson(login), date }]
}

export function statusOf({ state }: Pull): 'active' | 'abandoned' | 'completed' {
  return ({ open: 'active', closed: 'abandoned', merged: 'completed' } as const)[state]
}

/** The votes of reviewers, and of people who have an opinion. */
function votersOf(world: World, pull: Pull) {
  const votes: Readonly<Record<string, number>> = { APPROVED: 10, CHANGES_REQUESTED: -5 }
  const opinions = new Map(world.remarks.opinions(pull.number).map(({ login, state }) => [login, votes[state] ?? 0]))
  const logins = new Set([...pull.reviewers, ...opinions.keys()])
  return [...logins].map((login) => ({ ...shapePerson(login), vote: opinions.get(login) ?? 0 }))
}

function mergeStatusOf(world: World, pull: Pull): string {
  const isMergeable = pull.state === 'open' ? world.mergeable(pull) : true
  if (isMergeable === undefined) return 'queued'
  return isMergeable ? 'succeeded' : 'conflicts'
}

const mostListed = 400

export function shapePull(world: World, web: string, pull: Pull, isListed: boolean) {
  const description = isListed ? pull.body.slice(0, mostListed) : pull.body
  const ended = { open: null, closed: pull.updatedAt, merged: pull.mergedAt }[pull.state]
  return {
    pullRequestId: pull.number,
    status: statusOf(pull),
    title: pull.title,
    ...(description === '' ? {} : { description }),
    isDraft: pull.draft,
    createdBy: shapePerson(pull.author),
    creationDate: precise(pull.createdAt),
    ...(ended === null ? {} : { closedDate: precise(ended) }),
    sourceRefName: `refs/heads/${pull.branch}`,
    targetRefName: `refs/heads/${pull.base}`,
    mergeStatus: mergeStatusOf(world, pull),
    lastMergeSourceCommit: { commitId: pull.head },
    repository: shapeRepository(world, web),
    reviewers: votersOf(world, pull),
    ...(pull.labels.length === 0 ? {} : { labels: pull.labels.map(shapeLabel) }),
    ...(pull.fork === null
      ? {}
      : { forkSource: { name: `refs/heads/${pull.branch}`, repository: { name: pull.fork } } }),
  }
}

/** `2026-11-20T10:00:00.1234567Z` */
export function precise(date: string): string {
  return date.replace('Z', '.1234567Z')
}
