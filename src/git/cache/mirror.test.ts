import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../../test/support/git-remote.ts'
import { createLog } from '../../lib/observability/log.ts'
import { parseAddress } from '../transport/address.ts'
import { usualPath } from '../transport/env.ts'
import { type Mirror, createMirror, git, withMirror } from './mirror.ts'
import { damaged } from '../transport/errors.ts'
import { createRunner } from '../transport/run.ts'

/** Mirrors of several services over one folder. */
function mirrors(t: TestContext, count: number): Mirror[] {
  const directory = temporaryFolder(t)
  const rules = { allowLocal: true, privateHosts: [] }
  return Array.from({ length: count }, () => {
    const runner = createRunner({ home: directory, path: usualPath, timeoutMs: 20_000 })
    t.after(async () => await runner.close())
    const limits = { maxRepositoryBytes: 1e8, maxRepositoryFiles: 100, maxFileBytes: 1e6, timeoutMs: 20_000 }
    const identity = { name: 'x', email: 'x' }
    const options = { directory, ...rules, ...limits, identity, log: createLog('silent') }
    return createMirror(runner, options, 'prj_a', parseAddress('/srv/x.git', rules))
  })
}

const works = async (mirror: Mirror): Promise<string> =>
  (await git(mirror, { args: ['rev-parse', '--git-dir'] })).toString().trim()
const mark = (mirror: Mirror): string => readFileSync(join(mirror.gitDir, 'docent-mirror'), 'utf8')

test('services that need a mirror at the same moment share one', async (t) => {
  const all = mirrors(t, 8)
  const marks = await Promise.all(
    all.map(
      async (mirror) =>
        await withMirror(mirror, async () => {
          const mine = mark(mirror)
          await works(mirror)
          return mine
        }),
    ),
  )
  assert.equal(new Set(marks).size, 1)
  assert.deepEqual(readdirSync(all[0]?.options.directory ?? ''), ['prj_a.git'])
})

test('a mirror that another service made again is used', async (t) => {
  const [one, two] = mirrors(t, 2) as [Mirror, Mirror]
  await withMirror(one, async () => await works(one))
  let runs = 0
  await withMirror(one, async () => {
    runs += 1
    if (runs > 2) return await works(one)
    if (runs === 1) {
      two.state.isDamaged = true
      await withMirror(two, async () => await works(two))
      writeFileSync(join(two.gitDir, 'witness'), '')
    }
    throw damaged('test')
  })
  assert.equal(runs, 3)
  assert.equal(existsSync(join(one.gitDir, 'witness')), true)
})

test('a mirror is made again once; then it is the repository that is damaged', async (t) => {
  const [mirror] = mirrors(t, 1) as [Mirror]
  await withMirror(mirror, async () => await works(mirror))
  const before = mark(mirror)
  let runs = 0
  const broken = withMirror(mirror, async () => {
    runs += 1
    throw damaged('test')
  })
  await assert.rejects(broken, { code: 'repository_invalid' })
  assert.equal(runs, 3)
  assert.notEqual(mark(mirror), before)
  await assert.rejects(
    withMirror(mirror, async () => await Promise.reject(new Error('other'))),
    /other/,
  )
})

test('a folder that was never a mirror is replaced', async (t) => {
  const [mirror, other] = mirrors(t, 2) as [Mirror, Mirror]
  mkdirSync(join(mirror.gitDir, 'objects'), { recursive: true })
  assert.equal(await withMirror(mirror, async () => await works(mirror)), mirror.gitDir)
  mirror.state.isDamaged = true
  const lost = withMirror(mirror, async () => {
    other.state.isDamaged = true
    await withMirror(other, async () => await works(other))
    throw damaged('test')
  })
  await assert.rejects(lost, { code: 'unavailable' })
})
