// `docent check --since --source`: names that a change adds, looked up in real repositories.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { plainGit } from '../../../test/support/git-remote.ts'
import { createClone } from '../../../test/support/source-clone.ts'
import { writeFiles } from '../../../test/support/temporary.ts'

const start = {
  'docs/use.md': '# Use\n\n[Set](#use) `--old-docs-only`.\n',
  'src/serve.ts': "flag('--port', 8080)\n",
}

type Printed = {
  readonly findings: readonly { readonly kind: string; readonly target: string }[]
  readonly ignored: number
  readonly ungrounded: readonly { readonly path: string; readonly line: number; readonly term: string }[]
  readonly grounding: { readonly judged: number; readonly notJudged: number; readonly missing: number }
  readonly coverage: { readonly notJudged: readonly { readonly reason: string; readonly example: string }[] }
}

async function check(folder: string, source: string, ...more: readonly string[]) {
  const args = ['check', join(folder, 'docs'), '--since', 'v1', '--source', source, ...more]
  return await runCommand(args, {})
}

async function termsOf(folder: string, source: string): Promise<string[]> {
  const { stdout, stderr } = await check(folder, source, '--json')
  assert.equal(stderr, '')
  return (JSON.parse(stdout) as Printed).ungrounded.map(({ path, line, term }) => `${path}:${line} ${term}`)
}

test('names of the docs before, of code now and of a source are found', async (t) => {
  const folder = createClone(t, [start])
  const source = createClone(t, [{ 'api.ts': "flag('--of-the-api')\n", 'package-lock.json': '"--of-a-lock"\n' }])
  writeFiles(folder, {
    'docs/new.md': '# New\n\n`--old-docs-only`, `--port` of `8080`, `--just-written`, `--of-the-api`, `--of-a-lock`.\n',
    'docs/other.md': '# Other\n\nNothing `--nowhere`, and `--port` is `8081`.\n',
    'src/new.ts': "flag('--just-written')\n",
  })
  assert.deepEqual(await termsOf(folder, source), ['new.md:3 --of-a-lock', 'other.md:3 --nowhere', 'other.md:3 8081'])
})

test('a committed page does not prove its own names, in no clone of it', async (t) => {
  const page = '# New\n\nSet `--nowhere`.\n'
  const folder = createClone(t, [start, { 'docs/new.md': page, 'README.md': page }])
  writeFiles(folder, { 'docs/new.md': `${page}\nMore.\n` })
  const copy = createClone(t, [])
  plainGit(copy, ['pull', '--quiet', folder, 'main'])
  for (const source of [folder, join(folder, 'docs'), copy])
    assert.deepEqual(await termsOf(folder, source), ['new.md:3 --nowhere'], source)
})

test('they are shown, and fail the check only if that is asked for', async (t) => {
  const folder = createClone(t, [start, { 'docs/new.md': '# New\n\nSet `--nowhere`.\n' }])
  const shown = await check(folder, folder)
  assert.deepEqual([shown.code, shown.stderr], [0, ''])
  assert.match(shown.stdout, /^new\.md\n {2}3 {2}unknown {3}--nowhere is not found in the sources {2}ungrounded$/m)
  assert.match(shown.stdout, /^Looked up 1 name or value of the change: 1 was not found in the sources\.$/m)
  const failed = await check(folder, folder, '--grounding', 'fail')
  assert.deepEqual([failed.code, failed.stderr], [5, 'docent: 1 name or value is not found in the sources.\n'])
  const ignored = await check(folder, folder, '--grounding', 'fail', '--ignore', 'ungrounded=new.md')
  assert.equal(ignored.code, 0)
  assert.doesNotMatch(ignored.stdout, /unknown/)
  assert.match(ignored.stdout, /: 1 was not found in the sources\.\n(?:.*\n)*Ignored: 1\.$/m)
  assert.doesNotMatch((await check(folder, folder, '--grounding', 'off')).stdout, /Looked up|unknown/)
  const alone = await runCommand(['check', folder, '--since', 'v1', '--grounding', 'fail'], {})
  assert.deepEqual([alone.code, alone.stderr], [2, 'docent: --grounding needs --since and --source.\n'])
  const sarif = JSON.parse((await check(folder, folder, '--sarif')).stdout)
  const [result] = sarif.runs[0].results
  assert.deepEqual(
    [result.ruleId, result.level, result.message.text],
    ['ungrounded', 'note', 'Not found in the sources: --nowhere.'],
  )
  assert.ok(sarif.runs[0].tool.driver.rules.some(({ id }: { readonly id: string }) => id === 'ungrounded'))
})

test('a name that the source had is a problem, and not listed again', async (t) => {
  const options = (name: string) => ({ 'src/options.ts': `export const options = {\n  "${name}": number(100),\n}\n` })
  const source = createClone(t, [options('max-lines'), options('max-rows')])
  const page = '# New\n\nSet `--max-lines`.\n'
  // The docs had it while the source did, and a change brings it back.
  const folder = createClone(t, [{ ...start, 'docs/old.md': page }, { 'docs/old.md': null }, { 'docs/new.md': page }])
  const args = ['check', join(folder, 'docs'), '--since', 'v2', '--source', source, '--json']
  const { code, stdout } = await runCommand(args, {})
  const { findings, ungrounded, grounding } = JSON.parse(stdout) as Printed
  assert.deepEqual(
    findings.map(({ kind, target }) => `${kind} ${target}`),
    ['stale-term --max-lines'],
  )
  assert.deepEqual([code, ungrounded, grounding.missing], [5, [], 1])
})

test('names that cannot be looked up are counted, with an example', async (t) => {
  const folder = createClone(t, [start, { 'docs/new.md': '# New\n\nSet `--nowhere`.\n' }])
  const source = createClone(t, [{ 'api.ts': "flag('--of-the-api')\n" }])
  const object = plainGit(source, ['rev-parse', 'HEAD:api.ts'])
  rmSync(join(source, '.git/objects', object.slice(0, 2), object.slice(2)))
  const { code, stdout } = await check(folder, source, '--json')
  const { ungrounded, grounding, coverage } = JSON.parse(stdout) as Printed
  assert.deepEqual([code, ungrounded, grounding], [0, [], { judged: 0, notJudged: 1, missing: 0 }])
  assert.equal(coverage.notJudged.find(({ reason }) => reason === 'lookup')?.example, 'new.md:3 --nowhere')
})
