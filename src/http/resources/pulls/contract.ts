// The operations on pull requests, and the public page of Docent's own.

import { operationsOn } from '../../contract/operation.ts'
import { projectParams, pullParams, tokenParams } from '../../contract/ids.ts'
import {
  commentSchema,
  commentsSchema,
  newCommentSchema,
  pullListQuery,
  pullNowSchema,
  pullSchema,
  pullsSchema,
} from './schemas.ts'
import { body, empty, json, readsRepository, textBody } from '../../contract/responses.ts'
import { idempotencyHeaders, idempotent, limitHeaders } from '../jobs/contract.ts'
import { describeChange } from '../change.ts'
import { fileHtml } from '../files.ts'

const path = '/v1/projects/{projectId}/pulls'
const operations = operationsOn('Pull requests')

export const listPullsRoute = operations.get('read', path, {
  operationId: 'listPulls',
  summary: 'List pull requests',
  description:
    "Returns the newest pull requests first, at most 1,000 of Docent's own. Pull requests of jobs on a forge follow, with the state that the forge last reported.",
  request: { params: projectParams, query: pullListQuery },
  responses: { 200: json('The pull requests.', pullsSchema) },
})

export const getPullRoute = operations.get('read', `${path}/{number}`, {
  operationId: 'getPull',
  summary: 'Get a pull request',
  description:
    "A pull request is named by its number. If Docent's own and one on a forge have the same number, Docent's own is shown. `behind` contains how far the branch is behind its base, and whether the two can be merged.",
  request: { params: pullParams },
  responses: { 200: json('The pull request.', pullNowSchema) },
})

export const changeRoutes = describeChange({
  of: 'Pull',
  path: `${path}/{number}`,
  params: pullParams,
  about: 'Compares the branch with its base; after a merge, shows what was merged.',
})

export const previewPullTextRoute = operations.get('read', `${path}/{number}/text.html`, {
  operationId: 'previewPullText',
  summary: 'Get the text of a pull request as HTML',
  description:
    'Returns the text of the agent (`body` without `note`) as HTML that executes and loads nothing. Links show their address and lead nowhere.',
  request: { params: pullParams },
  responses: { 200: fileHtml },
})

export const mergePullRoute = operations.post('write', `${path}/{number}/merge`, {
  operationId: 'mergePull',
  summary: 'Merge a pull request',
  description:
    'Merges the current branch into its base: by fast-forward if possible, otherwise with a merge commit. You merge a pull request on a forge there: the error contains its address.',
  request: { params: pullParams },
  responses: { 200: json('The pull request, `merged`.', pullSchema) },
  codes: [
    'pull_not_open',
    'merge_conflict',
    ...readsRepository,
    'repository_empty',
    'repository_too_large',
    'base_not_found',
    'forge_refused',
  ],
})

export const closePullRoute = operations.post('write', `${path}/{number}/close`, {
  operationId: 'closePull',
  summary: 'Close a pull request',
  description: 'Closes an open pull request without merging it, also one on a forge. The branch stays.',
  request: { params: pullParams },
  responses: { 200: json('The pull request, `closed`.', pullSchema) },
  codes: [
    'pull_not_open',
    'repository_unauthorized',
    'repository_unreachable',
    'repository_archived',
    'repository_moved',
    'pull_request_locked',
    'forge_refused',
    'forge_right_missing',
    'forge_rate_limited',
    'forge_unavailable',
  ],
})

export const updatePullRoute = operations.post('write', `${path}/{number}/update`, {
  operationId: 'updatePull',
  summary: 'Update the branch of a pull request',
  description:
    "Merges the base into the branch and pushes that, for Docent's own pull requests and for those on a forge. Overwrites nothing: commits of people stay, and a conflict changes nothing. You can repeat the request after any failure. Refused while the job is active.",
  request: { params: pullParams },
  responses: { 200: json('The pull request. Its branch now contains all commits of the base.', pullNowSchema) },
  codes: [
    'pull_not_open',
    'job_active',
    'branch_conflict',
    'merge_conflict',
    ...readsRepository,
    'repository_empty',
    'repository_too_large',
    'repository_archived',
    'repository_moved',
    'base_not_found',
    'branch_protected',
    'policy_refused',
    'forge_refused',
    'forge_right_missing',
    'forge_rate_limited',
    'forge_unavailable',
  ],
})

export const listCommentsRoute = operations.get('read', `${path}/{number}/comments`, {
  operationId: 'listPullComments',
  summary: 'List the comments on a pull request',
  description: "Returns the comments on lines of one of Docent's own pull requests, the oldest first.",
  request: { params: pullParams },
  responses: { 200: json('The comments.', commentsSchema) },
})

export const addCommentRoute = operations.post('write', `${path}/{number}/comments`, {
  operationId: 'addPullComment',
  summary: 'Comment on a line of a pull request',
  description:
    'Sends a comment on a line to the agent, as a message to the job with the place and the line. You comment on a pull request on a forge there: the error contains its address.',
  request: { params: pullParams, headers: idempotencyHeaders, body: body(newCommentSchema) },
  responses: { 201: json('The comment.', commentSchema, ...limitHeaders) },
  codes: [...idempotent, ...readsRepository, 'pull_not_open', 'job_archived', 'too_many_messages', 'forge_refused'],
})

export const pullPageRoute = operations.get('public', '/pulls/{token}', {
  operationId: 'showPull',
  summary: 'Show the page of a pull request',
  description: 'The page that `link` and `prLink` lead to. Needs no key: anyone with the link can read it.',
  request: { params: tokenParams },
  responses: {
    200: page('The page.'),
    303: empty('The same in the dashboard, for people who are signed in.'),
    404: page('A page that says that no pull request has this link.'),
    403: page('A page that says that the repository refused access.'),
    422: page('A page that says what is wrong with the repository.'),
    500: page('A page that reports an internal error.'),
    503: page('A page that says that the repository is unreachable.'),
  },
})

function page(description: string) {
  return textBody('text/html', description)
}
