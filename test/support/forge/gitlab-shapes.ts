// Projects, merge requests, people and tokens, as the loopback GitLab shows them.

import type {
  MergeRequestSchemaWithBasicLabels,
  PersonalAccessTokenSchema,
  SimpleProjectSchema,
  SimpleUserSchema,
} from '@gitbeaker/core'
import { type Fork, forkId } from './fork.ts'
import { type Pull, type Token, type World, idOf, repositoryId } from './world.ts'

/** A token without `api` may read and push, and open nothing. */
function scopesOf({ rights }: Token): readonly string[] {
  return rights.has('pullRequests') ? ['api', 'write_repository'] : ['read_api', 'read_repository', 'write_repository']
}

export function shapeUser(login: string, web: string) {
  return {
    id: idOf(login),
    name: login,
    username: login,
    state: 'active',
    avatar_url: `${web}/avatar`,
    web_url: `${web}/${login}`,
    created_at: '2026-01-02T03:04:05.000Z',
    bot: login.startsWith('docent'),
    email: `${login}@example.com`,
  } satisfies SimpleUserSchema & { readonly email: string }
}

export function shapeToken(token: Token) {
  return {
    id: 12,
    name: 'docent',
    revoked: false,
    created_at: '2026-01-02T03:04:05.000Z',
    user_id: 4,
    last_used_at: '2026-01-02T03:04:05.000Z',
    active: true,
    scopes: [...scopesOf(token)],
    expires_at: new Date(token.expiresAt ?? Date.UTC(2099, 0, 1)).toISOString().slice(0, 10),
  } satisfies Omit<PersonalAccessTokenSchema, 'token'>
}

function shapeMilestone(world: World, { milestone }: Pull) {
  if (milestone === null) return null
  const times = { created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' }
  const id = 70 + world.milestones.indexOf(milestone)
  const dates = { due_date: '2026-12-31', start_date: '2026-01-01' }
  return {
    id,
    iid: id,
    project_id: repositoryId,
    expired: false,
    title: milestone,
    description: '',
    state: 'active',
    web_url: '',
    ...times,
    ...dates,
  }
}

export function shapeFork(world: World, web: string, token: Token, fork: Fork) {
  const upstream = shapeProject(world, web, token)
  return {
    ...upstream,
    id: forkId,
    path_with_namespace: fork.path,
    visibility: fork.isPrivate ? 'private' : 'public',
    import_status: fork.copying-- > 0 ? 'started' : 'finished',
    forked_from_project: { ...upstream, id: fork.parentId },
  }
}

export function shapeProject(world: World, web: string, token: Token) {
  const name = world.path.split('/').at(-1) ?? ''
  return {
    id: repositoryId,
    name,
    path: name,
    path_with_namespace: world.path,
    name_with_namespace: world.path,
    description: null,
    created_at: '2026-01-02T03:04:05.000Z',
    last_activity_at: world.date(),
    default_branch: world.defaultBranch(),
    web_url: `${web}/${world.path}`,
    http_url_to_repo: `${web}/${world.path}.git`,
    visibility: world.switches.isPrivate ? 'private' : 'public',
    archived: world.switches.isArchived,
    empty_repo: world.isEmpty(),
    merge_requests_enabled: true,
    permissions: {
      project_access: { access_level: token.rights.has('push') ? 30 : 20, notification_level: 3 },
      group_access: null,
    },
  } satisfies Partial<SimpleProjectSchema>
}

export function shapeMerge(world: World, web: string, pull: Pull) {
  const mergeable = pull.state === 'open' ? world.mergeable(pull) : undefined
  const author = shapeUser(pull.author, web)
  return {
    // The number that people see is the `iid`: `id` addresses nothing.
    id: 90_000 + pull.number,
    iid: pull.number,
    project_id: repositoryId,
    title: pull.title,
    description: pull.body,
    state: { open: 'opened', closed: 'closed', merged: 'merged' }[pull.state],
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    merged_at: pull.mergedAt,
    merged_by: pull.state === 'merged' ? shapeUser('ada', web) : null,
    closed_at: pull.state === 'closed' ? pull.updatedAt : null,
    closed_by: null,
    prepared_at: null,
    web_url: `${web}/${world.path}/-/merge_requests/${pull.number}`,
    target_branch: pull.base,
    source_branch: pull.branch,
    source_project_id: pull.fork ? repositoryId + 1 : repositoryId,
    target_project_id: repositoryId,
    author,
    assignee: null,
    assignees: pull.assignees.map((one) => shapeUser(one, web)),
    reviewers: pull.reviewers.map((one) => shapeUser(one, web)),
    labels: [...pull.labels],
    draft: pull.draft,
    work_in_progress: pull.draft,
    milestone: shapeMilestone(world, pull),
    user_notes_count: world.remarks.of(pull.number, 'comment').length + world.remarks.of(pull.number, 'line').length,
    upvotes: 0,
    downvotes: 0,
    merge_when_pipeline_succeeds: pull.autoMerge,
    merge_status: mergeable === undefined ? 'unchecked' : mergeable ? 'can_be_merged' : 'cannot_be_merged',
    detailed_merge_status: statusOf(pull, mergeable),
    has_conflicts: mergeable === false,
    head_pipeline: pipelineOf(world),
    sha: pull.head,
    merge_commit_sha: pull.mergeCommit,
    squash_commit_sha: null,
    discussion_locked: pull.isLocked || null,
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    reference: `!${pull.number}`,
    references: { short: `!${pull.number}`, relative: `!${pull.number}`, full: `${world.path}!${pull.number}` },
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    squash: false,
    task_completion_status: { count: 0, completed_count: 0 },
    blocking_discussions_resolved: true,
    approvals_before_merge: null,
  } satisfies MergeRequestSchemaWithBasicLabels
}

/** The last check: its commit need not be the head, as that of a pipeline for merged results is not. */
function pipelineOf({ remarks }: World) {
  const last = remarks.verdicts.findLast(({ kind }) => kind === 'check')
  return last === undefined ? null : { id: last.id, sha: last.commit, status: last.state }
}

function statusOf(pull: Pull, mergeable: boolean | undefined) {
  if (pull.state !== 'open') return 'not_open'
  if (mergeable === undefined) return 'checking'
  if (pull.draft) return 'draft_status'
  return mergeable ? 'mergeable' : 'broken_status'
}
