import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeView, readView } from '../address.ts'
import { textOf } from './chip-text.ts'
import {
  chipsOf,
  filtersOf,
  isPlain,
  narrow,
  only,
  onlySegment,
  piecesOf,
  plus,
  readFilters,
  without,
  withoutSegment,
} from './filters.ts'

test('an address has the filters of the API; what the API would refuse is left out', () => {
  const address = {
    section: ['/a', 'b', '/a'],
    path: '/x',
    agent: 7,
    class: ['people', '!ai'],
    site: 'docs',
    operator: {},
  }
  assert.deepEqual(readFilters(address), { section: ['/a'], path: ['/x'], class: ['!ai'], agent: ['7'] })
  assert.deepEqual(readFilters({ site: ['unknown', '!site_1'], representation: 'html', referrer: '' }), {
    site: ['unknown', '!site_1'],
    representation: ['html'],
  })
  const many = Array.from({ length: 30 }, (_, at) => `/${at}`)
  assert.equal(readFilters({ path: many }).path?.length, 20)
})

test('a click shows one value alone; what is filtered out stays out', () => {
  assert.deepEqual(only({ agent: ['A', '!B', '!C'] }, 'agent', 'C'), { agent: ['!B', 'C'] })
  assert.deepEqual(only({ path: ['/a/b', '!/a/c'] }, 'section', '/a'), { path: ['!/a/c'], section: ['/a'] })
  assert.deepEqual(only({ section: ['/a'] }, 'path', '/a/b'), { path: ['/a/b'] })
  const view = readView({ list: 'agents', page: 3, path: '/a/b' })
  assert.deepEqual(changeView(view, only(view, 'section', '/a')), { list: 'agents', section: ['/a'] })
})

test('a value is added to the others, and replaces its opposite', () => {
  assert.deepEqual(plus({ agent: ['A', '!B'] }, 'agent', 'B'), { agent: ['A', 'B'] })
  assert.deepEqual(plus({ agent: ['A'] }, 'agent', '!A'), { agent: ['!A'] })
})

test('alternatives are one chip, each value that does not count is its own', () => {
  const filters = { section: ['/a', '!/a/x', '/b', '!/a/y'] }
  const [any, ...not] = chipsOf(filters)
  assert.deepEqual(any, { name: 'section', isNot: false, values: ['/a', '/b'] })
  assert.deepEqual(
    not.map(({ values }) => values),
    [['/a/x'], ['/a/y']],
  )
  assert.ok(any && not[0])
  assert.deepEqual(without(filters, any), { section: ['!/a/x', '!/a/y'] })
  assert.deepEqual(without(filters, not[0]), { section: ['/a', '/b', '!/a/y'] })
  assert.deepEqual(without({ agent: ['A'] }, { name: 'agent', isNot: false, values: ['A'] }), { agent: undefined })
})

test('a segment alone replaces the filters, and each of several is a chip of its own', () => {
  const view = readView({ list: 'agents', page: 3, section: ['/a', '!/a/b'], class: 'ai' })
  assert.deepEqual(changeView(view, onlySegment('Guides')), { list: 'agents', segment: ['Guides'] })
  const filters = readFilters({ segment: ['Guides', '!important', 'x'.repeat(101), 7], path: '/a' })
  assert.deepEqual(filters, { segment: ['Guides', '!important', '7'], path: ['/a'] })
  const chips = chipsOf(filters)
  assert.deepEqual(
    chips.map((chip) => textOf(chip, [])),
    ['Segment: Guides', 'Segment: !important', 'Segment: 7', 'Page: /a'],
  )
  assert.ok(chips[1])
  assert.deepEqual(without(filters, chips[1]), { segment: ['Guides', '7'] })
  assert.deepEqual(withoutSegment(filters, 'GUIDES'), { segment: ['!important', '7'] })
  assert.deepEqual(withoutSegment({ segment: ['guides'] }, 'Guides'), { segment: undefined })
})

test('one more filter narrows the others, or leaves nothing', () => {
  const markdown = (representation: string[]) => narrow({ path: ['/a'], representation }, 'representation', 'markdown')
  for (const given of [[], ['markdown', 'html'], ['!html']]) {
    assert.deepEqual(markdown(given), { path: ['/a'], representation: ['markdown'] })
  }
  assert.deepEqual([markdown(['html']), markdown(['!markdown'])], [undefined, undefined])
})

test('a shared link has the filters that the API allows it', () => {
  const filters = { section: ['/a'], class: ['ai'], agent: ['A'], referrer: ['b'] }
  assert.deepEqual(filtersOf(filters, { projectId: 'prj_a', token: 'x' }), { section: ['/a'], class: ['ai'] })
  assert.deepEqual(filtersOf(filters, { projectId: 'prj_a' }), filters)
})

test('a path is its first four sections and the rest', () => {
  assert.deepEqual(piecesOf('/'), { sections: [], rest: '/' })
  assert.deepEqual(piecesOf('/a'), { sections: [], rest: '/a' })
  const { sections, rest } = piecesOf('/a/b/c/d/e/f')
  assert.deepEqual(
    sections.map(({ section }) => section),
    ['/a', '/a/b', '/a/b/c', '/a/b/c/d'],
  )
  assert.equal(sections.map(({ text }) => text).join('') + rest, '/a/b/c/d/e/f')
})

test('a name that would mean something else as a filter does not filter', () => {
  assert.deepEqual(
    ['', '!A', 'A'].map((agent) => isPlain('agent', agent)),
    [false, false, true],
  )
})
