import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeptPageViews, throwing } from '../../test/support/kept-page-views.ts'
import { openRecordingService } from '../../test/support/recording-service.ts'
import { recordPageViews } from './fetch.ts'
import { createRecorder } from './record.ts'

type Context = { waitUntil(promise: Promise<unknown>): void }

const page = () => new Response('<p>hello', { headers: { 'Content-Type': 'text/html' } })
const request = () => new Request('https://docs.example.com/guide?q=1', { headers: { 'X-Real-IP': '203.0.113.9' } })

test('an edge function responds first, and the platform waits for the sending', async () => {
  const service = await openRecordingService([{ kind: 'cut' }])
  const recorder = createRecorder({ url: service.url, key: 'k', projectId: 'p', onProblem: () => undefined })
  const waiting: Promise<unknown>[] = []
  const context: Context = { waitUntil: (promise) => void waiting.push(promise) }
  const handler = (_request: Request, env: { readonly name: string }, _context: Context) =>
    new Response(env.name, { headers: { 'Content-Type': 'text/html' } })
  const wrapped = recordPageViews(recorder, handler, {
    address: (asked) => asked.headers.get('X-Real-IP') ?? undefined,
    country: () => 'DE',
  })
  const answer = await wrapped(request(), { name: 'edge' }, context)
  assert.equal(await answer.text(), 'edge')
  assert.deepEqual([waiting.length, service.requests.length], [1, 0])
  await Promise.all(waiting)
  const [view] = service.views()
  assert.equal(view?.['country'], 'DE')
  assert.deepEqual([view?.['url'], view?.['address']], ['https://docs.example.com/guide', '203.0.113.9'])
  assert.equal(service.requests.length, 2)
  await recorder.close()
  await service.close()
})

test('without a platform the page view goes into the queue', async () => {
  const { recorder, recorded, sent } = createKeptPageViews()
  await recordPageViews(recorder, page, { origin: 'https://docs.example.org' })(request())
  await recordPageViews(recorder, async () => page())(request())
  assert.deepEqual(
    recorded.map(({ url, address }) => [url, address]),
    [
      ['https://docs.example.org/guide', undefined],
      ['https://docs.example.com/guide', undefined],
    ],
  )
  assert.deepEqual(sent, [])
})

test('errors of the handler are thrown, errors of recording are not', async () => {
  const failing = () => {
    throw new Error('of the page')
  }
  await assert.rejects(recordPageViews(throwing, failing)(request()), /of the page/)
  assert.equal((await recordPageViews(throwing, page)(request())).status, 200)
})
