import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { foldMarks, indexAt, layOut, lineOf, moveCursor } from './layout.ts'

const points = Array.from({ length: 30 }, (_, index) => ({ date: `d${index}`, human: index, ai: 1, total: index + 1 }))

test('labels do not overlap, and the last interval has one', () => {
  for (const width of [300, 700, 1_100]) {
    const { labels } = layOut(points, width, 66)
    assert.equal(labels.at(-1)?.date, 'd29')
    for (const [index, { x }] of labels.entries()) {
      const next = labels[index + 1]
      if (next) assert.ok(next.x - x >= 60, `${width}: ${next.x - x}`)
    }
  }
})

test('ticks are whole numbers, also when there are no visitors', () => {
  const { ticks } = layOut([{ date: 'a', human: 0, ai: 0, total: 0 }], 500, 66)
  assert.deepEqual(
    ticks.map(({ text }) => text),
    ['0', '1'],
  )
})

test('the line of the other period fits, and breaks where there is nothing to compare', () => {
  const behind = new Map([0, 1, 2, 5].map((at) => [`d${at}`, { date: '', human: 90, ai: 10, total: 95 }]))
  const layout = layOut(points, 700, 66, behind)
  const parts = lineOf(points, behind, layout)
  assert.deepEqual(
    parts.map((part) => part.length),
    [3, 1],
  )
  assert.ok(parts.flat().every(({ y }) => y >= 0 && y === layout.y(100)))
  assert.deepEqual(lineOf(points, new Map(), layout), [])
})

test('marks of one day fold, and marks nearer than a finger', () => {
  const marks = ['d3', 'd3', 'd20', 'd4', 'other'].map((date) => ({ date }))
  const fold = (width: number) => foldMarks(marks, layOut(points, width, 66), 26).map((one) => one.marks.length)
  assert.deepEqual(fold(1_100), [2, 1, 1])
  assert.deepEqual(fold(380), [3, 1])
})

test('a place has the interval below it, and the axis has no interval', () => {
  assert.equal(indexAt(39, 40, 340, 30), undefined)
  assert.equal(indexAt(40, 40, 340, 30), 0)
  assert.equal(indexAt(340, 40, 340, 30), 29)
  assert.equal(indexAt(341, 40, 340, 30), undefined)
})

test('keys stay within the intervals and begin at the last one', () => {
  assert.equal(moveCursor('ArrowLeft', undefined, 30), 29)
  assert.equal(moveCursor('ArrowRight', 29, 30), 29)
  assert.equal(moveCursor('PageDown', 3, 30), 0)
  assert.equal(moveCursor('Home', 20, 30), 0)
  assert.equal(moveCursor('a', 20, 30), undefined)
})

test('every text has a contrast of 4.5 with its ground, and every bar one of 3', () => {
  const css = readFileSync(new URL('../styles.css', import.meta.url), 'utf8')
  const tokens = new Map(
    [...css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = '', ...both]) => [
      name,
      both,
    ]),
  )
  const texts = ['text', 'muted', 'accent', 'good', 'bad', 'warn']
  const grounds = ['ground', 'raised', 'sunken']
  const pairs: (readonly [string, string, number])[] = [
    ...texts.flatMap((text) => grounds.map((ground) => [text, ground, 4.5] as const)),
    ...['good', 'bad', 'warn', 'accent'].map((tone) => [tone, `${tone}-soft`, 4.5] as const),
    ['on-accent', 'accent', 4.5],
    ...['human', 'ai', 'strong-line'].flatMap((part) => grounds.map((ground) => [part, ground, 3] as const)),
  ]
  for (const [text, ground, least] of pairs) {
    for (const mode of [0, 1]) {
      const found = contrast(tokens.get(text)?.[mode] ?? '', tokens.get(ground)?.[mode] ?? '')
      assert.ok(found >= least, `${text} on ${ground}, ${['light', 'dark'][mode]}: ${found.toFixed(2)}`)
    }
  }
})

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
