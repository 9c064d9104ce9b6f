import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
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
