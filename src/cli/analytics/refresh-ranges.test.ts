import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { loadRanges, toRangesFolder } from '../../analytics/classify/verify/load-ranges.ts'
import type { Fetch } from '../../analytics/classify/verify/refresh-ranges.ts'
import { createRefreshRanges } from './refresh-ranges.ts'

async function run(dataDir: string, fetch: Fetch, args: readonly string[] = []) {
  const printed: string[] = []
  const warned: string[] = []
  const output = {
    print: (line: string) => printed.push(line),
    warn: (line: string) => warned.push(line),
    colours: false,
  }
  const environment = { DOCENT_DATA_DIR: dataDir }
  const stop = new AbortController().signal
  const program = new Command()
  const context = { environment, nodeVersion: '24.12.0', json: false, output, stop }
  createRefreshRanges(fetch)(program.command('refresh-ranges'), context, () => Promise.resolve())
  await program.parseAsync(['refresh-ranges', ...args], { from: 'user' })
  return { printed, warned }
}

const onlyMistral: Fetch = (address) => {
  if (!address.endsWith('mistralai-user-ips.json')) return Promise.reject(new TypeError('fetch failed'))
  const prefixes = [{ ipv4Prefix: '192.0.2.1/32' }, { ipv6Prefix: '2001:db8::/48' }]
  return Promise.resolve(Response.json({ creationTime: '2026-11-20T00:00:00Z', prefixes }))
}

test('the command prints changes and ages of the lists, and keeps what it fetched', async () => {
  const dataDir = await temporaryFolder('refresh')
  try {
    const { printed, warned } = await run(dataDir, onlyMistral)
    assert.match(
      printed.find((line) => line.startsWith('mistral-user')) ?? '',
      /MistralAI-User +2026-11-20 +\d+ days? +2 +\+2 -0$/,
    )
    assert.match(
      printed.find((line) => line.startsWith('openai-gptbot')) ?? '',
      /GPTBot +2025-10-30 +\d+ days +21 +not fetched$/,
    )
    assert.ok(warned.some((line) => line.startsWith('openai-gptbot: fetch failed')))
    const kept = (await loadRanges(toRangesFolder(dataDir))).find(({ id }) => id === 'mistral-user')
    assert.deepEqual(kept?.prefixes, ['192.0.2.1', '2001:db8::/48'])

    const json = JSON.parse((await run(dataDir, onlyMistral, ['--json'])).printed.join('')) as readonly object[]
    assert.equal(json.length, printed.length - 2)
  } finally {
    await removeFolder(dataDir)
  }
})

test('when nothing can be fetched the command fails', async () => {
  const dataDir = await temporaryFolder('refresh')
  try {
    await assert.rejects(
      run(dataDir, () => Promise.reject(new TypeError('fetch failed'))),
      { code: 'unavailable' },
    )
  } finally {
    await removeFolder(dataDir)
  }
})
