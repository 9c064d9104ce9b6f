import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../lib/clock.ts'
import type { ProjectRow } from '../../../postgres/schema.ts'
import { signal, waitForHistory } from '../../../../test/support/git-remote.ts'
import { servedHistory } from '../../../../test/support/git-server.ts'
import { noSources } from '../../../agent/sources.ts'
import { introduce } from './introduce.ts'

test('the brief names the last tag as soon as the history is here', async (t) => {
  const { repository, remote, commits } = await servedHistory(t)
  remote.git(['tag', 'v1.0.0', commits[1] ?? ''])
  const refs = await repository.fetch({ branch: 'main', branches: [] }, signal())
  const { base, tags } = refs
  const project = { repository: 'https://example.com/acme/docs', checks: '{}', budget: '{}' } as ProjectRow
  const deps = {
    budget: { turns: 5, tokens: 1, costUsd: 1, seconds: 1, changedFiles: 2, changedBytes: 1_000 },
    clock: systemClock,
    redactor: { hide: (text: string) => text, redact: (text: string) => text },
  }
  const branch = { branch: 'docent/1', expectedHead: null, pull: undefined }
  const prepared = { base, tags, start: base.commit, draft: null, sources: [], ...branch }
  const brief = async () =>
    JSON.stringify(
      await introduce({ project, repository, deps, signal: signal() }, prepared, { earlier: [], sources: noSources }),
    )
  assert.match(await brief(), new RegExp(`at ${base.commit.slice(0, 12)} of 2023-11-14; no tag known`))
  await waitForHistory(repository)
  const text = await brief()
  assert.match(text, /; last tag v1\.0\.0 of 2023-11-14, 2 commits since/)
  assert.match(text, /Last changes of the documentation: [0-9a-f]{7} of 2023-11-14 /)
})
