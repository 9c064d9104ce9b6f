import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { type HttpAnswer, serveHttp } from '../../../test/support/scripted-http.ts'
import { readEnd } from './read-end.ts'

const signal = new AbortController().signal
const secret = 'ghs_Zq8Wm2Rt6Yb1Zq8Wm2Rt6Yb1'
const proof = { authorization: `Bearer ${secret}`, 'private-token': secret, 'user-agent': 'docent' }

type Given = { readonly store?: HttpAnswer; readonly lists?: boolean }

/** A host that redirects to a store of logs on another origin. */
async function start(t: Cleanup, { store: answer = {}, lists = true }: Given) {
  const store = await serveHttp(t, () => answer)
  const host = await serveHttp(t, () => ({ status: 302, headers: { location: `${store.url}/log?sig=1` } }))
  const privateHosts = [host.host, ...(lists ? [store.host] : [])]
  const read = () => readEnd({ url: new URL(`${host.url}/logs`), headers: proof, secret, privateHosts }, signal)
  return { store, host, read }
}

test('another origin gets the request without the credential', async (t) => {
  const { store, host, read } = await start(t, { store: { body: 'one\ntwo' } })
  assert.equal(await read(), 'one\ntwo')
  assert.equal(host.requests[0]?.headers.authorization, `Bearer ${secret}`)
  const [{ headers } = { headers: {} }] = store.requests
  assert.equal(JSON.stringify(headers).includes(secret), false)
  assert.deepEqual(Object.keys(headers).toSorted(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test('a private host that nobody listed is not asked', async (t) => {
  const { store, read } = await start(t, { store: { body: 'a log' }, lists: false })
  assert.equal(await read(), undefined)
  assert.equal(store.requests.length, 0)
})

test('a long log is its last lines, without the credential', async (t) => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at} ${at === 19_990 ? secret : ''}`)
  const { read } = await start(t, { store: { body: lines.join('\n') } })
  const text = (await read()) ?? ''
  assert(text.length < 65_536 && text.length > 65_000)
  assert.match(text, /^line \d+ \nline/)
  assert(text.endsWith('line 19999 '))
  assert.equal(text.includes(secret), false)
})

const faults: readonly (readonly [name: string, answer: HttpAnswer])[] = [
  ['404', { status: 404, body: { message: 'gone' } }],
  ['500', { status: 500 }],
  ['a cut response', { body: 'one\ntwo', broken: 'cut' }],
  ['a redirect to no address of the web', { status: 302, headers: { location: 'file:///etc/passwd' } }],
  ['a redirect without an address', { status: 302 }],
  ['redirects without an end', { status: 302, headers: { location: '/log' } }],
]
for (const [name, answer] of faults) {
  test(`${name} is no log`, async (t) => {
    const { read, store } = await start(t, { store: answer })
    assert.equal(await read(), undefined)
    assert(store.requests.length <= 4)
  })
}
