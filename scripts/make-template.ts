// Makes `src/postgres/template.tar.br`, the folder of a new embedded database. Run it with `node scripts/make-template.ts` when
// a new version of the engine creates other files: a test then says so.

import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, constants } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { type TarEntry, writeTar } from '../src/lib/tar.ts'
import { foldersName, templateFile } from '../src/postgres/template.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

const folder = await temporaryFolder('template')
const engine = new PGlite(folder)
await engine.waitReady
await engine.close()
const archive = await buffer(writeTar(entriesOf(folder), new Date(0)))
const params = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
}
const compressed = brotliCompressSync(archive, { params })
await writeFile(templateFile, compressed)
await removeFolder(folder)
console.log(`${templateFile}: ${compressed.length} bytes, ${archive.length} unpacked`)

async function* entriesOf(directory: string): AsyncGenerator<TarEntry> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => ({ name: join(entry.parentPath, entry.name).slice(directory.length + 1), isFile: entry.isFile() }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const folders = entries.filter(({ isFile }) => !isFile).map(({ name }) => name)
  yield toEntry(foldersName, Buffer.from(folders.join('\n')))
  for (const { name } of entries.filter(({ isFile }) => isFile)) {
    yield toEntry(name, readFileSync(join(directory, name)))
  }
}

function toEntry(name: string, bytes: Buffer): TarEntry {
  return { name, size: bytes.length, content: once(bytes) }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}
