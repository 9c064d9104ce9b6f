// The routes of the loopback GitHub about comments, reviews, checks and statuses.

import { type Access, openRepository, refuse } from './github.ts'
import { type Addresses, shapeUser } from './github-shapes.ts'
import { byChange, type Remark } from './remarks.ts'
import { type Call, pageOf, type Reply, type Routes, textOf } from './routes.ts'
import type { World } from './world.ts'

export const annotationsRoute = 'GET /repos/:owner/:repo/check-runs/:check_run_id/annotations'
export const logRoute = 'GET /repos/:owner/:repo/actions/jobs/:job_id/logs'
const signature = 'c2lnbmVk'

/** GitHub keeps logs in a store of another host, which takes no token. */
export function storedLog({ remarks }: World, url: URL): Reply | undefined {
  const [, id] = /^\/job-logs\/(\d+)$/.exec(url.pathname) ?? []
  if (id === undefined) return undefined
  const isSigned = url.searchParams.get('sig') === signature
  return isSigned ? { status: 200, body: remarks.logOf(id) ?? '' } : { status: 403 }
}

/** As GitHub documents it. */
const annotation = {
  path: 'docs/index.md',
  start_line: 3,
  end_line: 3,
  start_column: null,
  end_column: null,
  annotation_level: 'failure',
  title: 'Broken link',
  message: 'page-two.md does not exist',
  raw_details: null,
  blob_href: 'https://github.com/acme/docs/blob/main/docs/index.md',
}

/** The App of GitHub that writes the check runs of Actions. */
function shapeActions(createdAt: string) {
  return {
    id: 15_368,
    slug: 'github-actions',
    node_id: 'MDM6QXBwMTUzNjg=',
    owner: null,
    name: 'GitHub Actions',
    description: 'Automate your workflow from idea to production',
    external_url: 'https://help.github.com/en/actions',
    html_url: 'https://github.com/apps/github-actions',
    created_at: createdAt,
    updated_at: createdAt,
    permissions: { actions: 'write' },
    events: ['push'],
  }
}

const pages = { name: 'per_page', usual: 30, most: 100 }

