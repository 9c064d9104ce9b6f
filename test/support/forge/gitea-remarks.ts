// The routes of the loopback Gitea about comments, reviews and statuses. Its list of comments has no pages.

import type { Comment, CombinedStatus, CommitStatus, PullReview, PullReviewComment, User } from 'gitea-js'
import type { Remark } from './remarks.ts'
import { type Call, pageOf, Refusal, type Routes, textOf } from './routes.ts'
import type { Right, Token, World } from './world.ts'

const pages = { name: 'limit', usual: 30, most: 50 }

type Opened = {
  readonly world: World
  readonly web: string
  readonly api: string
  readonly open: (call: Call, right?: Right) => Token
  readonly shapeUser: (login: string) => User
}

export function remarkRoutes({ world, web, api, open, shapeUser }: Opened): Routes {
  const { remarks } = world
  const linkOf = (row: Remark) =>
    `${web}/${world.path}/${remarks.isOnIssue(row) ? 'issues' : 'pulls'}/${row.number}#issuecomment-${row.id}`
  const shapeComment = (row: Remark) =>
    ({
      id: row.id,
      body: row.text,
      user: shapeUser(row.login),
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      html_url: linkOf(row),
    }) satisfies Comment
  const words: Readonly<Record<string, string>> = { CHANGES_REQUESTED: 'REQUEST_CHANGES', COMMENTED: 'COMMENT' }
  return {
    'GET /repos/:owner/:repo/issues/comments': (call) => {
      open(call)
      const since = call.query.get('since') ?? ''
      const rows = remarks.all.filter(({ kind, updatedAt }) => kind === 'comment' && updatedAt >= since)
      const { items, headers } = pageOf(call, rows, pages, `${api}${call.path}`)
      return { status: 200, headers, body: items.map(shapeComment) }
    },
    'GET /repos/:owner/:repo/issues/:number': (call) => {
      open(call)
      const issue = remarks.issues.find(({ number }) => number === Number(call.params['number']))
      if (!issue) throw new Refusal(404, { message: 'Not Found' })
      const { number, title, body, login } = issue
      return { status: 200, body: { number, title, body, state: 'open', user: shapeUser(login), pull_request: null } }
    },
    'GET /repos/:owner/:repo/issues/:number/comments': (call) => {
      open(call)
      const since = call.query.get('since') ?? ''
      const rows = remarks.of(Number(call.params['number']), 'comment').filter((row) => row.updatedAt >= since)
      return { status: 200, body: rows.map(shapeComment) }
    },
    'POST /repos/:owner/:repo/issues/:number/comments': (call) => {
      const { login } = open(call, 'pullRequests')
      const id = remarks.comment(Number(call.params['number']), { login, text: textOf(call.body['body']) })
      return { status: 201, body: shapeComment(remarks.find(id)) }
    },
    'PATCH /repos/:owner/:repo/issues/comments/:id': (call) => {
      open(call, 'pullRequests')
      const row = remarks.all.find(({ id }) => id === Number(call.params['id']))
      if (!row) throw new Refusal(404, { message: 'Not Found' })
      remarks.edit(row.id, textOf(call.body['body']))
      return { status: 200, body: shapeComment(row) }
    },
    'POST /repos/:owner/:repo/issues/comments/:id/reactions': (call) => {
      const { login } = open(call, 'pullRequests')
      const content = textOf(call.body['content'])
      const isNew = remarks.react(Number(call.params['id']), `${content} ${login}`)
      return { status: isNew ? 201 : 200, body: { user: shapeUser(login), content, created_at: world.date() } }
    },
    'GET /repos/:owner/:repo/pulls/:number/reviews': (call) => {
      open(call)
      const rows = remarks.of(Number(call.params['number']), 'review')
      const { items, headers } = pageOf(call, rows, pages, `${api}${call.path}`)
      const shape = (row: Remark) =>
        ({
          id: row.id,
          body: row.text,
          user: shapeUser(row.login),
          state: words[row.state] ?? row.state,
          comments_count: remarks.all.filter(({ review }) => review === row.id).length,
          submitted_at: row.createdAt,
          html_url: linkOf(row),
        }) satisfies PullReview
      return { status: 200, headers, body: items.map(shape) }
    },
    'GET /repos/:owner/:repo/pulls/:number/reviews/:review/comments': (call) => {
      open(call)
      const rows = remarks.all.filter(({ review }) => review === Number(call.params['review']))
      const shape = (row: Remark) =>
        ({
          ...shapeComment(row),
          path: row.path,
          position: row.line,
          original_position: 0,
          ...(row.isResolved ? { resolver: shapeUser('ada') } : {}),
          diff_hunk: `@@ -1 +${row.line} @@\n-before\n+line ${row.line}`,
          pull_request_review_id: row.review,
        }) satisfies PullReviewComment
      return { status: 200, body: rows.map(shape) }
    },
    'GET /repos/:owner/:repo/commits/:sha/status': (call) => {
      open(call)
      const { sha = '' } = call.params
      const all = remarks.on(sha, 'status')
      const { items, headers } = pageOf(call, all, pages, `${api}${call.path}`)
      const statuses = items.map(({ id, name, state, log, createdAt }) => ({
        id,
        context: name,
        status: state as 'success',
        description: 'It ran',
        target_url: log === null ? 'https://ci.example/1' : `/${world.path}/actions/runs/12/jobs/${id}`,
        creator: shapeUser('docent-token'),
        created_at: createdAt,
        updated_at: createdAt,
      }))
      return {
        status: 200,
        headers,
        body: { sha, state: 'success', total_count: all.length, statuses } satisfies CombinedStatus,
      }
    },
    'POST /repos/:owner/:repo/statuses/:sha': (call) => {
      const { login } = open(call, 'push')
      const { sha: commit = '' } = call.params
      if (world.commit(commit) === undefined)
        throw new Refusal(404, { message: `object does not exist [id: ${commit}]` })
      const [context = '', state = '', text = ''] = ['context', 'state', 'description'].map((name) =>
        textOf(call.body[name]),
      )
      const url = textOf(call.body['target_url'])
      const id = remarks.setStatus({ commit, context, state, text, url: url || null, login })
      const body = {
        id,
        context,
        status: state as 'success',
        description: text,
        target_url: url,
        creator: shapeUser(login),
        created_at: world.date(),
        updated_at: world.date(),
      } satisfies CommitStatus
      return { status: 201, body }
    },
    'GET /repos/:owner/:repo/actions/runs': (call) => {
      open(call)
      const head = call.query.get('head_sha') ?? ''
      const runs = remarks.verdicts.filter(({ commit, log }) => commit === head && log !== null)
      const shown = runs.map(({ id, commit }) => ({ id: id * 100, run_number: 12, head_sha: commit }))
      return { status: 200, body: { workflow_runs: shown, total_count: shown.length } }
    },
    'GET /repos/:owner/:repo/actions/runs/:run/jobs': (call) => {
      open(call)
      const run = Number(call.params['run'])
      const jobs = remarks.verdicts.filter(({ id, log }) => id * 100 === run && log !== null)
      const shown = jobs.map(({ id, name }) => ({
        id: id * 1_000,
        name,
        run_id: run,
        html_url: `${web}/${world.path}/actions/runs/12/jobs/${id}`,
      }))
      return { status: 200, body: { jobs: shown, total_count: shown.length } }
    },
    'GET /repos/:owner/:repo/actions/jobs/:job/logs': (call) => {
      open(call)
      const log = remarks.logOf(Number(call.params['job']) / 1_000)
      if (log === undefined) throw new Refusal(404, { message: 'Not Found' })
      return { status: 200, body: log, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }
    },
    'GET /repos/:owner/:repo/collaborators/:user/permission': (call) => {
      open(call)
      const { user = '' } = call.params
      remarks.asked.push(user)
      const permission = remarks.writers.has(user) ? 'write' : 'read'
      return { status: 200, body: { permission, role_name: permission, user: shapeUser(user) } }
    },
  }
}
