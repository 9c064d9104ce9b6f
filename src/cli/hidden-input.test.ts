import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { readHidden, type Terminal } from './hidden-input.ts'

function openTerminal() {
  const modes: (boolean | 'paused')[] = []
  const keys = new EventEmitter<{ data: [Buffer] }>()
  const terminal: Terminal = Object.assign(keys, {
    resume: () => undefined,
    pause: () => modes.push('paused'),
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  })
  return { terminal, modes, type: (text: string | Buffer) => keys.emit('data', Buffer.from(text)) }
}

const never = new AbortController().signal

for (const [keys, isLine, text] of [
  [['token\r'], true, 'token'],
  [['to', 'ken', '\n'], true, 'token'],
  [['\u001b[200~token\u001b[201~\r'], true, 'token'],
  [['tokem\u007fn\r'], true, 'token'],
  [['wrong\u0015token\u0004'], true, 'token'],
  [['a\rb\r\u0004'], false, 'a\nb\n'],
  [['a\rwrong\u0015b\u0004'], false, 'a\nb'],
  [[Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), '\r'], true, 'é'],
] as const) {
  test(`the terminal takes ${JSON.stringify(keys)} as ${JSON.stringify(text)}`, async () => {
    const { terminal, modes, type } = openTerminal()
    const read = readHidden({ terminal, isLine, stop: never })
    for (const key of keys) type(key)
    assert.equal(await read, text)
    assert.deepEqual(modes, [true, 'paused', false])
  })
}

test('Ctrl-C and a signal stop the command, and the terminal shows keys again', async () => {
  const stop = new AbortController()
  for (const end of [(type: (text: string) => unknown) => type('tok\u0003'), () => stop.abort()]) {
    const { terminal, modes, type } = openTerminal()
    const read = readHidden({ terminal, isLine: true, stop: stop.signal })
    end(type)
    await assert.rejects(read, { exit: 'stopped', message: 'Stopped. Nothing was stored.' })
    assert.deepEqual(modes, [true, 'paused', false])
  }
})
