import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { isMarkedByForm, readMarkedTerms, readOperations, readTerms } from './code-terms.ts'
import { createKeyFinder } from './key-finder.ts'
import { termKeys } from './term-keys.ts'

const lines: readonly (readonly [line: string, terms: readonly string[]])[] = [
  ['acme serve --max-lines=10 -v', ['word acme', 'word serve', 'flag --max-lines', 'number 10', 'flag -v']],
  ['#[arg(long, env = "ACME_TOKEN")]', ['word arg', 'word long', 'word env', 'variable ACME_TOKEN']],
  ['  maxLines?: number // since v2.1', ['name maxLines', 'word number', 'word since', 'number v2.1']],
  ['std::fs::read_to_string(path)?', ['name std::fs::read_to_string', 'word path']],
  ['self.client().base_url', ['name self.client', 'name base_url']],
  ["import { a } from '@acme/core/index.js'", ['word import', 'word from', 'path @acme/core/index.js']],
  ['{"timeout":30,"retry-after":true}', ['word timeout', 'number 30', 'name retry-after', 'word true']],
  ['print("\\nUsage: acme")', ['word print', 'word Usage', 'word acme']],
  ['see https://acme.example/docs#a', ['word see', 'address https://acme.example/docs#a']],
  ['wait 30s, then ... --- end.', ['word wait', 'number 30s', 'word then', 'word end']],
  [':meth:`~acme.Client.close`', ['word meth', 'name acme.Client.close']],
  ['./src ../lib/a.rb ~/.acme', ['path ./src', 'path ../lib/a.rb', 'path ~/.acme']],
  ['a-b a->b x', ['name a-b']],
]

test('the terms of a line of code have their kinds and their places', () => {
  for (const [line, expected] of lines) {
    const terms = readTerms(line)
    assert.deepEqual(
      terms.map(({ kind, text }) => `${kind} ${text}`),
      expected,
    )
    for (const { text, start } of terms) assert.equal(line.slice(start, start + text.length), text)
  }
})

test('any text gives terms that it has, and the marked ones are those of all', () => {
  const parts = fc.array(
    fc.constantFrom('a', 'B', '1', '_', '$', '.', '/', ':', '-', '#', '~', '\\n', ' ', '(', 'ü', '\n'),
  )
  fc.assert(
    fc.property(
      parts.map((all) => all.join('')),
      (text) => {
        const terms = readTerms(text)
        for (const term of terms) assert.equal(text.slice(term.start, term.start + term.text.length), term.text)
        assert.deepEqual(readMarkedTerms(text), terms.filter(isMarkedByForm))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('prose marks names by their form, and leaves words with a hyphen', () => {
  const found = readMarkedTerms(
    'Use --watch, max_lines or maxLines of acme.toml with ACME_HOME, not built-in and/or e.g. -v.',
  )
  assert.deepEqual(
    found.map(({ text }) => text),
    ['--watch', 'max_lines', 'maxLines', 'acme.toml', 'ACME_HOME'],
  )
})

test('operations are found in lines, tables and spans of code', () => {
  const found = readOperations('`GET /v1/keys`. | POST | `/v1/keys/{id}` | then "DELETE", "/a/". Get /no. TARGET /no')
  assert.deepEqual(
    found.map(({ text }) => text),
    ['GET /v1/keys', 'POST /v1/keys/{id}', 'DELETE /a'],
  )
})

test('terms longer than 100 characters are left out', () => {
  assert.equal(readTerms('a'.repeat(100)).length, 1)
  assert.deepEqual(readTerms('a'.repeat(101)), [])
})

test('spellings of one thing have one key', () => {
  for (const text of ['--max-lines', 'max_lines', 'maxLines', 'MAX_LINES', 'MaxLines']) {
    assert.deepEqual(termKeys(text), { whole: 'maxlines', segments: [], words: ['max', 'lines'] })
  }
  assert.deepEqual(termKeys('server.hmrPort'), {
    whole: 'serverhmrport',
    segments: ['server', 'hmrport'],
    words: ['server', 'hmr', 'port'],
  })
  assert.deepEqual(termKeys('HTTPServer').words, ['http', 'server'])
  assert.deepEqual(termKeys('watch'), { whole: 'watch', segments: [], words: [] })
})

const spelling = fc
  .array(fc.constantFrom('a', 'b', 'A', 'B', '1', '_', '-', '.', '/', ':', ' ', 'ü', '日'), { maxLength: 12 })
  .map((all) => all.join(''))

test('the keys of any spelling are those that regular expressions find', () => {
  fc.assert(
    fc.property(spelling, (text) => {
      const parts = text.split(/[./:]+/)
      const segments = parts.map((part) => part.toLowerCase().replace(/[^a-z\d]+/g, '')).filter((part) => part !== '')
      const words = parts.flatMap((part) => part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [])
      assert.deepEqual(termKeys(text), {
        whole: segments.join(''),
        segments: segments.length > 1 ? segments : [],
        words: words.length > 1 ? words.map((word) => word.toLowerCase()) : [],
      })
    }),
    { numRuns: 2_000 },
  )
})

test('a spelling has the same of some keys, in the same order, as its keys say', () => {
  fc.assert(
    fc.property(fc.array(spelling, { minLength: 1 }), fc.array(spelling), (known, others) => {
      const keysOf = (text: string) => {
        const { whole, segments, words } = termKeys(text)
        const parts = [...segments.map((key) => `segment ${key}`), ...words.map((key) => `word ${key}`)]
        return [`whole ${whole}`, ...parts]
      }
      const nameOf = (key: string) => key.slice(key.indexOf(' ') + 1)
      const keys = [...new Set(known.flatMap(keysOf).map(nameOf))].filter((key) => key !== '')
      const find = createKeyFinder(keys)
      for (const text of [...known, ...others]) {
        const found: string[] = []
        find(text, (key, part) => found.push(`${part} ${keys[key]}`))
        assert.deepEqual(
          found,
          keysOf(text).filter((key) => keys.includes(nameOf(key))),
        )
      }
    }),
    { numRuns: 500 },
  )
})

test('terms of hostile text are read in linear time', () => {
  for (const part of ['a.', ':', 'a:', '-', '/', '\\n', 'aB', '#~', 'GET /', 'GET |', 'a ', '::a']) {
    const makeInput = (size: number) => part.repeat(size / part.length)
    assertLinear(makeInput, (text) => [readTerms(text), readMarkedTerms(text), readOperations(text)], {
      size: 200_000,
      name: JSON.stringify(part),
    })
  }
  assertLinear((size) => 'aB-'.repeat(size / 3), termKeys, { size: 200_000, name: 'keys' })
  const find = createKeyFinder(['a', 'ab'])
  assertLinear(
    (size) => 'aB-'.repeat(size / 3),
    (text) => find(text, () => undefined),
    { size: 200_000, name: 'finder' },
  )
})