export function remarkRoutes(world: World, addresses: Addresses): Routes {
  const { remarks } = world
  const open = (call: Call, permission: string, level: Access['level'] = 'read') =>
    openRepository(world, call, { permission, level }, addresses)
  const find = (call: Call, kind: Remark['kind']): Remark => {
    const found = all(kind).find(({ id }) => id === Number(call.params['comment_id']))
    if (!found) throw refuse(404, 'Not Found')
    return found
  }
  const react = (call: Call, kind: Remark['kind']): Reply => {
    const { login } = open(call, 'pull_requests', 'write')
    const { id } = find(call, kind)
    const content = textOf(call.body['content'])
    const isNew = remarks.react(id, `${content} ${login}`)
    const user = shapeUser(login, addresses)
    return { status: isNew ? 201 : 200, body: { id: id * 10, user, content, created_at: world.date() } }
  }
  const list = (call: Call, rows: readonly Remark[], shape: (row: Remark) => unknown): Reply => {
    open(call, 'pull_requests')
    const { items, headers } = pageOf(call, rows, pages, `${addresses.api}${call.path}`)
    return { status: 200, headers, body: items.map(shape) }
  }
  const all = (kind: Remark['kind']) => remarks.all.filter((one) => one.kind === kind)
  const of = (call: Call, kind: Remark['kind']) => remarks.of(Number(call.params['pull_number']), kind)
  const comment = (row: Remark) => shapeComment(world, addresses, row)
  const line = (row: Remark) => shapeLine(world, addresses, row)
  return {
    'GET /repos/:owner/:repo/issues/comments': (call) => list(call, changedSince(call, all('comment')), comment),
    'GET /repos/:owner/:repo/pulls/comments': (call) => list(call, changedSince(call, all('line')), line),
    'GET /repos/:owner/:repo/issues/:pull_number/comments': (call) => list(call, of(call, 'comment'), comment),
    'GET /repos/:owner/:repo/issues/:pull_number': (call) => {
      open(call, 'issues')
      const issue = remarks.issues.find(({ number }) => number === Number(call.params['pull_number']))
      if (!issue) throw refuse(404, 'Not Found')
      const { number, title, body, login } = issue
      return { status: 200, body: { number, title, body, state: 'open', user: shapeUser(login, addresses) } }
    },
    'POST /repos/:owner/:repo/issues/:pull_number/comments': (call) => {
      const isIssue = remarks.isOnIssue({ number: Number(call.params['pull_number']) })
      const { login } = open(call, isIssue ? 'issues' : 'pull_requests', 'write')
      const number = Number(call.params['pull_number'])
      if (world.pull(number)?.isLocked) throw refuse(403, 'Unable to create comment because issue is locked.')
      const id = remarks.comment(number, { login, text: textOf(call.body['body']) })
      return { status: 201, body: comment(remarks.find(id)) }
    },
    'PATCH /repos/:owner/:repo/issues/comments/:comment_id': (call) => {
      open(call, 'pull_requests', 'write')
      const { id } = find(call, 'comment')
      remarks.edit(id, textOf(call.body['body']))
      return { status: 200, body: comment(remarks.find(id)) }
    },
    'POST /repos/:owner/:repo/issues/comments/:comment_id/reactions': (call) => react(call, 'comment'),
    'POST /repos/:owner/:repo/pulls/comments/:comment_id/reactions': (call) => react(call, 'line'),
    'GET /repos/:owner/:repo/pulls/:pull_number/comments': (call) => list(call, of(call, 'line'), line),
    'GET /repos/:owner/:repo/pulls/:pull_number/reviews': (call) =>
      list(call, of(call, 'review'), (row) => shapeReview(world, addresses, row)),
    'GET /repos/:owner/:repo/pulls/:pull_number/reviews/:review_id/comments': (call) =>
      list(
        call,
        all('line').filter(({ review }) => review === Number(call.params['review_id'])),
        line,
      ),
    'GET /repos/:owner/:repo/commits/:ref/check-runs': (call) => {
      open(call, 'checks')
      const all = remarks.on(call.params['ref'] ?? '', 'check')
      const { items, headers } = pageOf(call, all, pages, `${addresses.api}${call.path}`)
      const runs = items.map(({ id, name, state, log, createdAt }) => ({
        id,
        name,
        ...(state === 'in_progress'
          ? { status: state, conclusion: null, completed_at: null }
          : { status: 'completed', conclusion: state, completed_at: createdAt }),
        started_at: createdAt,
        html_url: `${addresses.web}/${world.path}/runs/${id}`,
        app: log === null ? null : shapeActions(createdAt),
        output: { title: null, summary: null, text: null, annotations_count: 0 },
      }))
      return { status: 200, headers, body: { total_count: all.length, check_runs: runs } }
    },
    [annotationsRoute]: (call) => {
      open(call, 'checks')
      const check = remarks.verdicts.find(({ id }) => id === Number(call.params['check_run_id']))
      const found = check?.state === 'failure' ? [annotation] : []
      return { status: 200, body: found }
    },
    [logRoute]: (call) => {
      open(call, 'actions')
      const id = call.params['job_id']
      if (remarks.logOf(id) === undefined) throw refuse(404, 'Not Found')
      return { status: 302, headers: { Location: `${addresses.web}/job-logs/${id}?sig=${signature}` } }
    },
    'GET /repos/:owner/:repo/commits/:ref/status': (call) => {
      open(call, 'statuses')
      const sha = call.params['ref'] ?? ''
      const all = remarks.on(sha, 'status')
      const { items, headers } = pageOf(call, all, pages, `${addresses.api}${call.path}`)
      const statuses = items.map(({ id, name, state, createdAt }) => ({
        id,
        context: name,
        state,
        description: 'It ran',
        target_url: 'https://ci.example/1',
        created_at: createdAt,
        updated_at: createdAt,
      }))
      return { status: 200, headers, body: { state: 'success', sha, total_count: all.length, statuses } }
    },
    'POST /repos/:owner/:repo/statuses/:sha': (call) => {
      const { login } = open(call, 'statuses', 'write')
      const { sha: commit = '' } = call.params
      if (world.commit(commit) === undefined) throw refuse(422, `No commit found for SHA: ${commit}`)
      const [context = '', state = '', text = ''] = ['context', 'state', 'description'].map((name) =>
        textOf(call.body[name]),
      )
      if (text.length > 140) throw refuse(422, 'description is too long (maximum is 140 characters)')
      const url = call.body['target_url'] as string | null
      const id = remarks.setStatus({ commit, context, state, text, url, login })
      const shown = { id, context, state, description: text, target_url: url, creator: shapeUser(login, addresses) }
      return { status: 201, body: { ...shown, created_at: world.date(), updated_at: world.date() } }
    },
    'GET /repos/:owner/:repo/collaborators/:username/permission': (call) => {
      open(call, 'metadata')
      const { username = '' } = call.params
      remarks.asked.push(username)
      if (username === 'gone') throw refuse(404, 'gone is not a user')
      const permission = remarks.writers.has(username) ? 'write' : 'none'
      return { status: 200, body: { permission, role_name: permission, user: shapeUser(username, addresses) } }
    },
  }
}

/** `since` includes its own second. */
function changedSince({ query }: Call, rows: readonly Remark[]): readonly Remark[] {
  const since = query.get('since') ?? ''
  const found = rows.filter((row) => row.updatedAt >= since)
  const sorted = query.get('sort') === 'updated' ? found.toSorted(byChange) : found
  return query.get('direction') === 'desc' ? sorted.toReversed() : sorted
}

function shapeComment(world: World, addresses: Addresses, row: Remark) {
  return {
    id: row.id,
    user: shapeUser(row.login, addresses),
    body: row.text,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    html_url: `${addresses.web}/${world.path}/${world.remarks.isOnIssue(row) ? 'issues' : 'pull'}/${row.number}#issuecomment-${row.id}`,
    issue_url: `${addresses.api}/repos/${world.path}/issues/${row.number}`,
    author_association: 'NONE',
  }
}

function shapeLine(world: World, addresses: Addresses, row: Remark) {
  return {
    ...shapeComment(world, addresses, row),
    html_url: `${addresses.web}/${world.path}/pull/${row.number}#discussion_r${row.id}`,
    pull_request_url: `${addresses.api}/repos/${world.path}/pulls/${row.number}`,
    pull_request_review_id: row.review,
    path: row.path,
    line: row.line,
    original_line: row.line,
    diff_hunk: `@@ -1 +${row.line} @@\n-before\n+line ${row.line}`,
  }
}

function shapeReview(world: World, addresses: Addresses, row: Remark) {
  return {
    id: row.id,
    user: shapeUser(row.login, addresses),
    body: row.text,
    state: row.state,
    submitted_at: row.createdAt,
    html_url: `${addresses.web}/${world.path}/pull/${row.number}#pullrequestreview-${row.id}`,
    author_association: 'NONE',
    commit_id: null,
  }
}
