import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSearchPattern } from './search-pattern.ts'

const translated: readonly (readonly [given: string, source: string])[] = [
  [String.raw`\d+ms`, '[[:digit:]]+ms'],
  [String.raw`[\d.]+\s\S\W`, '[[:digit:].]+[[:space:]][^[:space:]][^[:alnum:]_]'],
  [String.raw`[\w-]+\b`, '[[:alnum:]_-]+\\b'],
  [String.raw`[\s\S]*?x+?`, '.*x+'],
  [String.raw`[^\S]`, '[[:space:]]'],
  [String.raw`[\]\[^-]`, '[][^-]'],
  [String.raw`[^\]"']`, `[^]"']`],
  [String.raw`[\\/]`, '[\\/]'],
  ['[a-z[:digit:]]', '[a-z[:digit:]]'],
  ['[[.]', '[.[]'],
  [String.raw`\[x\]\(\/a\.md\)\'`, String.raw`\[x\]\(/a\.md\)'`],
  ['(?:a|b){,3}', '(a|b){0,3}'],
  ['{{ x }}', '\\{\\{ x \\}\\}'],
  ['a{2,3}', 'a{2,3}'],
  ['(a|b)\\1$', '(a|b)\\1\r?$'],
  ['é\u{1f600}+', 'é\u{1f600}+'],
]

test('a pattern as models write it is translated without a change of meaning', () => {
  for (const [given, source] of translated) assert.equal(toSearchPattern(given).source, source, given)
  assert.deepEqual(toSearchPattern('(?i)ab'), { source: 'ab', ignoreCase: true })
})

test('a pattern that cannot be translated is refused by name', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['(?=a)b', /\(\?=` looks ahead/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(?<name>a)', /a flag or a name/],
    ['a(?i)b', /a flag or a name/],
    ['(?m)b', /only `\(\?i\)`/],
    [String.raw`\p{Lu}`, /`\\p` is not supported/],
    [String.raw`\n`, /`\\n` is not supported/],
    [String.raw`[\Wa]`, /`\\W` together/],
    [String.raw`\<word`, /`\\<` has two meanings/],
    ['(', /has no `\)`/],
    ['a)', /has no `\(`/],
    ['[a', /has no `\]`/],
    ['a\\', /ends with a backslash/],
    [String.raw`(?:a)(b)\1`, /back-reference/],
    ['('.repeat(200), /nested too deeply/],
    ['((a{1,255}){1,255}){255}', /repetition/],
    ['((((((a{99}){99}){99}){99}){99}){99}){9999999999}', /repetition/],
  ]
  for (const [given, message] of refused) {
    assert.throws(() => toSearchPattern(given), { code: 'invalid_input', message }, given)
  }
})

test('repetition counts side by side add up, and only nested ones multiply', () => {
  for (const given of [
    '(analytics|dashboard).{0,40}traffic|traffic.{0,20}(page|tab)',
    'a.{0,200}b.{0,200}c.{0,200}d.{0,200}e',
    '(a{1,100}){1,100}',
  ])
    assert.equal(toSearchPattern(given).source, given)
})
