// `docent job watch` and its sisters against a real service: over HTTP, through the socket, cut and gone on with.

import assert from 'node:assert/strict'
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { type Api, openHttpApi, openSocketApi } from '../../src/cli/api/api.ts'
import type { Output } from '../../src/cli/output.ts'
import { watchJob } from '../../src/cli/job/watch.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { EventResponse } from '../../src/jobs/events/events.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { runCommand } from '../support/command.ts'
import { ask, finish, nothing, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import type { Scripted } from '../support/model-server.ts'
import type { Client } from '../support/service.ts'

let service: ScriptedService
let client: Client
let api: Api

before(async () => {
  service = await startScriptedService()
  ;({ client } = service)
  api = openHttpApi(service.running.addresses[0] ?? '', client.key)
})
after(async () => {
  await api.close()
  await service.close()
})

const pathOf = (jobId: string) => `/v2/agent/${client.projectId}/job/${jobId}`

function record(isTerminal = false) {
  const seen = { lines: [] as string[], written: '' }
  const warn = (line: string) => void seen.lines.push(line)
  const terminal = { write: (text: string) => void (seen.written += text), columns: () => 60 }
  const output: Output = { print: warn, warn, colours: false, terminal: isTerminal ? terminal : undefined }
  return { seen, output }
}

const stop = new AbortController().signal
const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r'

test('through the socket and over HTTP the same lines are shown, in order and once', async () => {
  service.play({ ...write('a.md', 'a\n'), text: 'I write it.' }, { ...finish, text: 'Done.' })
  const created = await client.create('Write a page\nwith care')
  const shown: (readonly string[])[] = []
  for (const one of [api, openSocketApi(parseConfig(service.running.environment))]) {
    const { seen, output } = record()
    const job = await watchJob({ api: one, path: pathOf(created.id), output, stop, clock: systemClock }, created)
    assert.equal(job.status, 'completed')
    shown.push(seen.lines)
  }
  assert.deepEqual(shown[0], [
    '› Write a page …',
    'run 1 with compatible/scripted',
    '… preparing',
    '… editing',
    'I write it.',
    '✓ write_file a.md',
    'Done.',
    '… checking',
    '✓ finish A title',
    '… publishing',
  ])
  assert.deepEqual(shown[1], shown[0])
})

test('a follow-up shows its own run only', async () => {
  service.play(nothing)
  const { id } = await client.ended((await client.create('First')).id)
  service.play(nothing)
  const again = await client.message(id, 'Second')
  const { seen, output } = record()
  await watchJob({ api, path: pathOf(id), output, stop, clock: systemClock }, again)
  assert.deepEqual(seen.lines.slice(0, 2), ['› Second', 'run 2 with compatible/scripted'])
  await client.call('POST', `${pathOf(id)}/archive`)
  const later = record()
  await watchJob({ api, path: pathOf(id), output: later.output, stop, clock: systemClock }, again)
  assert.deepEqual(later.seen.lines, seen.lines)
})

test("a terminal shows the model's text as it arrives, with turn and budget", async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, text: 'Thinking about it all', hold: gate.promise })
  const created = await client.create('Think')
  const { seen, output } = record(true)
  const shown = Promise.withResolvers<void>()
  const watching = watchJob(
    {
      api,
      path: pathOf(created.id),
      output: {
        ...output,
        terminal: {
          columns: () => 60,
          write: (text) => {
            output.terminal?.write(text)
            if (seen.written.includes('Thinking about it')) shown.resolve()
          },
        },
      },
      stop,
      clock: systemClock,
    },
    created,
  )
  await shown.promise
  assert.match(seen.written, /editing, turn 1 of 200, 0 tokens/)
  gate.resolve()
  await watching
  assert.match(seen.written, /turn 1 of 200, 110 tokens/)
  assert.ok(seen.written.endsWith('\u001b[J'), 'the status stays behind')
})

