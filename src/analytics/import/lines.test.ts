import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { toText } from './bytes.ts'
import { countLines, type Line, maxLineBytes, splitLines } from './lines.ts'
import { fromStream } from './log-file.ts'
import { splitRecords } from './records.ts'

/** In pieces of these sizes, in turn; the memory of a piece is overwritten when the next one is asked for. */
async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const piece = Buffer.from(bytes.subarray(at, at + (sizes[n % sizes.length] ?? 1)))
    at += piece.length
    yield piece
    piece.fill(0x23)
  }
}

type Kept = { readonly kind: Line['kind']; readonly text: string; readonly start: number; readonly end: number }
type Split = typeof splitLines

async function collect(split: Split, bytes: Uint8Array, sizes: readonly number[] = [7], start = 0): Promise<Kept[]> {
  const lines: Kept[] = []
  for await (const some of split(pieces(bytes, sizes), start)) {
    for (const { kind, bytes, text, start, end } of some) {
      assert.equal(text, toText(bytes))
      lines.push({ kind, text: Buffer.from(bytes).toString('latin1'), start, end })
    }
  }
  return lines
}

test('lines have their place, CR is no part of them, and empty ones are left out', async () => {
  assert.deepEqual(await collect(splitLines, Buffer.from('a\r\n\nbc\n\r\nd')), [
    { kind: 'whole', text: 'a', start: 0, end: 3 },
    { kind: 'whole', text: 'bc', start: 4, end: 7 },
    { kind: 'open', text: 'd', start: 9, end: 10 },
  ])
})

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const bytes = fc
  .array(
    fc.constantFrom(
      'a',
      '\n',
      '\r',
      '\n',
      'xyz',
      '\0',
      '\u00ff',
      '\u00e8\u00aa\u009e',
      '\u00ef\u00bb\u00bf',
      '\u00f0\u009f',
    ),
  )
  .map((all) => Buffer.from(all.join(''), 'latin1'))

test('the pieces that the bytes come in make no difference', async () => {
  const property = fc.asyncProperty(bytes, sizes, async (bytes, sizes) => {
    const expected = bytes
      .toString('latin1')
      .split('\n')
      .map((line) => line.replace(/\r$/, ''))
      .filter(Boolean)
    const lines = await collect(splitLines, bytes, sizes)
    assert.deepEqual(
      lines.map(({ text }) => text),
      expected,
    )
    for (const { text, start } of lines) assert.equal(bytes.toString('latin1', start, start + text.length), text)
  })
  await fc.assert(property)
})

test('lines are counted as they are split, up to any line end', async () => {
  const property = fc.asyncProperty(bytes, sizes, async (bytes, sizes) => {
    const lines = await collect(splitLines, bytes)
    for (const [n, { kind, end }] of lines.entries()) {
      if (kind === 'whole') assert.equal(await countLines(pieces(bytes, sizes), end), n + 1)
    }
  })
  await fc.assert(property, { examples: [[Buffer.from('a\n\r\nb\n'), [3]]] })
})

test('a line over 64 KiB is only its beginning, in one piece or in many', async () => {
  const long = `${'x'.repeat(maxLineBytes + 1)}\n`
  const input = Buffer.from(`a\n${long}${'y'.repeat(maxLineBytes)}\n${long.repeat(3).replaceAll('\n', '')}`)
  for (const size of [1_000_000, 1_000, 65_537]) {
    const lines = await collect(splitLines, input, [size])
    assert.deepEqual(
      lines.map(({ kind, text }) => [kind, text.length]),
      [
        ['whole', 1],
        ['too_long', 512],
        ['whole', maxLineBytes],
        ['too_long', 512],
      ],
    )
    assert.equal(lines.at(-1)?.end, input.length)
  }
})

test('objects of arrays are lines, with anything between them', async () => {
  const input = '[ {"a":"}\\"{"},\n {"b":{"c":[{}]}} ]\n[]\n[{"d":1},{"e":'
  for (const size of [1, 3, 1_000]) {
    const records = await collect(splitRecords, Buffer.from(input), [size])
    assert.deepEqual(
      records.map(({ kind, text }) => [kind, text]),
      [
        ['whole', '{"a":"}\\"{"}'],
        ['whole', '{"b":{"c":[{}]}}'],
        ['whole', '{"d":1}'],
        ['open', '{"e":'],
      ],
    )
    for (const { text, start, end } of records) assert.equal(input.slice(start, end), text)
  }
})

test('a broken object ends with its line; of one over 64 KiB only the start is kept', async () => {
  const input = `[{"a":"x\n{"b":1},{"c":"${'x'.repeat(2 * maxLineBytes)}"},{"d":1}]`
  const records = await collect(splitRecords, Buffer.from(input), [1_000])
  assert.deepEqual(
    records.map(({ kind, text }) => [kind, text.length]),
    [
      ['whole', 8],
      ['whole', 7],
      ['too_long', 512],
      ['whole', 7],
    ],
  )
})

async function readAll(input: Uint8Array, from = 0, sizes: readonly number[] = [100]) {
  const file = fromStream(pieces(input, sizes))
  const chunks: Buffer[] = []
  for await (const chunk of file.read(from)) chunks.push(Buffer.from(chunk))
  return { bytes: Buffer.concat(chunks), progress: file.progress }
}

const text = Buffer.from(Array.from({ length: 5_000 }, (_, n) => `line ${n} ${n * 7_919}\n`).join(''))

test('gzip is detected by its first bytes, and several members are one stream', async () => {
  const members = Buffer.concat([gzipSync(text), gzipSync(text.subarray(0, 100)), gzipSync(Buffer.alloc(0))])
  for (const size of [1, 100, 1_000_000]) {
    const { bytes, progress } = await readAll(members, 0, [size])
    assert.ok(bytes.equals(Buffer.concat([text, text.subarray(0, 100)])))
    assert.deepEqual(progress, { bytesRead: members.length, damage: undefined })
  }
  assert.ok((await readAll(text)).bytes.equals(text))
})

test('truncated gzip data yield their content and report the damage', async () => {
  const whole = gzipSync(text)
  for (const cut of [whole.length - 1, whole.length - 9, whole.length >> 1, 12, 3]) {
    const { bytes, progress } = await readAll(whole.subarray(0, cut))
    assert.equal(progress.damage, 'truncated')
    assert.ok(text.subarray(0, bytes.length).equals(bytes))
    if (cut > whole.length >> 1) assert.ok(bytes.length > text.length * 0.9, `${bytes.length} of ${text.length}`)
  }
})

test('broken gzip data never throw', async () => {
  const whole = gzipSync(text)
  const property = fc.asyncProperty(
    fc.nat({ max: whole.length - 1 }),
    fc.uint8Array({ minLength: 1 }),
    async (at, noise) => {
      const broken = Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at + noise.length)])
      const { bytes } = await readAll(broken)
      assert.ok(bytes.length <= text.length * 2 + noise.length)
    },
  )
  await fc.assert(property)
  const { bytes, progress } = await readAll(Buffer.concat([whole, Buffer.from('garbage'.repeat(100))]))
  assert.equal(progress.damage, 'corrupt')
  assert.ok(bytes.length > text.length * 0.9 && text.subarray(0, bytes.length).equals(bytes))
})

test('reading from an offset skips everything before it', async () => {
  for (const from of [0, 1, 262_145, text.length, text.length + 1]) {
    for (const input of [text, gzipSync(text)]) {
      assert.ok((await readAll(input, from)).bytes.equals(text.subarray(from)))
    }
  }
})
