import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal, testRepository } from '../../../test/support/git-remote.ts'
import type { LogQuery, Repository } from '../../git/types.ts'
import { readHistory } from './history.ts'

test('only the commits that came since the last reading are read', async (t) => {
  const { remote, repository } = await testRepository(t)
  const asked: LogQuery[] = []
  const counted: Pick<Repository, 'log' | 'mainline'> = {
    ...repository,
    log: (query, until) => {
      asked.push(query)
      return repository.log(query, until)
    },
  }
  const commit = async (path: string, branch = 'main') => {
    const id = remote.commit(branch, { [path]: `${path}\n` }, `Write ${path}`)
    await repository.fetch({ branch, branches: ['main'] }, signal())
    return id
  }
  const same = async (to: string) => {
    const { commits } = await repository.log({ to, isVisible: () => true, limit: 100 }, signal())
    const expected = commits.map(({ subject, files }) => ({ subject, paths: files.map(({ path }) => path) }))
    assert.deepEqual(await readHistory(counted, to, signal()), expected)
  }
  const first = await commit('a.md')
  await same(first)
  await same(first)
  assert.equal(asked.length, 1)
  await commit('b.md')
  const third = await commit('c.md')
  await same(third)
  assert.deepEqual([asked.length, asked[1]?.from], [2, first])
  // An earlier commit, and a branch that the last reading is not part of.
  await same(first)
  remote.git(['branch', 'other', first])
  await same(await commit('d.md', 'other'))
  assert.equal(asked.length, 4)
  await same(third)
  assert.equal(asked[4]?.from, undefined)
})
