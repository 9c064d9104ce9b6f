import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal, testRepository } from '../../../test/support/git-remote.ts'

test('a fetch names tags by commit, and a history has the dates of commits', async (t) => {
  const { remote, repository } = await testRepository(t)
  const first = remote.commit('main', { 'a.md': 'a' })
  const second = remote.commit('main', { 'a.md': 'b' })
  for (const name of ['v1', '@acme/docs@1.0.0', 'v1;rm', '"x"']) remote.git(['update-ref', `refs/tags/${name}`, first])
  remote.git(['-c', 'user.name=A', '-c', 'user.email=a@example.com', 'tag', '-a', '-m', 'Two', 'v2', second])
  const { base, tags } = await repository.fetch({ branch: 'main', branches: [] }, signal())
  assert.deepEqual(tags.get(first)?.toSorted(), ['@acme/docs@1.0.0', 'v1'])
  assert.deepEqual(tags.get(second), ['v2'])
  assert.equal(await repository.history(base.commit, 10), undefined, 'it has not arrived')
  const { date } = await repository.commitFacts(base.commit)
  assert.equal(date.getTime(), Number(remote.git(['log', '-1', '--format=%ct', second])) * 1_000)
  assert.equal(await repository.mergeBase(first, second, signal()), first)
  const history = (await repository.history(base.commit, 10)) ?? []
  assert.deepEqual(
    history.map(({ commit }) => commit),
    [second, first],
  )
  const seconds = remote.git(['log', '-1', '--format=%ct', second])
  assert.equal(history[0]?.date.getTime(), Number(seconds) * 1_000)
  assert.equal((await repository.history(base.commit, 1))?.length, 1)
  assert.equal(await repository.history(base.commit, 10), history, 'read once')
})
