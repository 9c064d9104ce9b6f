import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding, FindingKind } from '../verdict.ts'
import { createIsExpected } from './expected.ts'

const isExpected = createIsExpected({
  paths: ['examples/', '*.lua'],
  components: ['@site/src/Chart'],
  keys: ['mkdocs.yml:plugins'],
})

function finding(kind: FindingKind, path: string, more: Partial<Finding> = {}): Finding {
  return { kind, path, line: null, message: 'x', remedy: null, ...more }
}

test('paths, components and keys are expected, with the keys below', () => {
  assert.ok(isExpected(finding('code', 'examples/a/b.py')))
  assert.ok(isExpected(finding('file', 'docs/x.lua')))
  assert.ok(!isExpected(finding('code', 'src/a.py')))
  assert.ok(isExpected(finding('page', 'a.mdx', { component: '@site/src/Chart' })))
  assert.ok(!isExpected(finding('page', 'a.mdx', { component: '@site/src/Charts' })))
  assert.ok(!isExpected(finding('page', 'a.mdx')))
  assert.ok(isExpected(finding('code', 'mkdocs.yml', { key: 'plugins.macros' })))
  assert.ok(isExpected(finding('code', 'mkdocs.yml', { key: 'plugins' })))
  assert.ok(!isExpected(finding('code', 'mkdocs.yml', { key: 'plugins_dir' })))
  assert.ok(!isExpected(finding('code', 'docs/mkdocs.yml', { key: 'plugins' })))
})

test('nothing that is refused, and no deleted page, is ever expected', () => {
  for (const kind of ['never', 'protected', 'denied', 'secret', 'content', 'deletion', 'attempt'] as const) {
    assert.ok(!isExpected(finding(kind, 'examples/a.py', { key: 'plugins', component: '@site/src/Chart' })), kind)
  }
})
