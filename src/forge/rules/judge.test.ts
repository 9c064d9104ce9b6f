import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeRule, judgeRules } from './judge.ts'
import { literalPrefix, prefixCandidates } from './prefixes.ts'
import type { Judged, PushRule } from './rule.ts'

const ada = { name: 'Ada', email: 'ada@acme.com' }
const judged: Judged = {
  branch: 'docent/job_1',
  message: 'Update it\n\nText.\n\nDocent-Job: job_1/1\n',
  author: ada,
  committer: ada,
  isSigned: false,
  settings: {
    'commit.prefix': 'null',
    'commit.author': '1',
    'commit.signOff': 'false',
    'pullRequest.branchPrefix': '2',
  },
}

function text(of: Extract<PushRule, { kind: 'text' }>['of'], operator: string, pattern: string, more = {}): PushRule {
  return { kind: 'text', of, operator, pattern, isNegated: false, ...more } as PushRule
}

const rows: readonly (readonly [rule: PushRule, answer: 'passes' | 'refused' | 'unknown'])[] = [
  [text('message', 'regex', '^docs:'), 'refused'],
  [text('message', 'regex', '^Update'), 'passes'],
  [text('message', 'regex', '^Update', { isNegated: true }), 'refused'],
  [text('message', 'regex', '^Text\\.$'), 'refused'],
  [text('message', 'regex', '^Text\\.$', { isMultiline: true }), 'passes'],
  [text('message', 'regex', '(?=docs)'), 'unknown'],
  [text('message', 'starts_with', 'Update'), 'passes'],
  [text('message', 'ends_with', 'job_1/1'), 'passes'],
  [text('message', 'contains', 'Text'), 'passes'],
  [text('branch', 'starts_with', 'feature/'), 'refused'],
  [text('authorEmail', 'regex', '@acme\\.com$'), 'passes'],
  [text('committerEmail', 'ends_with', '@other.com'), 'refused'],
  [{ kind: 'person', of: 'committerEmail', accepted: ['ADA@acme.com'], person: null }, 'passes'],
  [{ kind: 'person', of: 'committerName', accepted: ['Bot'], person: null }, 'refused'],
  [{ kind: 'signature' }, 'refused'],
  [{ kind: 'signOff' }, 'refused'],
  [{ kind: 'closed', words: 'x' }, 'refused'],
  [{ kind: 'kept', words: 'x', setting: 'commit.prefix', value: 'null' }, 'refused'],
  [{ kind: 'kept', words: 'x', setting: 'commit.prefix', value: '"docs: "' }, 'passes'],
  [{ kind: 'unknown', words: 'x' }, 'unknown'],
]

test('every rule is judged, and one that cannot be is named', async () => {
  for (const [rule, answer] of rows) {
    const { refused, unknown } = await judgeRules([rule], judged)
    const found = refused.length > 0 ? 'refused' : unknown.length > 0 ? 'unknown' : 'passes'
    assert.equal(found, answer, describeRule(rule))
  }
  const app = { ...judged, author: null, isSigned: true }
  assert.deepEqual((await judgeRules([{ kind: 'signature' }], app)).refused, [])
  const { unknown } = await judgeRules([text('authorEmail', 'regex', '@acme')], app)
  assert.deepEqual(unknown, ["author's e-mail address must match `@acme`"])
})

const literals: readonly (readonly [pattern: string, literal: string])[] = [
  ['^docs:', 'docs:'],
  ['^(feat|fix|docs)(\\(.+\\))?: .+', 'docs: '],
  ['^(?:build|ci)\\/[a-z]+', 'build/'],
  ['(?i)^\\[docs\\]\\s.+', '[docs] '],
  ['^feature/DOC-\\d+', 'feature/DOC-'],
  ['^[A-Z]+-\\d+', ''],
  ['\\Achore\\b', 'chore'],
  ['^ab?c', 'ac'],
  ['^(a(b|c)|d)x', ''],
  ['^x{2}', ''],
  ['(', ''],
  ['', ''],
]

test('the literal beginning of a pattern is a candidate for a prefix', () => {
  for (const [pattern, literal] of literals) assert.equal(literalPrefix(pattern), literal, pattern)
  assert.deepEqual(prefixCandidates('message', ['^doc:']).slice(0, 2), ['doc: ', 'doc:: '].slice(0, 2))
  fc.assert(fc.property(fc.string(), (pattern) => literalPrefix(pattern).length <= 200))
})
