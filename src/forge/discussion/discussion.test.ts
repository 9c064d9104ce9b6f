import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge } from '../../../test/support/forge-client.ts'
import { createAzureHost } from '../azure/host.ts'
import { createBitbucketHost } from '../bitbucket/host.ts'
import type { ForgeClient } from '../client.ts'
import { createGiteaHost } from '../gitea/host.ts'
import { createGitHubHost } from '../github/host.ts'
import { createGitLabHost } from '../gitlab/host.ts'
import type { ForgeHost, ForgeKind } from '../host.ts'
import type { Discussion } from './discussion.ts'

const signal = new AbortController().signal
const at = '2026-11-20T09:00:00Z'
const [early, late] = ['2026-11-20T08:00:00.000Z', '2026-11-20T10:00:00.000Z']
const written = { read: async () => undefined, add: async () => undefined } as never

const hosts: Readonly<Record<ForgeKind, (client: ForgeClient, webUrl: string) => ForgeHost>> = {
  github: (client, webUrl) => createGitHubHost({ client, repository: { webUrl, path: 'acme/docs' } }),
  gitlab: (client, webUrl) => createGitLabHost({ client, repository: { webUrl, path: 'acme/web/docs' } }),
  gitea: (client, webUrl) => createGiteaHost({ client, repository: { webUrl, path: 'acme/docs' } }),
  bitbucket: (client, webUrl) =>
    createBitbucketHost({ client, repository: { webUrl, path: 'acme/docs' }, user: null, written }),
  azure: (client, webUrl) => createAzureHost({ client, repository: { webUrl, path: 'acme/web/_git/docs' } }),
}

async function open(t: TestContext, kind: ForgeKind, routes: Routes) {
  const { client, webUrl, asked } = await scriptedForge(t, routes)
  const { discussions } = hosts[kind](client, webUrl)
  assert.ok(discussions)
  const read = (path: string) => {
    const key = discussions.keyOf(new URL(`${webUrl}/${path}`))
    assert.ok(key, path)
    return discussions.read(key, signal)
  }
  return { discussions, read, webUrl, asked }
}

const pages: Readonly<Record<ForgeKind, Readonly<Record<string, string>>>> = {
  github: {
    'acme/docs/pull/12': 'pull 12',
    'Acme/Docs/pull/12/files#diff-1': 'pull 12',
    'acme/docs/issues/7#issuecomment-1': 'issue 7',
  },
  gitlab: {
    'acme/web/docs/-/merge_requests/12/diffs': 'pull 12',
    'acme/web/docs/merge_requests/12': 'pull 12',
    'acme/web/docs/-/issues/7#note_1': 'issue 7',
    'acme/web/docs/-/work_items/7': 'issue 7',
  },
  gitea: { 'acme/docs/pulls/12': 'pull 12', 'acme/docs/issues/7': 'issue 7' },
  bitbucket: {
    'acme/docs/pull-requests/12/some-title': 'pull 12',
    'acme/docs/pull-requests/12': 'pull 12',
    'acme/docs/issues/7/title': 'issue 7',
  },
  azure: { 'acme/web/_git/docs/pullrequest/12': 'pull 12' },
}

for (const kind of Object.keys(pages) as ForgeKind[]) {
  test(`on ${kind}, pages of the repository's own discussions are recognised`, async (t) => {
    const { discussions, webUrl } = await open(t, kind, {})
    const nameOf = (address: string) => {
      const key = discussions.keyOf(new URL(address))
      return key && `${key.kind} ${key.number}`
    }
    for (const [path, named] of Object.entries(pages[kind])) assert.equal(nameOf(`${webUrl}/${path}`), named, path)
    for (const [path] of Object.entries(pages[kind])) {
      const others = [
        `${webUrl}/${path.replace(/docs/i, 'other')}`,
        `${webUrl}/${path.replace(/docs/i, 'docs/../other')}`,
        `https://evil.example/${path}`,
        `${webUrl.replace(/^http:/, 'https:')}/${path}`,
        `${webUrl}/${path.replace(/#.*/, '')}?d=secret`,
        `${webUrl}/${path.replace(/\d+/, '99999999999')}`,
        `${webUrl}/${path.replace(/\d+/, '0')}`,
        `${webUrl}/${path.replace(/\d+/, '1e3')}`,
      ]
      for (const address of others) assert.equal(nameOf(address), undefined, address)
    }
  })
}

