import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { gunzip } from './gunzip.ts'

const texts = ['first\n'.repeat(40_000), 'second\n', 'third, with \u001f in it\n'.repeat(9_000)]

async function unpack(data: readonly Uint8Array<ArrayBuffer>[]) {
  const progress = { bytesRead: 0, damage: undefined }
  const chunks: Uint8Array[] = []
  for await (const chunk of gunzip(new Blob([...data]), progress)) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString('latin1'), ...progress }
}

const packed = (level: number) => texts.map((text) => new Uint8Array(gzipSync(text, { level })))

test('every member of a gzip file is read, also with what looks like a header inside', async () => {
  const lure = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  for (const level of [0, 6]) {
    const members = packed(level)
    const size = members.reduce((sum, { length }) => sum + length, 0)
    assert.deepEqual(await unpack(members), { text: texts.join(''), bytesRead: size, damage: undefined })
    // Without compression, the bytes are in the data as they are.
    const content = Buffer.concat([Buffer.alloc(90_000, 'a'), lure, Buffer.from('end\n')])
    const { text, damage } = await unpack([new Uint8Array(gzipSync(content, { level })), ...members])
    assert.deepEqual([damage, text], [undefined, content.toString('latin1') + texts.join('')])
  }
})

test('damaged and truncated data are said to be so, after the whole members before', async () => {
  const [first, second, third] = packed(6)
  assert.ok(first && second && third)
  const broken = new Uint8Array(third).fill(0xff, 60, 90)
  for (const last of [third.subarray(0, -12), broken, new Uint8Array(100)]) {
    const { text, damage } = await unpack([first, second, new Uint8Array(last)])
    assert.equal(damage, 'corrupt')
    assert.ok(text.startsWith(texts.slice(0, 2).join('')))
  }
})
