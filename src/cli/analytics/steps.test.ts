import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps } from './steps.ts'

function arrange() {
  const stopping = new AbortController()
  const printed: string[] = []
  const output = { print: (line: string) => printed.push(line), warn: assert.fail, colours: false }
  const context = { environment: {}, nodeVersion: '', json: false, stop: stopping.signal, output }
  const steps = ['one', 'two', 'three'].map((title) => ({
    title,
    stopped: `Stopped before ${title}.`,
    run: async () => {
      if (title === 'two') stopping.abort()
      return `${title} is done`
    },
  }))
  return { context, steps, printed }
}

test('a step that has begun ends, and the message of a stop is that of the next one', async () => {
  const { context, steps, printed } = arrange()
  const expected = { code: 'unavailable', message: 'Stopped before three.' }
  await assert.rejects(runSteps(context, steps, {}), expected)
  assert.deepEqual(printed, ['one is done', 'two is done'])
})

test('with `--json` no step is shown or printed', async () => {
  const { context, steps, printed } = arrange()
  await runSteps(context, steps.slice(0, 2), { json: true })
  assert.deepEqual(printed, [])
})
