// `docent check` lists the translations that are behind, in a folder of a repository, and fails nothing for them.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { plainGit, temporaryFolder } from '../../../test/support/git-remote.ts'
import { writeFiles } from '../../../test/support/temporary.ts'

const page = (text: string) => `---\ntitle: Install\n---\n\n# Install\n\n${text}\n`
const first = {
  'site/mkdocs.yml': 'site_name: Acme\n',
  'site/docs/install.md': page('Run it.'),
  'site/docs/more.md': page('More.'),
  'site/docs/de/install.md': page('Starte es.'),
  'site/docs/de/more.md': page('Mehr.'),
}

test('translations that are behind are listed in a folder, and fail nothing', async (t) => {
  const folder = temporaryFolder(t)
  plainGit(folder, ['init', '--quiet', '--initial-branch=main'])
  const commit = (files: Readonly<Record<string, string>>) => {
    writeFiles(folder, files)
    plainGit(folder, ['add', '--all'])
    plainGit(folder, ['commit', '--quiet', '--message=x'])
  }
  commit(first)
  commit({ 'site/docs/install.md': page('Run it twice.') })
  const since = plainGit(folder, ['rev-parse', 'main~1']).trim()
  const check = (...more: readonly string[]) => runCommand(['check', join(folder, 'site'), '--no-cache', ...more], {})
  const { code, stdout } = await check()
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^1 of 2 translations are behind their source pages:$/m)
  assert.match(
    stdout,
    new RegExp(`^ {2}docs/de/install\\.md  docs/install\\.md has changed since ${since.slice(0, 7)} of `, 'm'),
  )
  const json = JSON.parse((await check('--json')).stdout) as {
    readonly translations: { readonly outdated: readonly object[] }
  }
  const [outdated] = json.translations.outdated as readonly { readonly path: string; readonly since: string }[]
  assert.deepEqual([outdated?.path, outdated?.since], ['docs/de/install.md', since])
  const log = JSON.parse((await check('--sarif')).stdout) as {
    readonly runs: readonly { readonly results: readonly { readonly ruleId: string; readonly level: string }[] }[]
  }
  assert.deepEqual(
    log.runs[0]?.results.map(({ ruleId, level }) => [ruleId, level]),
    [['outdated-translation', 'note']],
  )
  writeFiles(folder, { 'site/docs/de/install.md': page('Starte es zweimal.') })
  assert.doesNotMatch((await check()).stdout, /behind/)
})

test('translations in no repository are counted as not judged', async (t) => {
  const folder = temporaryFolder(t)
  writeFiles(folder, first)
  const { code, stdout } = await runCommand(['check', join(folder, 'site'), '--no-cache'], {})
  assert.equal(code, 0)
  assert.match(stdout, /^ {2}2 {2}the history of the documentation is not here, .*such as docs\/de\/install\.md$/m)
})
