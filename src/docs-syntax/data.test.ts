import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonStrings, memberRange, readJson } from './json.ts'
import { parseScript } from './script/script.ts'
import {
  applySplices,
  dominantLineBreak,
  hideInvisible,
  isInvisible,
  lineAt,
  lineStarts,
  withInvisibleShown,
  withLineFeeds,
} from './text.ts'
import { readYaml, writeYamlString } from './yaml.ts'
import { sharedStore } from '../../test/support/test-store.ts'

test('every string of any JSON is found at its position and nowhere else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      const root = readJson(text)
      assert.ok(root)
      const strings: string[] = []
      JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? (strings.push(item), item) : item))
      const found = root.kind === 'string' ? [root] : jsonStrings(root)
      assert.deepEqual(
        found.map((one) => one.value),
        strings,
      )
      for (const one of found) assert.equal(JSON.parse(text.slice(one.start, one.end)), one.value)
    }),
  )
})

test('an item taken out of an array leaves the JSON of the array without it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { minLength: 1 }),
      fc.nat(),
      fc.constantFrom(undefined, 2),
      (items, pick, space) => {
        const text = JSON.stringify({ pages: items, x: 1 }, undefined, space)
        const parent = readJson(text)?.members[0]?.node
        const member = parent?.members[pick % items.length]
        assert.ok(parent && member)
        const after = applySplices(text, [{ ...memberRange(parent, member), text: '' }])
        assert.deepEqual(JSON.parse(after), { pages: items.toSpliced(pick % items.length, 1), x: 1 })
      },
    ),
  )
})

test('invalid JSON is undefined, and nothing throws', () => {
  for (const text of ['', '{', '[1,', '{"a" 1}', '{a:1}', '"a', '[1] x', '['.repeat(100_000), '{"a":1,,}'])
    assert.equal(readJson(text), undefined, text.slice(0, 20))
  assert.ok(readJson('// c\n{ "a": [1, /* x */ "b",], }\n'))
})

test('a string written into YAML is read back, in the style that can hold it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('plain', 'single', 'double'), (value, style) => {
      const text = `a: ${writeYamlString(value.toWellFormed(), style)}\nb: x\n`
      assert.deepEqual(readYaml(text).strings.find((one) => one.path[0] === 'a')?.value ?? '', value.toWellFormed())
    }),
  )
  for (const word of ['true', 'null', '1', '', 'a: b', '# x', '- x', '@x']) assert.match(writeYamlString(word), /^"/)
})

test('a YAML string without a character to replace is no string with a place', () => {
  assert.deepEqual(
    readYaml('a: !!str\nb: ""\n').strings.map(({ path, value }) => [path, value]),
    [[['b'], '']],
  )
})

const text = fc
  .array(fc.constantFrom('a', '\n', '\r\n', '\r', '\u200b', '\u{1f600}', '\u{e0041}', 'b '))
  .map((parts) => parts.join(''))

test('shown text maps back to the original, character by character', () => {
  fc.assert(
    fc.property(text, (original) => {
      const lines = withLineFeeds(original)
      assert.equal(lines.text, original.replace(/\r\n?/g, '\n'))
      assert.equal(lines.offsets.at(-1), original.length)
      for (const [index, character] of lines.text.split('').entries())
        if (character !== '\n') assert.equal(original[lines.offsets[index] ?? -1], character)
      const shown = withInvisibleShown(lines.text)
      assert.doesNotMatch(shown.text, /[\u200b\u{e0041}]/u)
      assert.equal(hideInvisible(shown.text, new Set(['\u200b', '\u{e0041}'])), lines.text)
      assert.equal(shown.offsets.at(-1), lines.text.length)
    }),
  )
})

test('lines are counted at every kind of line break', () => {
  const starts = lineStarts('a\r\nb\rc\nd')
  assert.deepEqual(
    [0, 2, 3, 5, 7].map((offset) => lineAt(starts, offset)),
    [1, 1, 2, 3, 4],
  )
  assert.throws(
    () =>
      applySplices('abc', [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ]),
    RangeError,
  )
})

test('splices may come in any order', () => {
  const splices = [
    { start: 2, end: 3, text: 'C' },
    { start: 0, end: 1, text: 'A' },
    { start: 1, end: 1, text: '-' },
  ]
  assert.equal(applySplices('abc', splices), 'A-bC')
  assert.equal(dominantLineBreak('a\n\r\n\r\n'), '\r\n')
  assert.equal(dominantLineBreak('a'), '\n')
  assert.deepEqual(
    ['\u200b', 'a', '\ufe0f'].map((one) => isInvisible(one)),
    [true, false, true],
  )
})

test('TypeScript that breaks its parser does no harm to the next text or to chDB', async () => {
  // It has a handler for the signals of WebAssembly.
  await sharedStore('embedded')
  assert.equal(parseScript('a=>'.repeat(20_000), 'typescript'), undefined)
  const [statement] = parseScript('const a: number = 1', 'typescript')?.body ?? []
  assert.deepEqual([statement?.type, statement?.end], ['VariableDeclaration', 19])
})

test('scripts and YAML over 100,000 characters are not read', () => {
  const text = 'a: b\n'.padEnd(100_000, '#')
  assert.equal(readYaml(text).strings.length, 1)
  const { strings, keys, problem } = readYaml(`${text}#`)
  assert.deepEqual([strings, keys, problem], [[], [], 'The text is too long.'])
  const script = 'f()'.padEnd(100_000)
  assert.equal(parseScript(script, 'javascript')?.body.length, 1)
  assert.equal(parseScript(`${script} `, 'javascript'), undefined)
})
