import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNetwork, includesNetwork, type Network, parseNetwork } from '../../../lib/network.ts'
import { agents } from '../agents.ts'
import { aiCrawlers } from '../ai-crawlers.ts'
import { crawlers } from '../crawlers.ts'
import { createNetworkSet } from './intervals.ts'
import { loadRanges } from './load-ranges.ts'
import { rangeSources } from './range-sources.ts'
import { toNetworks } from './snapshot.ts'
import { createVerify } from './verify.ts'

const snapshots = await loadRanges(undefined)
const verify = createVerify(snapshots)
const chatgpt = { agent: 'ChatGPT-User', operator: 'OpenAI' }

test('an address is verified, not verified, or cannot be judged', () => {
  assert.equal(verify(chatgpt, '104.210.139.193'), 'address')
  assert.equal(verify(chatgpt, '::ffff:104.210.139.193'), 'address', 'mapped')
  assert.equal(verify(chatgpt, '104.210.139.208'), 'failed', 'one behind the last of the /28')
  assert.equal(verify(chatgpt, '2001:db8::1'), 'failed', 'nothing of that family is published')
  assert.equal(verify({ agent: 'CCBot', operator: 'Common Crawl' }, '2600:1f28:365:80ab::1'), 'address')
  assert.equal(verify({ agent: 'Google-Agent', operator: 'Google' }, '2001:4860:c::1f'), 'address')
  assert.equal(verify({ agent: 'Google-Agent', operator: 'Google' }, '2001:4860:c::80'), 'failed')
  assert.equal(verify({ agent: 'GPTBot', operator: 'OpenAI' }, '104.210.139.193'), 'failed', 'of another of its agents')
})

test('without a claim, a list or an address there is nothing to verify', () => {
  assert.equal(verify({ agent: '', operator: '' }, '104.210.139.193'), 'none')
  assert.equal(verify({ agent: 'Claude Code', operator: 'Anthropic' }, '192.0.2.1'), 'none', 'runs at its user')
  assert.equal(verify({ agent: 'ChatGPT-User', operator: '' }, '104.210.139.193'), 'none')
  for (const address of [undefined, '', 'unknown', '104.210.139.192/28', 'fe80::1%eth0', '1.2.3']) {
    assert.equal(verify(chatgpt, address), 'none', String(address))
  }
})

test('each list is of agents that have a row, under the operator of that row', () => {
  const rows = new Set([...aiCrawlers, ...crawlers, ...agents].map(({ agent, operator }) => `${operator} ${agent}`))
  for (const source of rangeSources) {
    assert.ok(source.address.startsWith('https://'))
    for (const agent of source.agents) assert.ok(rows.has(`${source.operator} ${agent}`), agent)
  }
  assert.equal(new Set(rangeSources.map(({ id }) => id)).size, rangeSources.length)
})

test('the lists that are built in can be read, and are of the operators with AI agents', () => {
  const ids = snapshots.map(({ id }) => id)
  for (const id of [
    'openai-gptbot',
    'openai-searchbot',
    'openai-chatgpt-user',
    'anthropic',
    'perplexity-user',
    'google-agent',
  ]) {
    assert.ok(ids.includes(id), id)
  }
  for (const snapshot of snapshots) assert.equal(toNetworks(snapshot).length, snapshot.prefixes.length)
})

const anyNetwork: fc.Arbitrary<Network> = fc
  .oneof(
    fc.tuple(fc.constantFrom('10.0.0.0', '10.0.1.255', '255.255.255.255', '0.0.0.0'), fc.integer({ min: 0, max: 32 })),
    fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 })),
    fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    fc.tuple(fc.constantFrom('2001:db8::', '2001:db8::ff', '2001:db8:0:1::'), fc.integer({ min: 30, max: 128 })),
  )
  .map(([address, bits]) => parseNetwork(`${address}/${bits}`))
  .filter((network) => network !== undefined)

/** The address at an edge of a network, or one beside it. */
const near = (network: Network, step: number): Network => {
  const width = network.family === 4 ? 32 : 128
  const end = network.base + 2n ** BigInt(width - network.bits) - 1n
  const wanted = (step < 0 ? network.base : end) + BigInt(step % 2)
  const last = 2n ** BigInt(width) - 1n
  const base = wanted < 0n ? 0n : wanted > last ? last : wanted
  return parseNetwork(formatNetwork({ family: network.family, base, bits: width })) ?? network
}

test('the binary search finds the same as checking every network', () => {
  fc.assert(
    fc.property(
      fc.array(anyNetwork, { maxLength: 30 }),
      fc.array(anyNetwork, { maxLength: 10 }),
      fc.integer({ min: -3, max: 3 }),
      (networks, others, step) => {
        const set = createNetworkSet(networks)
        for (const address of [...networks, ...others].map((one) => near(one, step))) {
          assert.equal(
            set.has(address),
            networks.some((one) => includesNetwork(one, address)),
            formatNetwork(address),
          )
        }
      },
    ),
    { numRuns: 500 },
  )
})
