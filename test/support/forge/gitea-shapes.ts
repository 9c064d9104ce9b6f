// Repositories, pull requests, people and labels, as the loopback Gitea shows them. Forgejo shows the same.

import type { PullRequest as ForgejoPullRequest, Repository as ForgejoRepository } from 'forgejo-js'
import type { Label, PullRequest, Repository, User } from 'gitea-js'
import { type Fork, forkId } from './fork.ts'
import { type Pull, type Token, type World, idOf, repositoryId } from './world.ts'

export function shapeFork(world: World, web: string, fork: Fork) {
  const parent = { ...shapeRepository(world, web), id: fork.parentId }
  const [owner = '', name = ''] = fork.path.split('/')
  const empty = fork.copying-- > 0
  return {
    ...parent,
    id: forkId,
    name,
    full_name: fork.path,
    owner: shapeUser(owner, web),
    fork: true,
    private: fork.isPrivate,
    empty,
    parent,
  }
}

export function shapeUser(login: string, web: string) {
  const id = idOf(login) + 1
  return { id, login, full_name: '', email: `${login}@example.com`, html_url: `${web}/${login}` } satisfies User
}

export function shapeLabel(world: World, name: string) {
  return { id: world.labels.indexOf(name) + 1, name, color: '00aabb' } satisfies Label
}

export function shapeRepository(world: World, web: string, token?: Token) {
  const [owner = '', name = ''] = world.path.split('/')
  return {
    id: repositoryId,
    name,
    full_name: world.path,
    owner: shapeUser(owner, web),
    private: world.switches.isPrivate,
    archived: world.switches.isArchived,
    empty: world.isEmpty(),
    default_branch: world.defaultBranch(),
    default_merge_style: 'squash',
    has_pull_requests: true,
    html_url: `${web}/${world.path}`,
    clone_url: `${web}/${world.path}.git`,
    permissions: { admin: false, push: token?.rights.has('push') ?? false, pull: true },
  } satisfies Repository & ForgejoRepository
}

export function shapePull(world: World, web: string, pull: Pull) {
  const repo = shapeRepository(world, web)
  const isMerged = pull.state === 'merged'
  const dates = { created_at: pull.createdAt, updated_at: pull.updatedAt }
  const merge = isMerged ? { merged_at: pull.mergedAt ?? '', merge_commit_sha: pull.mergeCommit ?? '' } : {}
  const base = world.heads().get(pull.base) ?? ''
  const headRepository = pull.fork ? { ...repo, id: repositoryId + 1, full_name: `${pull.fork}/docs` } : repo
  return {
    id: 90_000 + pull.number,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state === 'open' ? ('open' as const) : ('closed' as const),
    draft: pull.draft,
    is_locked: pull.isLocked,
    user: shapeUser(pull.author, web),
    html_url: `${web}/${world.path}/pulls/${pull.number}`,
    ...dates,
    merged: isMerged,
    ...merge,
    comments: world.remarks.of(pull.number, 'comment').length,
    mergeable: pull.state === 'open' && world.mergeable(pull) === true,
    labels: pull.labels.map((name) => shapeLabel(world, name)),
    requested_reviewers: pull.reviewers.map((name) => shapeUser(name, web)),
    assignees: pull.assignees.map((name) => shapeUser(name, web)),
    base: { label: pull.base, ref: pull.base, sha: base, repo_id: repositoryId, repo },
    head: { label: pull.branch, ...headOf(world, pull), repo_id: headRepository.id, repo: headRepository },
  } satisfies PullRequest & ForgejoPullRequest
}

/** The head is that of the branch as long as there is one, also after the pull request has ended. */
function headOf(world: World, { branch, fork, head, number }: Pull) {
  const now = fork ? head : world.heads().get(branch)
  return now === undefined ? { ref: `refs/pull/${number}/head`, sha: head } : { ref: branch, sha: now }
}
