// The replies of the loopback Bitbucket. Commits of pull requests have 12 digits; lists of them leave people out.

import { createHash } from 'node:crypto'
import { Refusal } from '../routes.ts'
import { type Pull, type World, people } from '../world.ts'

export const refuse = (status: number, message: string, more: Readonly<Record<string, unknown>> = {}): Refusal =>
  new Refusal(status, { type: 'error', error: { message, ...more } })

/** A person's ids on Bitbucket: `{uuid}`, and the one of the Atlassian account. */
export function idsOf(login: string): { readonly uuid: string; readonly account_id: string } {
  const digits = createHash('sha256').update(login).digest('hex')
  const uuid = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ]
  return { uuid: `{${uuid.join('-')}}`, account_id: digits.slice(32, 56) }
}

/** The members of the workspace. */
export function personOf(given: Readonly<Record<string, unknown>>): string | undefined {
  return ['ada', 'grace'].find((login) => {
    const { uuid, account_id: id } = idsOf(login)
    return given['uuid'] === uuid || given['account_id'] === id
  })
}

export function shapeUser(login: string, web: string) {
  const isPerson = (people as readonly string[]).indexOf(login) < 3
  const links = { avatar: { href: `${web}/avatar` } }
  return { type: isPerson ? 'user' : 'app_user', ...idsOf(login), display_name: login, nickname: login, links }
}

export function shapeRepository(path: string, web: string) {
  const [, slug = ''] = path.split('/')
  return {
    type: 'repository',
    uuid: idsOf(path).uuid,
    full_name: path,
    name: slug,
    is_private: true,
    mainbranch: { type: 'branch', name: 'main' },
    links: { html: { href: `${web}/${path}` } },
  }
}

export function shapeBranch(name: string, hash: string) {
  return { type: 'branch', name, target: { type: 'commit', hash } }
}

export function stateOf({ state }: Pull): 'OPEN' | 'MERGED' | 'DECLINED' {
  return ({ open: 'OPEN', merged: 'MERGED', closed: 'DECLINED' } as const)[state]
}

export function shapePull(world: World, web: string, pull: Pull, isListed: boolean) {
  const [, slug = ''] = world.path.split('/')
  const base = world.heads().get(pull.base) ?? pull.mergeCommit ?? pull.baseHead
  const end = (path: string, branch: string, commit: string) => ({
    repository: shapeRepository(path, web),
    branch: { name: branch },
    commit: { hash: commit.slice(0, 12) },
  })
  return {
    type: 'pullrequest',
    id: pull.number,
    title: pull.title,
    description: pull.body,
    state: stateOf(pull),
    draft: pull.draft,
    author: shapeUser(pull.author, web),
    source: end(pull.fork === null ? world.path : `${pull.fork}/${slug}`, pull.branch, pull.head),
    destination: end(world.path, pull.base, base),
    ...(pull.mergeCommit === null ? {} : { merge_commit: { hash: pull.mergeCommit.slice(0, 12) } }),
    close_source_branch: false,
    created_on: precise(pull.createdAt),
    updated_on: precise(pull.updatedAt),
    links: { html: { href: `${web}/${world.path}/pull-requests/${pull.number}` } },
    ...(isListed ? {} : { reviewers: pull.reviewers.map((login) => shapeUser(login, web)), participants: [] }),
  }
}

/** `2026-11-20T10:00:00.123456+00:00` */
function precise(date: string): string {
  return date.replace('Z', '.123456+00:00')
}
