import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describePolicy, policyOf, policyProblem, refusedPaths } from './policy.ts'
import { enforcePolicy } from '../run/enforce-policy.ts'

test('a path is refused when it is denied, or when others are allowed', () => {
  const table: [readonly string[], readonly string[], string, boolean][] = [
    [[], [], 'package.json', false],
    [['docs/'], [], 'docs/a.md', false],
    [['docs/'], [], 'docs/deep/er/a.md', false],
    [['docs/'], [], 'docs', true],
    [['docs/'], [], 'docs2/a.md', true],
    [['docs/'], [], 'src/docs/a.md', true],
    [['docs/'], [], 'Docs/a.md', true],
    [['/docs/'], [], 'docs/a.md', false],
    [['docs'], [], 'docs/a.md', false],
    [['*.md'], [], 'any/where/a.md', false],
    [['*.md'], [], 'a.mdx', true],
    [['*.{md,mdx}'], [], 'a.mdx', false],
    [['docs/', 'README.md'], [], 'README.md', false],
    [[], ['docs/legal/'], 'docs/legal/terms.md', true],
    [[], ['docs/legal/'], 'docs/a.md', false],
    [['docs/'], ['docs/legal/'], 'docs/legal/terms.md', true],
    [['docs/legal/'], ['docs/'], 'docs/legal/terms.md', true],
    [['**'], ['**'], 'a', true],
    [[], ['.*'], '.github/workflows/x.yml', false],
    [[], ['.github/'], '.github/workflows/x.yml', true],
  ]
  for (const [allow, deny, path, expected] of table) {
    assert.deepEqual(
      refusedPaths({ allow, deny }, [path]),
      expected ? [path] : [],
      `${path} of +${allow.join()} -${deny.join()}`,
    )
  }
})

test('denied paths stay denied, and more denials never allow more', () => {
  const path = fc.stringMatching(/^[a-c]{1,3}(\/[a-c]{1,3}){0,2}\.md$/)
  const glob = fc.constantFrom('a/', 'b/**', '*.md', 'a*/', '**/c.md', 'c', '{a,b}/', '?/b.md')
  const globs = fc.array(glob, { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(path, { maxLength: 6 }), globs, globs, glob, (paths, allow, deny, more) => {
      const refused = refusedPaths({ allow, deny }, paths)
      const stricter = refusedPaths({ allow, deny: [...deny, more] }, paths)
      assert.ok(refused.every((one) => stricter.includes(one)))
      assert.ok(refusedPaths({ allow: [], deny }, paths).every((one) => refused.includes(one)))
      if (allow.length > 0) {
        const wider = refusedPaths({ allow: [...allow, more], deny }, paths)
        assert.ok(wider.every((one) => refused.includes(one)))
      }
    }),
  )
})

test('the words name the paths, ten at most', () => {
  const policy = { allow: ['docs/'], deny: [] }
  assert.equal(policyProblem(policy, ['docs/a.md']), undefined)
  assert.match(policyProblem(policy, ['a', 'docs/b', 'c']) ?? '', /does not allow changes to a, c$/)
  const many = Array.from({ length: 12 }, (_, at) => `p${at}`)
  assert.match(policyProblem(policy, many) ?? '', /p9 and 2 more$/)
  assert.equal(describePolicy({ allow: [], deny: [] }), undefined)
  assert.match(describePolicy({ allow: ['docs/'], deny: ['x'] }) ?? '', /one of these globs: docs\/ \..* these: x \./)
})

test('the step before the commit refuses changes and deletions once more', () => {
  const context = { project: { path_policy: '{"deny":["legal/"]}' } } as Parameters<typeof enforcePolicy>[0]
  const edited = (path: string, content: Uint8Array | null) =>
    ({ edits: [{ path, content, mode: '100644' }] }) as unknown as Parameters<typeof enforcePolicy>[1]
  const fine = edited('docs/a.md', new Uint8Array())
  assert.equal(enforcePolicy(context, fine), fine)
  for (const content of [new Uint8Array(), null]) {
    assert.throws(() => enforcePolicy(context, edited('legal/a.md', content)), {
      code: 'policy_refused',
      message: /does not allow changes to legal\/a\.md/,
    })
  }
  assert.deepEqual(policyOf({ path_policy: '{}' }), { allow: [], deny: [] })
})
