// Any text is read: without an error, in linear time, and with ranges that are inside the text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { readRst } from './rst.ts'

const parts = [
  '*',
  '**',
  '`',
  '``',
  '_',
  '__',
  '|',
  '[',
  '[1]_',
  '.. ',
  '.. _a:',
  '.. _a: b\n',
  '.. |x| image:: y',
  '.. note::',
  '.. toctree::\n   a\n',
  '- ',
  '1. ',
  ':a: ',
  ':doc:`',
  '`a <b>`_',
  'a_',
  '::',
  '\n\n',
  '\n',
  '\n   ',
  '\n      ',
  '+--+\n|a |\n+--+',
  '+-',
  '=== ===\n',
  '| ',
  '===',
  'a\n=',
  '>>> ',
  '-a  b\n',
  '\\',
  '<',
  '>',
  ':',
  '\t',
  'a.',
  'a-',
  'https://a',
  'a@',
  '"',
  '..\n',
  '(',
  'é',
  '你',
  '\0',
  ', -a',
  '.. a:: ',
  '.. figure:: ',
  '_`',
  '~~~~',
  '---- ----',
  '   :alt: x\n',
  '.. csv-table:: t\n',
  '"a, b",c\n',
  '.. glossary::\n\n   a\n      b\n',
  '\r\n',
  '\r',
  '```',
]
const fragments = fc.array(fc.constantFrom(...parts, 'word ', '😀', '\u200b'), { maxLength: 40 })

test('any text is read, and every range is inside it', () => {
  fc.assert(
    fc.property(fragments, (list) => {
      const text = list.join('')
      const page = readRst(text)
      const entries = page.toctrees.flatMap((toctree) => toctree.entries)
      const wholes = [...page.links, ...entries].map(({ whole }) => whole)
      const labels = [...page.links, ...page.references].flatMap(({ label }) => label ?? [])
      const ranges = [...page.prose, ...page.code, ...page.links, ...page.references, ...page.headings, ...page.labels]
      for (const range of [
        ...ranges,
        ...wholes,
        ...labels,
        ...page.toctrees,
        ...entries,
        ...page.fields,
        ...page.conditional,
      ])
        assert.ok(0 <= range.start && range.start <= range.end && range.end <= text.length, JSON.stringify(range))
      for (const link of page.links)
        assert.ok(link.whole.start <= link.start && link.end <= link.whole.end, JSON.stringify(link))
    }),
    { numRuns: 1000 },
  )
})

test('prose never overlaps other prose or code', () => {
  fc.assert(
    fc.property(fragments, (list) => {
      const page = readRst(list.join(''))
      const ranges = [...page.prose, ...page.code].toSorted((a, b) => a.start - b.start || a.end - b.end)
      for (const [index, range] of ranges.entries())
        assert.ok(range.start >= (ranges[index - 1]?.end ?? 0), JSON.stringify(ranges.slice(index - 1, index + 1)))
    }),
    { numRuns: 1000 },
  )
})

test('hostile pages are read in linear time', () => {
  for (const part of parts) {
    const shapes = [
      (size: number) => part.repeat(size),
      (size: number) => `${part}\n`.repeat(size),
      (size: number) => `${part}x\n\n`.repeat(size),
      (size: number) =>
        Array.from({ length: Math.sqrt(8 * size) }, (_, column) => ' '.repeat(column) + part).join('\n\n'),
    ]
    for (const shape of shapes) assertLinear(shape, readRst, { size: 2000, name: JSON.stringify(shape(3)) })
  }
})