const remark = (author: string, text: string, path: string | null = null, line: number | null = null) => {
  return { author, text, path, line }
}

function shownOf(found: Discussion | undefined) {
  assert.ok(found)
  const { kind, title, state, author, body, isWhole } = found
  const remarks = found.remarks.map(({ author, text, path, line }) => ({ author, text, path, line }))
  return { kind, title, state, author, body, isWhole, remarks }
}

const expected = {
  title: 'Rename --force',
  state: 'open',
  author: 'ada',
  body: 'Why\nnot',
  isWhole: true,
  remarks: [remark('grace', 'First'), remark('ada', 'Here', 'docs/a.md', 3)],
}

test('a pull request on GitHub is read with its comments, the oldest first', async (t) => {
  const user = { login: 'ada' }
  const { read, asked } = await open(t, 'github', {
    'GET /repos/acme/docs/issues/12': {
      body: { title: 'Rename --force', state: 'open', user, body: 'Why\r\nnot', pull_request: { merged_at: null } },
    },
    'GET /repos/acme/docs/issues/12/comments': {
      body: [{ user: { login: 'grace' }, body: 'First', created_at: early }],
    },
    'GET /repos/acme/docs/pulls/12/comments': {
      body: [{ user, body: 'Here', created_at: late, path: 'docs/a.md', line: 3 }],
    },
  })
  assert.deepEqual(shownOf(await read('acme/docs/pull/12')), { kind: 'pull', ...expected })
  assert.ok(asked().every((request) => request.startsWith('GET /repos/acme/docs/')))
})

test('an issue on GitHub may be a pull request that was merged', async (t) => {
  const issue = { title: 'T', state: 'closed', user: null, body: null }
  const routes = {
    'GET /repos/acme/docs/issues/7': { body: issue },
    'GET /repos/acme/docs/issues/7/comments': { body: [] },
    'GET /repos/acme/docs/issues/8': { body: { ...issue, pull_request: { merged_at: at } } },
    'GET /repos/acme/docs/issues/8/comments': { status: 404, body: {} },
    'GET /repos/acme/docs/pulls/8/comments': { status: 403, body: { message: 'Resource not accessible' } },
  }
  const { read } = await open(t, 'github', routes)
  const nothing = { title: 'T', author: null, body: '', isWhole: true, remarks: [] }
  assert.deepEqual(shownOf(await read('acme/docs/issues/7')), { kind: 'issue', state: 'closed', ...nothing })
  assert.deepEqual(shownOf(await read('acme/docs/issues/8')), { kind: 'pull', state: 'merged', ...nothing })
})

test('on GitLab nothing is read that only members may see', async (t) => {
  const author = { username: 'ada' }
  const shown = { title: 'Rename --force', state: 'opened', author, description: 'Why\nnot' }
  const note = { body: 'First', author: { username: 'grace' }, created_at: early, system: false }
  const position = { new_path: 'docs/a.md', new_line: 3, old_path: null, old_line: null }
  const { read } = await open(t, 'gitlab', {
    'GET /projects/acme%2Fweb%2Fdocs/merge_requests/12': { body: shown },
    'GET /projects/acme%2Fweb%2Fdocs/merge_requests/12/notes': {
      body: [
        note,
        { ...note, body: 'changed the title', system: true },
        { ...note, body: 'internal', internal: true },
        { ...note, body: 'confidential', confidential: true },
        { ...note, body: 'Here', author, created_at: late, position },
      ],
    },
    'GET /projects/acme%2Fweb%2Fdocs/issues/7': { body: { ...shown, confidential: true } },
  })
  assert.deepEqual(shownOf(await read('acme/web/docs/-/merge_requests/12')), { kind: 'pull', ...expected })
  assert.equal(await read('acme/web/docs/-/issues/7'), undefined)
})

