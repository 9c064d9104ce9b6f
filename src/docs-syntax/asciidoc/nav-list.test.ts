import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNavList } from './nav-list.ts'

test('a navigation has its items with depth, text, ranges and links', () => {
  const text =
    '* xref:index.adoc[Home]\n\n.Guide\n* Start\n** xref:a.adoc#b[The `a`]\n*** https://c.d[C]\n* xref:e.adoc[]\n'
  const groups = readNavList(text)
  assert.deepEqual(
    groups.map(({ title, items }) => [
      title?.text,
      ...items.map((item) => `${item.depth} ${item.text} ${item.link?.url}`),
    ]),
    [
      [undefined, '1 Home index.adoc'],
      ['Guide', '1 Start undefined', '2 The a a.adoc#b', '3 C https://c.d', '1 e.adoc e.adoc'],
    ],
  )
  const [, guide] = groups
  const slices = guide?.items.map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(slices, ['* Start', '** xref:a.adoc#b[The `a`]', '*** https://c.d[C]', '* xref:e.adoc[]'])
  assert.equal(text.slice(guide?.title?.start, guide?.title?.end), '.Guide')
})

test('a navigation uses the attributes of the site, and a title may be a link', () => {
  const [group] = readNavList('.xref:{v}@c::index.adoc[Home]\n* xref:{w}.adoc[A]\n', { v: '1.0' })
  assert.deepEqual([group?.title?.link?.url, group?.items[0]?.link?.url], ['1.0@c::index.adoc', '{w}.adoc'])
})
