import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import type { Answer, AskedFile } from '../../../jobs/policy/ask/ask.ts'
import type { FileVerdict } from '../../../jobs/policy/ask/judge-files.ts'
import type { PathVerdict } from '../../../jobs/policy/judge-path.ts'

suite('the test of paths against the policy', () => {
  let t: TestApp
  let path: string
  before(async () => {
    t = await openTestApp()
    path = `/v1/projects/${t.project.id}/policy/test`
    const pathPolicy = { allow: ['docs/', '*.yml'], deny: ['docs/legal/'], unprotect: ['docs/package.json'] }
    const changed = await t.call(`/v1/projects/${t.project.id}`, {
      key: t.keys.adminOfProject,
      method: 'PATCH',
      json: { pathPolicy },
    })
    assert.equal(changed.status, 200)
  })

  test('each path gets its verdict with the rule, in the order of the request', async () => {
    const table: readonly (readonly [string, PathVerdict['result'], PathVerdict['rule'], string | null])[] = [
      ['docs/a.md', 'allowed', 'allow', 'docs/'],
      ['a.md', 'denied', 'allow', null],
      ['docs/legal/a.md', 'denied', 'deny', 'docs/legal/'],
      ['docs/package.json', 'allowed', 'unprotect', 'docs/package.json'],
      ['package.json', 'protected', 'protected', 'package.{json,json5,yaml}'],
      ['.github/workflows/x.yml', 'protected', 'protected', '**/.github/workflows/**'],
      ['docs/sidebars.js', 'allowed', 'shown', null],
      ['docs/hook.py', 'allowed', 'shown', null],
      ['docs/.markdownlint.yml', 'allowed', 'shown', null],
      ['docs/.git/config', 'denied', 'never', null],
    ]
    const response = await t.call(path, { key: t.keys.read, json: { paths: table.map(([path]) => path) } })
    assert.equal(response.status, 200, await response.clone().text())
    const { paths } = (await response.json()) as { readonly paths: readonly PathVerdict[] }
    assert.deepEqual(
      paths.map(({ path, result, rule, glob }) => [path, result, rule, glob]),
      table,
    )
    assert.match(paths[4]?.message ?? '', /^is protected: a manifest or lock file of JavaScript$/)
  })

  test('no path, an empty path and too many paths are refused', async () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{}, '#/paths'],
      [{ paths: [] }, '#/paths'],
      [{ paths: 'a' }, '#/paths'],
      [{ paths: ['a', ''] }, '#/paths/1'],
      [{ paths: Array(1_001).fill('a') }, '#/paths'],
    ]
    for (const [json, pointer] of wrong) {
      const problem = await expectProblem(await t.call(path, { key: t.keys.read, json }), 400, 'invalid_input')
      assert.ok(JSON.stringify(problem).includes(pointer), JSON.stringify(problem))
    }
    assert.equal((await t.call(path, { key: t.keys.read, json: { paths: Array(1_000).fill('a') } })).status, 200)
  })

  test('for a key that may not see it, a project looks like a missing one', async () => {
    const json = { paths: ['a'] }
    const other = '/v1/projects/prj_00000000000000000000/policy/test'
    await expectProblem(await t.call(other, { key: t.keys.read, json }), 404, 'not_found')
    await expectProblem(await t.call(path, { json, key: null }), 401, 'unauthenticated')
  })
})

type FileAnswer = {
  readonly files: readonly FileVerdict[]
  readonly basis: Answer['basis'] | null
}

