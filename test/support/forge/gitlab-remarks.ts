// The routes of the loopback GitLab about notes and statuses.

import type { CommitStatusSchema, MergeRequestNoteSchema } from '@gitbeaker/core'
import { byChange, type Issue, type Remark } from './remarks.ts'
import { type Call, pageOf, Refusal, type Reply, type Routes, textOf } from './routes.ts'
import { type Right, type Token, type World, idOf, repositoryId } from './world.ts'

const pages = { name: 'per_page', usual: 20, most: 100 }

type Opened = {
  readonly world: World
  readonly api: string
  readonly open: (call: Call, right?: Right) => Token
  readonly shapeUser: (login: string) => MergeRequestNoteSchema['author']
}

export function remarkRoutes({ world, api, open, shapeUser }: Opened): Routes {
  const { remarks } = world
  const list = <T>(call: Call, rows: readonly T[], shape: (row: T) => unknown): Reply => {
    open(call)
    const { items, headers, next } = pageOf(call, rows, pages, `${api}${call.path}`)
    return { status: 200, headers: { ...headers, 'X-Next-Page': `${next ?? ''}` }, body: items.map(shape) }
  }
  return {
    ...issueRoutes({ world, api, open, shapeUser }),
    'GET /projects/:project/merge_requests/:iid/notes': (call) => {
      const rows = remarks.all.filter(({ number }) => number === Number(call.params['iid']))
      const sorted = call.query.get('order_by') === 'updated_at' ? rows.toSorted(byChange) : rows
      return list(call, call.query.get('sort') === 'asc' ? sorted : sorted.toReversed(), (row) => ({
        ...shapeNote(row),
        author: shapeUser(row.login),
      }))
    },
    'GET /projects/:project/merge_requests/:iid/discussions': (call) => {
      const rows = remarks.all.filter(({ number }) => number === Number(call.params['iid']))
      return list(call, rows, (row) => ({
        id: `d${row.id}`,
        individual_note: row.kind !== 'line',
        notes: [{ ...shapeNote(row), resolved: row.isResolved, author: shapeUser(row.login) }],
      }))
    },
    'GET /projects/:project/merge_requests/:iid/reviewers': (call) => {
      const states: Readonly<Record<string, string>> = { CHANGES_REQUESTED: 'requested_changes', APPROVED: 'approved' }
      return list(call, remarks.opinions(Number(call.params['iid'])), (row) => ({
        user: shapeUser(row.login),
        state: states[row.state],
        created_at: row.createdAt,
      }))
    },
    'POST /projects/:project/merge_requests/:iid/notes': (call) => {
      const { login } = open(call, 'pullRequests')
      const id = remarks.comment(Number(call.params['iid']), { login, text: textOf(call.body['body']) })
      return { status: 201, body: { ...shapeNote(remarks.find(id)), author: shapeUser(login) } }
    },
    'PUT /projects/:project/merge_requests/:iid/notes/:note': (call) => {
      open(call, 'pullRequests')
      const row = remarks.all.find(({ id }) => id === Number(call.params['note']))
      if (!row) throw new Refusal(404, { message: '404 Note Not Found' })
      remarks.edit(row.id, textOf(call.body['body']))
      return { status: 200, body: { ...shapeNote(row), author: shapeUser(row.login) } }
    },
    'POST /projects/:project/merge_requests/:iid/notes/:note/award_emoji': (call) => {
      const { login } = open(call, 'pullRequests')
      const id = Number(call.params['note'])
      const name = textOf(call.body['name'])
      if (!remarks.react(id, `${name} ${login}`))
        throw new Refusal(404, { message: '404 Award Emoji Name has already been taken Not Found' })
      return { status: 201, body: { id: id * 10, name, user: shapeUser(login), awardable_id: id } }
    },
    'GET /projects/:project/repository/commits/:sha/statuses': (call) =>
      list(call, remarks.on(call.params['sha'] ?? '', 'status'), ({ id, name, state, createdAt, commit }) => ({
        ...({
          id,
          name,
          sha: commit,
          ref: 'docent',
          status: state as CommitStatusSchema['status'],
          allow_failure: false,
          target_url: 'https://ci.example/1',
          created_at: createdAt,
          description: 'It ran',
        } satisfies Omit<CommitStatusSchema, 'author'>),
        author: shapeUser('docent-token'),
      })),
    'POST /projects/:project/statuses/:sha': (call) => {
      const { login } = open(call, 'push')
      const { sha: commit = '' } = call.params
      if (world.commit(commit) === undefined) throw new Refusal(404, { message: '404 Commit Not Found' })
      const [context = '', state = '', text = ''] = ['name', 'state', 'description'].map((name) =>
        textOf(call.body[name]),
      )
      const last = remarks.statuses.findLast((one) => one.commit === commit && one.context === context)
      if (state === 'pending' && last?.state === 'pending') {
        const reason = 'Reason(s): Status cannot transition via "enqueue"'
        throw new Refusal(400, { message: `Cannot transition status via :enqueue from :pending (${reason})` })
      }
      const url = textOf(call.body['target_url']) || null
      const id = remarks.setStatus({ commit, context, state, text, url, login })
      const shown = { id, sha: commit, ref: 'main', name: context, status: state, description: text, target_url: url }
      return { status: 201, body: { ...shown, allow_failure: false, author: shapeUser(login) } }
    },
    'GET /projects/:project/jobs/:job/trace': (call) => {
      open(call)
      const log = remarks.logOf(call.params['job'])
      if (log === undefined) throw new Refusal(404, { message: '404 Not found' })
      return { status: 200, body: log, headers: { 'Content-Type': 'text/plain' } }
    },
    'GET /projects/:project/members/all/:user': (call) => {
      open(call)
      const id = Number(call.params['user'])
      const login = id === idOf('ada') ? 'ada' : `user ${id}`
      remarks.asked.push(login)
      if (!remarks.writers.has(login)) throw new Refusal(404, { message: '404 Not found' })
      return { status: 200, body: { ...shapeUser(login), access_level: 40 } }
    },
  }
}

