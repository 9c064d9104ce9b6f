import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { createSpend } from '../spend.ts'
import { readTags } from './tags.ts'

type Node = DefaultTreeAdapterTypes.Node

/** Every attribute that a browser sees, as `name=value` with the references in the value unresolved. */
function attributesIn(node: Node): readonly string[] {
  const own = 'attrs' in node ? node.attrs.map(({ prefix, name }) => (prefix ? `${prefix}:${name}` : name)) : []
  const below = 'childNodes' in node ? node.childNodes.flatMap(attributesIn) : []
  const content = 'content' in node ? attributesIn(node.content) : []
  return [...own, ...below, ...content]
}

const parts = [
  '<a',
  '<svg',
  '<b/',
  '<p onclick',
  '<img onerror=x',
  ' ',
  '\n',
  '\f',
  '/',
  '>',
  '=',
  '"',
  "'",
  '`',
  'onload',
  'x=y',
  '<!--',
  '-->',
  '<textarea>',
  '</textarea>',
  '<title>',
  '<script>',
  '</script>',
  '<![CDATA[',
  ']]>',
  '<style>',
  '<template>',
  '<math>',
  '<',
  '</a ',
  'é',
]

test('every attribute that a browser sees is found, whatever precedes it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 25 }), (all) => {
      const text = all.join('')
      const { attributes } = readTags(text, () => false, createSpend(text))
      const found = new Set(attributes.map(({ name }) => name))
      for (const name of attributesIn(parse(text))) {
        assert.ok(found.has(name.toLowerCase()), `${name} in ${JSON.stringify(text)}`)
      }
    }),
    { numRuns: 3_000 },
  )
})

test('a tag has its attributes, decoded by nobody', () => {
  const text = `x <a b = 'c>' D="&amp;" e=f/g h/i ==j k>`
  const { attributes, end } = readTags(text, () => false, createSpend(text)).attributesAt(2)
  assert.equal(end, text.length)
  assert.deepEqual(
    attributes.map(({ name, value, hasValue }) => (hasValue ? `${name}=${value}` : name)),
    ['b=c>', 'd=&amp;', 'e=f/g', 'h', 'i==j', 'k'],
  )
})