test('text of models, tools and people reaches the terminal as plain text', async () => {
  const call = { name: 'finish', input: { noChange: hostile } }
  service.play({ text: hostile, calls: [{ name: 'read_file', input: { path: `x${hostile}.md` } }] }, { calls: [call] })
  const created = await client.create(`Do ${hostile}`)
  for (const isTerminal of [false, true]) {
    const { seen, output } = record(isTerminal)
    await watchJob({ api, path: pathOf(created.id), output, stop, clock: systemClock }, created)
    const ours = (seen.lines.join('\n') + seen.written).replaceAll(/\r(?:\u001b\[\dA)?\u001b\[J/g, '')
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(ours, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    assert.match(ours, /✗ read_file/)
  }
})

test('over a broken connection nothing is missed and nothing is shown twice', async () => {
  const cutter = await startCutter(Number(new URL(service.running.addresses[0] ?? '').port), 700)
  const cut = openHttpApi(`http://127.0.0.1:${cutter.port}`, client.key)
  try {
    const slowly = (answer: Scripted) => ({ ...answer, wait: delay(400) })
    const answers = [write('b.md', 'b\n'), write('c.md', 'c\n'), write('d.md', 'd\n'), finish]
    service.play(...answers.map(slowly))
    const created = await client.create('Write')
    const { seen, output } = record()
    await watchJob({ api: cut, path: pathOf(created.id), output, stop, clock: systemClock }, created)
    assert.deepEqual(
      seen.lines.filter((line) => line.startsWith('✓')),
      ['✓ write_file b.md', '✓ write_file c.md', '✓ write_file d.md', '✓ finish A title'],
    )
    assert.ok(cutter.cuts() > 2)
  } finally {
    await cutter.close()
  }
})

test('the command polls if nothing can stream', async () => {
  service.play(nothing)
  const created = await client.create('Look')
  const deaf: Api = { ...api, stream: async () => ({ status: 404, chunks: async function* () {} }) }
  const { seen, output } = record()
  const job = await watchJob({ api: deaf, path: pathOf(created.id), output, stop, clock: systemClock }, created)
  assert.equal(job.status, 'completed')
  assert.match(seen.lines[0] ?? '', /^… \w+, \d turns/)
})

test('the job continues when a person stops watching', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, text: 'Hm', hold: gate.promise })
  const created = await client.create('Take your time')
  const leaving = new AbortController()
  const { seen, output } = record()
  const watching = watchJob(
    { api, path: pathOf(created.id), output, stop: leaving.signal, clock: systemClock },
    created,
  )
  while (!seen.lines.includes('… editing')) await new Promise((resolve) => setImmediate(resolve))
  leaving.abort()
  assert.equal((await watching).status, 'active')
  gate.resolve()
  assert.equal((await client.ended(created.id)).status, 'completed')
})

const run = (...args: readonly string[]) =>
  runCommand(['job', ...args, '--project', client.projectId], service.running.environment)

test('the command line prints what the agent replies beside a change', async () => {
  const input = { title: 'Add e', summary: 'Page e.', reply: `Support is ${hostile}generated.` }
  service.play(write('e.md', 'e\n'), { calls: [{ name: 'finish', input }] })
  const { stdout } = await run('create', '--prompt', 'Add e. Why not support?', '--watch')
  assert.match(stdout, /\n\nPage e\.\n\nThe agent replies to you:\n\nSupport is .+generated\.\n$/)
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('the command line prints events as lines of JSON, cancels and archives', async () => {
  const gate = Promise.withResolvers<void>()
  service.model.script = () => ({ ...nothing, wait: gate.promise })
  const { id } = await client.create('Wait')
  const following = run('watch', id, '--json')
  const cancelled = await run('cancel', id)
  assert.match(cancelled.stdout, /^status +failed$[\s\S]*^error +cancelled: /m)
  const { code, stdout } = await following
  assert.equal(code, 3)
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EventResponse)
  assert.equal(events.at(-1)?.type, 'job_ended')
  const late = await run('cancel', id)
  assert.equal(late.code, 1)
  assert.match(late.stderr, /there is nothing to cancel/)
  assert.match((await run('archive', id)).stdout, /^status +archived$/m)
  for (const format of [[], ['--json']]) {
    const archived = await run('watch', id, ...format)
    assert.equal(archived.code, 3, `an archived failed job watched with ${format.join('')}: ${archived.stderr}`)
  }
  const kept = (await run('events', id)).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EventResponse)
  assert.deepEqual(kept.slice(0, -1), events)
  assert.equal(kept.at(-1)?.type, 'archived')
  gate.resolve()
})

test('a watched job that asks a question ends the command with 6, in every form', async () => {
  service.play(ask('Which page?'))
  const asked = await run('create', '--watch', '--prompt', 'Write a page')
  assert.deepEqual([asked.code, /job message job_\w+ --project prj_\w+ --prompt TEXT/.test(asked.stderr)], [6, true])
  const id = /job_\w+/.exec(asked.stdout)?.[0] ?? ''
  service.play(ask('Which page?'))
  assert.equal((await run('message', id, '--watch', '--prompt', 'Any', '--json')).code, 6)
  for (const form of [
    ['watch', id],
    ['watch', id, '--json'],
    ['events', id, '--follow'],
  ]) {
    const { code, stderr } = await run(...form)
    assert.deepEqual([code, /ended with a question/.test(stderr)], [6, true], form.join(' '))
  }
  assert.equal((await run('show', id)).code, 0)
  assert.equal((await run('events', id)).code, 0)
  await run('archive', id)
  assert.equal((await run('watch', id, '--json')).code, 6)
})

/** Passes on to a port, and cuts every connection after so many bytes of answers. */
async function startCutter(to: number, bytes: number) {
  const state = { cuts: 0 }
  const sockets = new Set<Socket>()
  const { connect } = await import('node:net')
  const server: Server = createServer((incoming) => {
    const outgoing = connect(to, '127.0.0.1')
    let passed = 0
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        incoming.destroy()
        outgoing.destroy()
      })
    }
    incoming.pipe(outgoing)
    const head = { isStream: false }
    outgoing.on('data', (chunk: Buffer) => {
      if (chunk.includes('text/event-stream')) head.isStream = true
      passed += chunk.length
      incoming.write(chunk)
      if (!head.isStream || passed < bytes) return
      state.cuts += 1
      incoming.destroySoon()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => state.cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
