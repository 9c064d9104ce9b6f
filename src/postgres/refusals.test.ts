// The messages for people when a real PostgreSQL server refuses: by `openPostgres` and by looking without migrating.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { describeEnding } from '../cli/exit.ts'
import { createLog } from '../lib/observability/log.ts'
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts'
import { inspectPostgres } from './inspect.ts'
import { openPostgres } from './open.ts'

let server: PostgresServer
let url: URL
before(async () => {
  server = await startPostgresServer()
  url = new URL(await server.createDatabase())
  await (await openPostgres({ kind: 'server', url: url.href, connections: 1, log: createLog('silent') })).close()
  await server.admin(`create role locked login password 'right'`)
  await server.admin('create role guest login')
  await server.admin('create database empty')
  // A password for one role; the tests' server trusts all others.
  await server.admin(`do $$ begin execute format(
    'copy (values (''host all locked all scram-sha-256''), (''host all all all trust'')) to %L',
    current_setting('hba_file')); end $$`)
  await server.admin('select pg_reload_conf()')
})
after(() => server.close())

type Change = { readonly user?: string; readonly password?: string; readonly database?: string; readonly port?: string }

function place({ user = 'docent', password = '', database, port }: Change) {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  if (database !== undefined) changed.pathname = `/${database}`
  if (port !== undefined) changed.port = port
  return { kind: 'server', url: changed.href, connections: 1, log: createLog('silent') } as const
}

async function ending(change: Change) {
  const error = await openPostgres(place(change)).then(
    () => assert.fail('it was opened'),
    (error: unknown) => error,
  )
  return describeEnding(error, false)
}

const refusals: readonly (readonly [what: string, change: Change, exitCode: number, says: RegExp])[] = [
  ['a wrong password', { user: 'locked', password: 'hush' }, 2, /refuses the password of the user locked\. Correct/],
  ['a user that does not exist', { user: 'nobody' }, 2, /does not let the user nobody connect\. Check the user/],
  ['no such database', { database: 'gone' }, 2, /has no database gone\. Create it with `createdb -O docent gone`/],
  [
    'no right on the schema',
    { user: 'guest', database: 'empty' },
    2,
    /guest may not create tables .* `createdb -O guest empty`/,
  ],
  [
    'tables of another user',
    { user: 'guest' },
    2,
    /belong to another PostgreSQL user than guest\. .*`reassign owned by/,
  ],
  [
    'a server that does not run',
    { port: '1' },
    4,
    /PostgreSQL does not respond at 127\.0\.0\.1:1\. Check that it runs/,
  ],
]
for (const [what, change, exitCode, says] of refusals) {
  test(`${what} is one sentence with the remedy, and exit code ${exitCode}`, async () => {
    const { exitCode: code, text } = await ending(change)
    assert.equal(code, exitCode)
    assert.match(text ?? '', says)
    assert.doesNotMatch(text ?? '', /\n|hush/)
  })
}

test('a missing right is found without migrating, and only where there is one', async () => {
  const guest = await inspectPostgres(place({ user: 'guest', database: 'empty' }))
  assert.match(guest.missingRight ?? '', /^The PostgreSQL user guest may not create tables/)
  assert.equal((await inspectPostgres(place({ database: 'empty' }))).missingRight, undefined)
  await assert.rejects(inspectPostgres(place({ database: 'gone' })), { code: 'config_invalid' })
})
