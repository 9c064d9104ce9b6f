import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal, testRepository } from '../../../test/support/git-remote.ts'
import { servedHistory } from '../../../test/support/git-server.ts'
import type { Repository } from '../types.ts'

const wantsMain = { branch: 'main', branches: [] }

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

test('the commits that are here decide at once, or the history does', async (t) => {
  const { repository, remote, commits, server } = await servedHistory(t)
  const [first = '', , third = '', last = ''] = commits
  await repository.fetch(wantsMain, signal())
  const draft = await commitOn(repository, last)
  const second = await commitOn(repository, draft)
  const before = server.requests.length
  assert.equal(await repository.isAncestor(last, second, signal()), true)
  assert.equal(await repository.isAncestor(second, last, signal()), false)
  assert.equal(await repository.mergeBase(last, second, signal()), last)
  assert.equal(await repository.mergeBase(second, last, signal()), last)
  assert.equal(await repository.countMissing(last, second, signal()), 0)
  assert.equal(await repository.contains(draft, signal()), true)
  assert.equal(await repository.has(first), false)
  assert.equal(server.requests.length, before)
  remote.git(['update-ref', 'refs/heads/side', third])
  const side = remote.commit('side', { 'side.md': 'x' })
  await repository.fetch({ branch: 'main', branches: ['side'] }, signal())
  assert.equal(await repository.mergeBase(side, second, signal()), third)
  assert.equal(await repository.countMissing(side, second, signal()), 1)
  assert.equal(await repository.isAncestor(first, last, signal()), true)
})

test('a commit that only the missing history connects is an ancestor, too', async (t) => {
  const { repository, remote, commits } = await servedHistory(t)
  const [, , third = '', last = ''] = commits
  await repository.fetch(wantsMain, signal())
  remote.git(['update-ref', 'refs/heads/side', third])
  await repository.fetch({ branch: 'main', branches: ['side'] }, signal())
  assert.equal(await repository.has(third), true)
  assert.equal(await repository.isAncestor(third, last, signal()), true)
})

for (const [name, ask, expected] of [
  ['contains', (repository: Repository, [first = '']: readonly string[]) => repository.contains(first, signal()), true],
  [
    'isAncestor',
    (repository: Repository, [first = '', , , last = '']: readonly string[]) =>
      repository.isAncestor(first, last, signal()),
    true,
  ],
  [
    'countMissing',
    (repository: Repository, [first = '', , , last = '']: readonly string[]) =>
      repository.countMissing(last, first, signal()),
    3,
  ],
  [
    'ensure',
    (repository: Repository, [first = '']: readonly string[]) => repository.ensure([first], wantsMain),
    undefined,
  ],
  [
    'merge',
    async (repository: Repository, [, second = '', , last = '']: readonly string[]) =>
      (await repository.merge({ into: second, from: last, message: 'x', date: new Date(0) }, signal())).kind,
    'clean',
  ],
] as const) {
  test(`${name} waits for commits that are not here`, async (t) => {
    const { repository, commits } = await servedHistory(t)
    await repository.fetch(wantsMain, signal())
    assert.equal(await ask(repository, commits), expected)
  })
}

async function commitOn(repository: Repository, parent: string): Promise<string> {
  const edits = [{ path: 'new.md', content: Buffer.from('new'), mode: '100644' as const }]
  return await repository.commit({ parent, edits, message: 'x', date: new Date(0) })
}