test('a pull request on Gitea is read as the issue that it is', async (t) => {
  const { read } = await open(t, 'gitea', {
    'GET /repos/acme/docs/issues/12': {
      body: { title: 'T', state: 'closed', user: { login: 'ada' }, body: 'B', pull_request: { merged: true } },
    },
    'GET /repos/acme/docs/issues/12/comments': { body: [{ user: { login: 'grace' }, body: 'First', created_at: at }] },
  })
  const found = shownOf(await read('acme/docs/pulls/12'))
  assert.deepEqual([found.kind, found.state, found.remarks], ['pull', 'merged', [remark('grace', 'First')]])
})

test('pull requests and issues on Bitbucket are read without deleted comments', async (t) => {
  const person = { display_name: 'ada' }
  const comment = { user: { display_name: 'grace' }, content: { raw: 'First' }, created_on: early }
  const { read } = await open(t, 'bitbucket', {
    'GET /repositories/acme/docs/pullrequests/12': {
      body: { title: 'Rename --force', state: 'OPEN', author: person, description: 'Why\nnot' },
    },
    'GET /repositories/acme/docs/pullrequests/12/comments': {
      body: {
        values: [
          comment,
          { ...comment, deleted: true },
          { ...comment, content: { raw: '' } },
          { user: person, content: { raw: 'Here' }, created_on: late, inline: { path: 'docs/a.md', to: 3 } },
        ],
      },
    },
    'GET /repositories/acme/docs/issues/7': {
      body: { title: 'T', state: 'new', reporter: person, content: { raw: 'B' } },
    },
    'GET /repositories/acme/docs/issues/7/comments': {
      body: { values: [comment], next: 'https://api.bitbucket.org/2.0/next' },
    },
  })
  assert.deepEqual(shownOf(await read('acme/docs/pull-requests/12')), { kind: 'pull', ...expected })
  const issue = shownOf(await read('acme/docs/issues/7'))
  assert.deepEqual([issue.state, issue.author, issue.body, issue.isWhole], ['new', 'ada', 'B', false])
})

test('a pull request on Azure DevOps is read with its threads', async (t) => {
  const comment = {
    id: 1,
    author: { displayName: 'grace' },
    content: 'First',
    publishedDate: early,
    commentType: 'text',
  }
  const { read } = await open(t, 'azure', {
    'GET /acme/web/_apis/git/repositories/docs/pullrequests/12': {
      body: { title: 'Rename --force', status: 'active', createdBy: { displayName: 'ada' }, description: 'Why\nnot' },
    },
    'GET /acme/web/_apis/git/repositories/docs/pullRequests/12/threads': {
      body: {
        value: [
          {
            id: 141,
            threadContext: { filePath: 'docs/a.md', rightFileStart: { line: 3 } },
            comments: [{ ...comment, author: { displayName: 'ada' }, content: 'Here', publishedDate: late }],
          },
          { id: 142, comments: [comment, { ...comment, commentType: 'system' }, { ...comment, isDeleted: true }] },
          { id: 143, isDeleted: true, comments: [comment] },
        ],
      },
    },
  })
  assert.deepEqual(shownOf(await read('acme/web/_git/docs/pullrequest/12')), { kind: 'pull', ...expected })
})

test('a discussion that is missing or not for the credential is not there', async (t) => {
  for (const status of [403, 404, 410]) {
    const { read } = await open(t, 'github', { 'GET /repos/acme/docs/issues/7': { status, body: { message: 'no' } } })
    assert.equal(await read('acme/docs/issues/7'), undefined, String(status))
  }
})

test('a hostile response is an unavailable forge, and hostile texts are cleaned', async (t) => {
  const long: Routes = { 'GET /repos/acme/docs/issues/7': { body: { title: 'x'.repeat(5_000), state: 'open' } } }
  const { read } = await open(t, 'github', long)
  await assert.rejects(read('acme/docs/issues/7'), { code: 'forge_unavailable' })
  const other = await open(t, 'github', {
    'GET /repos/acme/docs/issues/7': {
      body: { title: 'a\u0007b', state: 'OPEN\u0000', user: { login: 'x\u001b[2J' } },
    },
    'GET /repos/acme/docs/issues/7/comments': { body: [] },
  })
  const found = shownOf(await other.read('acme/docs/issues/7'))
  assert.deepEqual([found.title, found.state, found.author], ['a\ufffdb', 'open\ufffd', 'x\ufffd[2J'])
})
