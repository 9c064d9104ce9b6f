// `docent check --source`, on a small history of real git.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { type Cleanup, plainGit, temporaryFolder } from '../../../test/support/git-remote.ts'
import { createClone } from '../../../test/support/source-clone.ts'
import { writeFiles } from '../../../test/support/temporary.ts'

const options = (name: string, retries: number) =>
  `export const options = {\n  "${name}": number(100),\n  "retries": number(${retries}),\n}\n`
const page = '# Use\n\nSet `--max-lines`.\n\nA failed request is sent again: `--retries` (default `3`).\n'

test('--source reports what the docs say and a clone no longer has', async (t) => {
  const { docs, clone, commit } = writeBoth(t)
  const { code, stdout, stderr } = await runCommand(['check', docs, '--source', clone], {})
  assert.equal(code, 5, stderr)
  const name = clone.split('/').at(-1) ?? ''
  assert.equal(
    stdout,
    [
      'use.md',
      `  3  wrong     names --max-lines, which ${name} removed in ${commit} of 2023-11-14; did you mean --max-rows?  stale-term`,
      `  5  wrong     says 3 of --retries, which was so in ${name} and is 5 now (src/options.ts); did you mean 5?  stale-value`,
      '',
      'Checked 1 page: plain.',
      `Compared 2 terms of 1 page with ${name}@${commit}: 1 file, and 2 revisions since 2023-11-14.`,
      '2 problems: 2 wrong.',
      '',
    ].join('\n'),
  )
})

test('findings of drift can be ignored, and --json and --sarif say what they rest on', async (t) => {
  const { docs, clone } = writeBoth(t)
  const ignore = ['--ignore', 'stale-term=use.md', '--ignore', 'stale-value=.']
  const json = JSON.parse((await runCommand(['check', docs, '--source', clone, ...ignore, '--json'], {})).stdout)
  const head = plainGit(clone, ['rev-parse', 'HEAD'])
  assert.deepEqual([json.findings, json.ignored, json.drift.sources[0].commit, json.drift.terms], [[], 2, head, 2])
  const sarif = JSON.parse((await runCommand(['check', docs, '--source', clone, '--sarif'], {})).stdout)
  const [run] = sarif.runs
  assert.deepEqual(
    run.results.map(({ ruleId }: { ruleId: string }) => ruleId),
    ['stale-term', 'stale-value'],
  )
  assert.equal(run.properties.drift.sources[0].commit, head)
})

test('with --since only the terms that the change adds are reported', async (t) => {
  const { docs, clone } = writeBoth(t)
  const folder = createClone(t, [{ 'use.md': '# Use\n\nSet `--max-lines`.\n' }, { 'use.md': page }])
  const { stdout } = await runCommand(['check', folder, '--since', 'v1', '--source', clone], {})
  assert.match(stdout, /stale-value$/m)
  assert.doesNotMatch(stdout, /stale-term$/m)
  assert.match(stdout, /^New: 1\. Fixed: 0\. In the base already: 1\.$/m)
  const none = await runCommand(['check', docs, '--source', temporaryFolder(t)], {})
  assert.match(none.stderr, /^docent: There is no git repository in .*\.$/m)
})

function writeBoth(t: Cleanup) {
  const docs = temporaryFolder(t)
  writeFiles(docs, { 'use.md': page })
  const clone = createClone(t, [
    { 'src/options.ts': options('max-lines', 3) },
    { 'src/options.ts': options('max-rows', 5) },
  ])
  return { docs, clone, commit: plainGit(clone, ['rev-parse', '--short=7', 'HEAD']) }
}
