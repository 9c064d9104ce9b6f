// The demo as a newcomer runs it.

import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { runCommand } from '../support/command.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string

before(async () => {
  folder = await temporaryFolder('demo')
})
after(async () => {
  await removeFolder(folder)
})

test('the demo shows a repair, visitors and the dashboard, even if port 4100 is used', async (t) => {
  const holder = createServer()
  // Another process may have it already, which serves as well.
  await new Promise<void>((resolve) => holder.once('error', () => resolve()).listen(4100, '127.0.0.1', resolve))
  t.after(() => holder.close())
  const env = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    CLICKHOUSE_URL: await frontDatabase(),
  }
  const stopping = new AbortController()
  const opened = Promise.withResolvers<readonly unknown[]>()
  const printed = (line: string) => {
    const link = /Dashboard +(http:\S+)/.exec(line)?.[1]
    if (link !== undefined) opened.resolve(openTwice(new URL(link)))
    if (line.includes('rm -r')) void opened.promise.finally(() => stopping.abort())
  }
  const { code, stdout, stderr } = await runCommand(['demo'], env, { stop: stopping.signal, printed })
  assert.deepEqual(await opened.promise, [200, ['Acme'], 404])
  assert.equal(code, 0, stderr)
  for (const expected of [
    /docent check \S+docs\n.*\n +59 +wrong .*did you mean \/guides\/rollbacks\?/,
    /completed after \d+ turns: pull_request\n +checks: 0 introduced, 1 fixed, 0 remaining/,
    /^\+.*\/guides\/rollbacks/m,
    /docent automation create --project prj_\w{20} --kind fix-broken-links\n +aut_\w{20}: “Fix broken links” is on/,
    /curl -X POST http:\S+\/automations\/aut_\w{20}\/run /,
    /modified +docs\.json/,
    /renamed +guides\/monorepo\.mdx/,
    /is merged[^]*docent check \S+docs\n.*\n +No problems in what could be judged\./,
    /curl -X POST http:\S+\/message /,
    /#1 is merged/,
    /http:\S+\/pulls\/\S{22}/,
    /npm run docent -- project delete prj_\w{20} --yes/,
    /docent analytics import \S+access\.log/,
    /4000 lines hold \d{4} page views; left out: /,
    /^ {2}human +[1-9]\d* +[_.:=+*#-]{30}$/m,
    /^ {2}ai +[1-9]\d* +[_.:=+*#-]{30}$/m,
    /^ {2}\/quickstart +[1-9]\d* +[1-9]\d* +[1-9]\d*$/m,
  ]) {
    assert.match(stdout, expected)
  }
})

/** Returns the results of opening the link for the first and the second time. */
async function openTwice({ origin, pathname, hash }: URL): Promise<readonly unknown[]> {
  assert.equal(pathname, '/sign-in/link')
  const request = {
    method: 'POST',
    body: JSON.stringify({ token: hash.slice(1) }),
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
  }
  const first = await fetch(`${origin}/v1/session/link`, request)
  const [cookie = ''] = (first.headers.get('Set-Cookie') ?? '').split(';')
  const response = await fetch(`${origin}/v1/projects`, { headers: { Cookie: cookie } })
  const { projects } = (await response.json()) as { readonly projects: readonly { readonly name: string }[] }
  const second = await fetch(`${origin}/v1/session/link`, request)
  return [first.status, projects.map(({ name }) => name), second.status]
}
