import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { constants, zstdCompressSync } from 'node:zlib'
import type { Damage } from './packing.ts'
import { unzstd } from './unzstd.ts'

const texts = [
  'first\n'.repeat(40_000),
  'second\n',
  Array.from({ length: 20_000 }, (_, n) => `/page-${n * 7_919} ${n % 13}\n`).join(''),
]

async function unpack(data: readonly Uint8Array<ArrayBuffer>[]) {
  const progress: { damage: Damage | undefined } = { damage: undefined }
  const chunks: Uint8Array[] = []
  for await (const chunk of unzstd(Readable.from(data), progress)) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString('latin1'), ...progress }
}

function pack(text: string, level: number, checksum: 0 | 1 = 1): Uint8Array<ArrayBuffer> {
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
  return new Uint8Array(
    zstdCompressSync(text, { params: { [ZSTD_c_compressionLevel]: level, [ZSTD_c_checksumFlag]: checksum } }),
  )
}

test('every frame of a zstd file is read, and frames that hold no data are skipped', async () => {
  const skippable = new Uint8Array([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
  for (const level of [1, 3, 19]) {
    for (const checksum of [0, 1] as const) {
      const frames = [skippable, ...texts.map((text) => pack(text, level, checksum)), pack('', level), skippable]
      assert.deepEqual(await unpack(frames), { text: texts.join(''), damage: undefined })
    }
  }
})

test('a small file, and many frames in one piece, are read', async () => {
  assert.equal((await unpack([pack('a\n', 3)])).text, 'a\n')
  const frames = Array.from({ length: 3_000 }, () => pack('a\n', 3))
  assert.deepEqual((await unpack(frames)).text, 'a\n'.repeat(3_000))
})

test('a truncated zstd file is said to be so, after what comes before', async () => {
  const [first, second, third] = texts.map((text) => pack(text, 3))
  assert.ok(first && second && third)
  for (const cut of [1, 5, 1_000, third.length - 3]) {
    const { text, damage } = await unpack([first, second, third.subarray(0, -cut)])
    assert.equal(damage, 'truncated', String(cut))
    assert.ok(text.startsWith(texts.slice(0, 2).join('')))
  }
})

test('corrupt zstd data end the log where they cannot be decoded', async () => {
  const [first, second] = texts.map((text) => pack(text, 3))
  assert.ok(first && second)
  const { text, damage } = await unpack([first, new Uint8Array(100).fill(7), second])
  assert.deepEqual([text, damage], [texts[0], 'corrupt'])
  const whole = pack(texts[2] ?? '', 3)
  for (let at = 0; at < whole.length; at += 997) {
    const broken = new Uint8Array(whole)
    broken[at] = 255 - (broken[at] ?? 0)
    // No checksum is compared: only an end without an exception is promised.
    await unpack([broken])
  }
})