suite('the test of texts against the policy', () => {
  const commit = 'c'.repeat(40)
  const mirror = {
    '.vitepress/config.ts': 'export default {}\n',
    'docs/old.md': '# Old\n\n<script>known()</script>\n',
    'docs/mode.md': '# Mode\n',
  }
  let t: TestApp
  const ask = async (files: readonly AskedFile[]): Promise<FileAnswer> => {
    const path = `/v1/projects/${t.project.id}/policy/test`
    const response = await t.call(path, { key: t.keys.read, json: { files } })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as FileAnswer
  }
  before(async () => {
    const has = (oid: string) => Promise.resolve(oid === commit)
    t = await openTestApp({ has, tree: () => Promise.resolve({ ...memoryTree(mirror), commit }) })
    const expected = { paths: ['examples/'], components: [], keys: ['mkdocs.yml:plugins'] }
    const pathPolicy = { allow: ['docs/', 'examples/', '*.yml', '*.json'], deny: ['docs/legal/'], expected }
    const json = { pathPolicy: { ...pathPolicy, unprotect: ['docs/package.json'] } }
    const changed = await t.call(`/v1/projects/${t.project.id}`, { key: t.keys.adminOfProject, method: 'PATCH', json })
    assert.equal(changed.status, 200)
  })

  test('each file gets its verdict with rule and line, in the order of the request', async () => {
    const table: readonly (readonly [path: string, text: string, result: string, rule: string, line: number | null])[] =
      [
        ['docs/a.md', '# A\n\nText.\n', 'allowed', 'allow', null],
        ['docs/b.md', '# B\n\n<script>x()</script>\n', 'refused', 'content', 3],
        ['docs/c.md', `# C\n\nghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}\n`, 'refused', 'secret', 3],
        ['docs/d.md', '---\nredirect_to: https://evil.example/\n---\n', 'shown', 'redirect', 2],
        ['docs/x.js', 'run()\n', 'shown', 'code', null],
        ['docs/e.md', '```{code-cell}\nrun()\n```\n', 'shown', 'page', 1],
        ['docs/.markdownlint.yml', 'a: 1\n', 'shown', 'file', null],
        ['docs/f.md', '{{#include ../parts/f.md}}\n', 'shown', 'include', 1],
        ['docs/legal/a.md', '# A\n', 'denied', 'deny', null],
        ['a.md', '# A\n', 'denied', 'allow', null],
        ['docs/%41.md', '# A\n', 'denied', 'never', null],
        ['docs/package.json', '{}\n', 'allowed', 'unprotect', null],
        ['package.json', '{}\n', 'protected', 'protected', null],
        ['examples/a.js', 'run()\n', 'allowed', 'expected', null],
        ['mkdocs.yml', 'site_name: x\nplugins: [macros]\n', 'allowed', 'expected', 2],
      ]
    const { files, basis } = await ask(table.map(([path, text]) => ({ path, text })))
    assert.deepEqual(
      files.map(({ path, result, rule, line }) => [path, result, rule, line]),
      table.map(([path, , ...verdict]) => [path, ...verdict]),
    )
    assert.deepEqual(files[3]?.hosts, [{ host: 'evil.example', line: 2 }])
    assert.equal(basis?.commit, null)
    assert.match(basis?.message ?? '', /^Only what was sent/)
  })

  test('too many files, too long ones and a path twice are refused', async () => {
    const path = `/v1/projects/${t.project.id}/policy/test`
    const send = (files: readonly AskedFile[]) => t.call(path, { key: t.keys.read, json: { files } })
    const file = (at: number, text = 'x') => ({ path: `docs/${at}.md`, text })
    const many = Array.from({ length: 21 }, (_, at) => file(at))
    const long = 'x'.repeat(500_000)
    for (const [files, pointer] of [
      [many, '#/files'],
      [[file(1), file(1)], '#/files'],
      [[file(1, `${long}x`)], '#/files/0/text'],
      [[{ ...file(1), before: `${long}x` }], '#/files/0/before'],
      [[file(1), { path: '', text: '' }], '#/files/1/path'],
    ] as const) {
      const problem = await expectProblem(await send(files), 400, 'invalid_input')
      assert.ok(JSON.stringify(problem).includes(`"${pointer}"`), JSON.stringify(problem))
    }
    await expectProblem(await send([file(1, long), file(2, long), file(3, long)]), 413, 'payload_too_large')
    assert.equal((await send(many.slice(1))).status, 200)
    assert.equal((await send([file(1, long)])).status, 200)
  })

  test('parts that a text had before are not new', async () => {
    const [script, host] = ['<script>x()</script>\n', 'See https://acme.example.\n']
    const verdictOf = async (before?: string) => {
      const file = { path: 'docs/a.md', text: `# A\n\n${script}\n${host}` }
      const { files } = await ask([before === undefined ? file : { ...file, before }])
      return [files[0]?.result, files[0]?.hosts.length]
    }
    assert.deepEqual(await verdictOf(), ['refused', 1])
    assert.deepEqual(await verdictOf(script), ['allowed', 1])
    assert.deepEqual(await verdictOf(script + host), ['allowed', 0])
  })

  test('the base of the last run says what kind of site it is, and what a file had', async () => {
    const created = await t.call(`/v2/agent/${t.project.id}/job`, { json: { prompt: 'x' } })
    assert.equal(created.status, 201, await created.clone().text())
    await t.db.updateTable('runs').set({ base_commit: commit }).execute()
    const expression = { path: 'docs/v.md', text: '# V\n\n{{ run() }}\n' }
    const old = { path: 'docs/old.md', text: '# New\n\n<script>known()</script>\n' }
    const { files, basis } = await ask([expression, old])
    assert.deepEqual(
      files.map(({ result, line }) => [result, line]),
      [
        ['shown', 3],
        ['allowed', null],
      ],
    )
    assert.equal(basis?.commit, commit)
    assert.match(basis?.message ?? '', /^The names of the files in commit cccccccccccc/)
  })
})
