import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeObject } from '../../../test/support/git-objects.ts'
import { createRemote, temporaryFolder } from '../../../test/support/git-remote.ts'
import { createRandom } from '../../../test/support/random.ts'
import { createObjects } from '../read/objects.ts'
import { usualPath } from '../transport/env.ts'
import { createRunner } from '../transport/run.ts'
import { walkRange } from './range.ts'

test('a walk finds the commits that git lists in their order, or leaves them to git', async (t) => {
  const remote = createRemote(t)
  const runner = createRunner({ home: temporaryFolder(t), path: usualPath, timeoutMs: 10_000 })
  t.after(async () => await runner.close())
  const objects = createObjects(runner, remote.directory, () => undefined)
  const random = createRandom(7)
  const tree = remote.git(['hash-object', '-t', 'tree', '-w', '--stdin'], '')
  const commits: string[] = []
  for (let n = 0; n < 120; n += 1) {
    // Most commits follow the last one; some are merges of up to three, and clocks are wrong.
    const near = () => commits[Math.max(0, commits.length - 1 - random.int(6))] ?? ''
    const last = commits.at(-1)
    const merged = random.chance(0.4) ? [near(), near()].slice(random.int(2)) : []
    const parents = last === undefined || n === 60 ? [] : [...new Set([random.chance(0.8) ? last : near(), ...merged])]
    const who = `Ada <ada@example.com> ${1_700_000_000 + n * 10 - random.int(4) * 10} +0000`
    const lines = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`), `author ${who}`, `committer ${who}`]
    commits.push(writeObject(remote.directory, 'commit', Buffer.from(`${lines.join('\n')}\n\nChange ${n}\n`)))
  }
  const counts = { walked: 0, left: 0 }
  for (let n = 0; n < 300; n += 1) {
    const at = random.int(commits.length)
    const [to = '', from = ''] = [commits[at], commits[Math.max(0, at - random.int(12) + 1)]]
    const isMainline = random.chance(0.5)
    const flags = isMainline ? ['--first-parent'] : []
    const listed = remote.git(['rev-list', '--parents', ...flags, to, `^${from}`]).split('\n')
    const found = await walkRange({ objects }, { from, to, isMainline })
    if (!found) {
      counts.left += 1
      continue
    }
    counts.walked += 1
    const lines = found.map(({ commit, parents }) => [commit, ...parents].join(' '))
    // With first parents only, git lists only these.
    const expected = isMainline ? listed.map((line) => line.split(' ', 1)[0]) : listed
    const walked = isMainline ? found.map(({ commit }) => commit) : lines
    assert.deepEqual(
      walked,
      expected.filter((line) => line !== ''),
      `${from}..${to}`,
    )
  }
  assert.ok(counts.walked > 50 && counts.left > 20, JSON.stringify(counts))
})