/** Notes of issues are as those of merge requests. */
function issueRoutes({ world, api, open, shapeUser }: Opened): Routes {
  const { remarks } = world
  const numberOf = (call: Call) => Number(call.params['iid'])
  const changed = (number: number) =>
    remarks
      .of(number, 'comment')
      .reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '2026-01-01T00:00:00Z')
  const shapeIssue = ({ number, title, body, login }: Issue) => ({
    iid: number,
    title,
    description: body,
    state: 'opened',
    confidential: false,
    author: shapeUser(login),
    updated_at: changed(number),
    user_notes_count: remarks.of(number, 'comment').length,
  })
  const shape = (row: Remark) => ({ ...shapeNote(row), noteable_type: 'Issue', author: shapeUser(row.login) })
  const list = (call: Call, rows: readonly unknown[]): Reply => {
    open(call)
    const { items, headers } = pageOf(call, rows, pages, `${api}${call.path}`)
    return { status: 200, headers, body: items }
  }
  return {
    'GET /projects/:project/issues': (call) => {
      const after = call.query.get('updated_after') ?? ''
      const shown = remarks.issues
        .map(shapeIssue)
        .filter((one) => Date.parse(one.updated_at) >= (Date.parse(after) || 0))
      return list(
        call,
        shown.toSorted((one, other) => (one.updated_at < other.updated_at ? -1 : 1)),
      )
    },
    'GET /projects/:project/issues/:iid': (call) => {
      open(call)
      const issue = remarks.issues.find(({ number }) => number === numberOf(call))
      if (!issue) throw new Refusal(404, { message: '404 Not found' })
      return { status: 200, body: shapeIssue(issue) }
    },
    'GET /projects/:project/issues/:iid/notes': (call) => {
      const rows = remarks.of(numberOf(call), 'comment')
      const sorted = call.query.get('order_by') === 'updated_at' ? rows.toSorted(byChange) : rows
      return list(call, (call.query.get('sort') === 'asc' ? sorted : sorted.toReversed()).map(shape))
    },
    'POST /projects/:project/issues/:iid/notes': (call) => {
      const { login } = open(call, 'pullRequests')
      const id = remarks.comment(numberOf(call), { login, text: textOf(call.body['body']) })
      return { status: 201, body: shape(remarks.find(id)) }
    },
    'PUT /projects/:project/issues/:iid/notes/:note': (call) => {
      open(call, 'pullRequests')
      const row = remarks.find(Number(call.params['note']))
      remarks.edit(row.id, textOf(call.body['body']))
      return { status: 200, body: shape(row) }
    },
    'POST /projects/:project/issues/:iid/notes/:note/award_emoji': (call) => {
      const { login } = open(call, 'pullRequests')
      const id = Number(call.params['note'])
      remarks.react(id, `${textOf(call.body['name'])} ${login}`)
      return { status: 201, body: { id: id * 10, name: call.body['name'], user: shapeUser(login), awardable_id: id } }
    },
  }
}

/** GitLab has no reviews: it notes itself that somebody approved, and the words of the reviewer are a note of their own. */
function shapeNote(row: Remark) {
  const isSystem = row.kind === 'review'
  const words = { APPROVED: 'approved this merge request', CHANGES_REQUESTED: 'requested changes' }[row.state]
  return {
    id: row.id,
    body: isSystem ? (words ?? 'left review comments') : row.text,
    attachment: null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    system: isSystem,
    noteable_id: 90_000 + row.number,
    noteable_type: 'MergeRequest',
    noteable_iid: row.number,
    project_id: repositoryId,
    resolvable: row.kind === 'line',
    ...(row.kind === 'line'
      ? { type: 'DiffNote', position: { new_path: row.path, old_path: row.path, new_line: row.line, old_line: null } }
      : {}),
  } satisfies Omit<MergeRequestNoteSchema, 'author'>
}
