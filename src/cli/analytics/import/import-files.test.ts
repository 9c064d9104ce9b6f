import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { removeFolder, temporaryFolder } from '../../../../test/support/temporary.ts'
import { createParser } from '../../../analytics/import/formats/formats.ts'
import { fromStream } from '../../../analytics/import/log-file.ts'
import { oldestFirst, openFiles } from './import-files.ts'

let folder = ''
before(async () => {
  folder = await temporaryFolder('import-files')
  await mkdir(join(folder, 'logs[1]'))
})
after(() => removeFolder(folder))

const line = (day: number, path = '/a') =>
  `192.0.2.1 - - [0${day}/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "Mozilla/5.0"\n`
const write = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content)
const namesOf = async (...paths: string[]) => {
  const files = await openFiles(paths.map((path) => (path === '-' ? path : join(folder, path))))
  const sorted = await oldestFirst(files, (format) => createParser(format))
  return sorted.map(({ name }) => name)
}

test('rotated logs are read from the oldest to the newest, whatever their names', async () => {
  await write('access.log', line(4))
  await write('access.log.1', line(3, '/style.css') + line(3))
  await write('access.log.2.gz', gzipSync(line(2)))
  await write('access.log-20261101.zst', zstdCompressSync(line(1)))
  await write('access.log.empty', '')
  const sorted = ['access.log-20261101.zst', 'access.log.2.gz', 'access.log.1', 'access.log', 'access.log.empty']
  assert.deepEqual(await namesOf('access.log*'), sorted)
  assert.deepEqual(await namesOf('access.log', 'access.log.{1,2.gz}'), sorted.slice(1, 4))
})

test('a file that is named twice is read once', async () => {
  await write('once.log', line(1))
  await symlink(join(folder, 'once.log'), join(folder, 'link.log'))
  assert.deepEqual(await namesOf('once.log', 'once.*', 'link.log'), ['once.log'])
})

test('a path that exists is no pattern, and a pattern without files is an error', async () => {
  await write('logs[1]/a.log', line(1))
  assert.deepEqual(await namesOf('logs[1]/a.log'), ['a.log'])
  await assert.rejects(namesOf('nothing-*.log'), /No file matches .*nothing-\*\.log\./)
  await assert.rejects(namesOf('missing.log'), /missing\.log cannot be read/)
  await assert.rejects(namesOf('logs[1]'), /it is a folder\. Name its logs, such as '.*\/\*\.log\*'/)
})

test('archives and other compressions are refused with the way out', async () => {
  await write('logs.zip', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))
  await write('logs.xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]))
  await assert.rejects(namesOf('logs.zip'), /logs\.zip is a zip archive: take the logs out of it first\./)
  await assert.rejects(namesOf('logs.xz'), /logs\.xz is compressed with xz: decompress it first\./)
})

test('standard input is not read to find its place', async () => {
  async function* never(): AsyncGenerator<Uint8Array> {
    yield assert.fail()
  }
  await write('late.log', line(5))
  const files = [fromStream(never()), ...(await openFiles([join(folder, 'late.log')]))]
  const sorted = await oldestFirst(files, (format) => createParser(format))
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['late.log', 'standard input'],
  )
})
