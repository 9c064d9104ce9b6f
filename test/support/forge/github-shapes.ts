// The responses of GitHub about a thing: the members that matter; the description fills the others.

import { readCommit } from '../git-objects.ts'
import { type Fork, forkId } from './fork.ts'
import { type Pull, type Token, type World, idOf, repositoryId } from './world.ts'

export type Addresses = { readonly web: string; readonly api: string }

export function shapeUser(login: string, { web, api }: Addresses) {
  return {
    login,
    id: 1000 + idOf(login),
    type: login === 'acme' ? 'Organization' : login.endsWith('[bot]') ? 'Bot' : 'User',
    url: `${api}/users/${encodeURIComponent(login)}`,
    html_url: `${web}/${login.endsWith('[bot]') ? `apps/${login.slice(0, -5)}` : login}`,
  }
}

export function shapeRepository(world: World, addresses: Addresses, token?: Token) {
  const [owner = '', name = ''] = world.path.split('/')
  return {
    id: repositoryId,
    name,
    full_name: world.path,
    owner: shapeUser(owner, addresses),
    private: world.switches.isPrivate,
    archived: world.switches.isArchived,
    disabled: false,
    default_branch: world.defaultBranch(),
    html_url: `${addresses.web}/${world.path}`,
    url: `${addresses.api}/repos/${world.path}`,
    clone_url: `${addresses.web}/${world.path}.git`,
    visibility: world.switches.isPrivate ? 'private' : 'public',
    permissions: {
      admin: false,
      push: token?.rights.has('push') ?? false,
      pull: true,
      maintain: false,
      triage: false,
    },
  }
}

export function shapeFork(world: World, addresses: Addresses, fork: Fork) {
  const upstream = shapeRepository(world, addresses)
  const parent = { ...upstream, id: fork.parentId }
  const [owner = '', name = ''] = fork.path.split('/')
  return {
    ...upstream,
    id: forkId,
    name,
    full_name: fork.path,
    owner: shapeUser(owner, addresses),
    private: fork.isPrivate,
    visibility: fork.isPrivate ? 'private' : 'public',
    fork: true,
    parent,
    source: parent,
  }
}

/** A list leaves out what only the single pull request has. */
export function shapePull(world: World, addresses: Addresses, pull: Pull, isListed = false) {
  const repository = shapeRepository(world, addresses)
  const [owner = ''] = world.path.split('/')
  const headOwner = pull.fork ?? owner
  const headRepository = pull.fork
    ? {
        ...repository,
        id: repositoryId + 1,
        fork: true,
        full_name: `${headOwner}/docs`,
        owner: shapeUser(headOwner, addresses),
      }
    : repository
  const base = world.heads().get(pull.base) ?? pull.head
  const mergeable = isListed || pull.state !== 'open' ? null : (world.mergeable(pull) ?? null)
  return {
    id: 90_000 + pull.number,
    node_id: `PR_${pull.number}`,
    number: pull.number,
    state: pull.state === 'open' ? 'open' : 'closed',
    locked: pull.isLocked,
    active_lock_reason: pull.isLocked ? 'resolved' : null,
    title: pull.title,
    body: pull.body === '' ? null : pull.body,
    draft: pull.draft,
    user: shapeUser(pull.author, addresses),
    html_url: `${addresses.web}/${world.path}/pull/${pull.number}`,
    url: `${addresses.api}/repos/${world.path}/pulls/${pull.number}`,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.state === 'open' ? null : pull.updatedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommit,
    labels: pull.labels.map((name) => ({ name })),
    requested_reviewers: pull.reviewers.map((login) => shapeUser(login, addresses)),
    head: {
      ref: pull.branch,
      sha: pull.head,
      label: `${headOwner}:${pull.branch}`,
      repo: headRepository,
      user: shapeUser(headOwner, addresses),
    },
    base: {
      ref: pull.base,
      sha: base,
      label: `${owner}:${pull.base}`,
      repo: repository,
      user: shapeUser(owner, addresses),
    },
    author_association: world.remarks.writers.has(pull.author) ? 'COLLABORATOR' : 'CONTRIBUTOR',
    ...(isListed ? {} : { ...details(pull, mergeable, addresses), ...countsOf(world, pull) }),
  }
}

function countsOf({ remarks }: World, { number }: Pull) {
  return { comments: remarks.of(number, 'comment').length, review_comments: remarks.of(number, 'line').length }
}

function details(pull: Pull, mergeable: boolean | null, addresses: Addresses) {
  return {
    merged: pull.state === 'merged',
    merged_by: pull.state === 'merged' ? shapeUser('ada', addresses) : null,
    mergeable,
    mergeable_state: mergeable === null ? 'unknown' : mergeable ? 'clean' : 'dirty',
    commits: 1,
  }
}

export function shapeRef(ref: string, sha: string, { api }: Addresses) {
  return { ref, object: { type: 'commit', sha, url: `${api}/git/commits/${sha}` }, url: `${api}/git/${ref}` }
}

/** `isVerified`: GitHub signs the commits that an App creates without naming an author. */
export function shapeCommit(world: World, sha: string, isSigned: boolean | undefined, { api, web }: Addresses) {
  const isVerified = isSigned ?? false
  const { tree, parents, author, committer, message } = readCommit(world.remote.directory, sha)
  return {
    sha,
    url: `${api}/repos/${world.path}/git/commits/${sha}`,
    html_url: `${web}/${world.path}/commit/${sha}`,
    author,
    committer,
    message: message.trimEnd(),
    tree: { sha: tree },
    parents: parents.map((parent) => ({ sha: parent })),
    verification: {
      verified: isVerified,
      reason: isVerified ? 'valid' : isSigned === undefined ? 'unsigned' : 'unknown_key',
      signature: isVerified ? '-----BEGIN PGP SIGNATURE-----' : null,
      payload: isVerified ? `tree ${tree}` : null,
      verified_at: isVerified ? committer.date : null,
    },
  }
}
