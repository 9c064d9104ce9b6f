// A process that reads the pull requests that are due, once, as a server of the service does. Started by
// `looking.test.ts`, which kills it.

import assert from 'node:assert/strict'
import { pollPulls } from '../../src/jobs/upkeep/poll-pulls.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openServer } from '../../src/postgres/server.ts'
import { tokenHost } from '../support/forge/subjects.ts'
import type { Kind } from '../support/forge/world.ts'
import { plainPolling } from '../support/polling.ts'

export type LookingTask = {
  readonly url: string
  readonly forge: { readonly kind: Kind; readonly api: string; readonly web: string; readonly host: string }
  readonly token: string
}

const { url, forge, token } = JSON.parse(process.env['TASK'] ?? '') as LookingTask
const postgres = openServer({ url, connections: 2, log: createLog('silent') })
await pollPulls({
  db: postgres.db,
  git: { repository: () => assert.fail('nobody chooses another base here') },
  clock: systemClock,
  log: createLog('silent'),
  ...plainPolling,
  hostOf: () => Promise.resolve(tokenHost(forge, token)),
  explainRefusal: (_, error) => Promise.resolve(error),
  signal: new AbortController().signal,
})
await postgres.close()
