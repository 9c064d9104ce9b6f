import assert from 'node:assert/strict'
import { test } from 'node:test'
import list from 'crawler-user-agents'
import fc from 'fast-check'
import { withoutDevice } from './browser.ts'
import { findListed } from './crawler-list.ts'
import { literalOf } from './literal.ts'

const instances = list.flatMap((entry) => entry.instances)

test('an expression matches nothing that lacks its literal', () => {
  for (const { pattern, instances } of list) {
    const expression = new RegExp(pattern)
    const literal = literalOf(expression.source)
    for (const instance of instances.filter((one) => expression.test(one))) {
      assert.ok(instance.toLowerCase().includes(literal), pattern)
    }
  }
  assert.equal(literalOf('abc?def+g'), 'def')
  assert.equal(literalOf('ab[cd]efg'), 'efg')
  assert.equal(literalOf('ab\\/c\\dxy'), 'ab/c')
  assert.equal(literalOf('abcd{0,2}e'), 'abc')
  assert.equal(literalOf('abcd|e'), '')
  assert.equal(literalOf('(abcd)?e'), '')
})

test('the search by four-character runs finds the same as trying all patterns', () => {
  const expressions = list.map(({ pattern }) => new RegExp(pattern))
  const holds = (text: string) => expressions.some((expression) => expression.test(text))
  const part = fc.constantFrom(...instances).chain((text) => fc.nat(text.length).map((at) => text.slice(at)))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 2 }), (parts) => {
      const text = parts.join(' ').slice(0, 1_024)
      assert.equal(findListed(text, false) !== undefined, holds(text))
    }),
    { numRuns: 500 },
  )
})

test('the first entry of the list wins', () => {
  assert.equal(findListed('Mozilla/5.0 (compatible; DotBot/1.2; SemrushBot/7)', false)?.agent, 'SemrushBot')
  assert.equal(findListed('curl/8.14.1', false)?.category, 'library')
})

test('names are read from patterns without the signs of expressions', () => {
  const names = instances.map((instance) => findListed(instance, false)?.agent ?? '')
  assert.deepEqual(
    names.filter((name) => /[\\^$|*[\]]/.test(name)),
    [],
  )
})

test('only a device of Android is taken out', () => {
  assert.equal(withoutDevice('Mozilla/5.0 (Linux; Android 10; CUBOT X30) x'), 'Mozilla/5.0 (Linux; Android) x')
  for (const text of [
    '(Linux; Android 5.0; compatible; YBot/1)',
    '(Linux; Android 5.0; http://a.example)',
    '(X11; SpiderBot)',
  ]) {
    assert.equal(withoutDevice(text), text)
  }
})
