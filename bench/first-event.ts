// Measures how soon a follower sees an event: from the POST of a job to the first event of its stream, and from the
// POST of a follow-up to its event on an open stream. Compares both with a bare notification of the same database. On a
// PostgreSQL server (TEST_ENGINE=cluster) one server receives the POST and another one serves the stream.

import { openPostgres } from '../src/postgres/open.ts'
import { notify } from '../src/postgres/notify.ts'
import { createLog } from '../src/lib/observability/log.ts'
import { engine } from '../test/support/engine.ts'
import { startModelServer } from '../test/support/model-server.ts'
import { startService } from '../test/support/service.ts'
import { openCopy } from '../test/support/template.ts'
import { median } from './engines.ts'

const rounds = 40
const never = Promise.withResolvers<void>()
const model = await startModelServer(() => ({ text: 'x', wait: never.promise }))
const running = await startService(
  { 'index.md': '# Home\n' },
  { DOCENT_MODEL: 'compatible/silent', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl, DOCENT_WORKER_CONCURRENCY: '100' },
)
const { client } = running
const first: number[] = []
const followUp: number[] = []
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now()
  const job = await client.create(`round ${round}`)
  const stop = new AbortController()
  const path = `/v2/agent/${client.projectId}/job/${job.id}`
  const response = await client.fetch(`${path}/events`, {
    headers: { Accept: 'text/event-stream' },
    signal: stop.signal,
  })
  const events = readEvents(response)
  await events('event: message')
  first.push(performance.now() - start)
  await events('event: phase')
  const sent = performance.now()
  const heard = events('a follow-up').then(() => followUp.push(performance.now() - sent))
  await client.message(job.id, 'a follow-up')
  await heard
  await client.call('POST', `${path}/cancel`)
  stop.abort()
}
console.log(
  `${(engine === 'cluster' ? 'PostgreSQL' : 'embedded').padEnd(12)} POST to the first event ${median(first).toFixed(1)} ms, ` +
    `POST of a follow-up to its event ${median(followUp).toFixed(1)} ms, bare notification ${(await bareNotification()).toFixed(1)} ms (medians)`,
)
never.resolve()
await running.close()
await model.close()

/** The returned function resolves when the stream contains the text. */
function readEvents(response: Response): (text: string) => Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  return async (text) => {
    while (!seen.includes(text)) {
      const chunk = await reader?.read()
      if (!chunk || chunk.done) throw new Error(`the stream ended before: ${text}`)
      seen += chunk.value
    }
  }
}

async function bareNotification(): Promise<number> {
  const url = running.environment['DATABASE_URL']
  const postgres = url
    ? await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })
    : await openCopy()
  const times: number[] = []
  let heard = Promise.withResolvers<void>()
  await postgres.listen('bench', () => heard.resolve())
  await new Promise((resolve) => void setTimeout(resolve, 300))
  for (let round = 0; round < rounds; round += 1) {
    heard = Promise.withResolvers<void>()
    const start = performance.now()
    await notify(postgres.db, 'bench', 'x')
    await heard.promise
    times.push(performance.now() - start)
  }
  await postgres.close()
  return median(times)
}
