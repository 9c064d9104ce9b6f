// The thread that opens the embedded engine, in a process of its own: the engine has one folder at a time in a process.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'

const module = fileURLToPath(new URL('open.ts', import.meta.url))

const script = `
  const { openClickHouse } = await import(${JSON.stringify(module)})
  for (const name of process.argv.slice(1)) {
    const store = await openClickHouse({ kind: 'embedded', directory: name })
    const reads = [1, 2, 3, 4].map(() => store.read('SELECT count() AS views FROM page_views', {}))
    console.log(JSON.stringify(await Promise.all(reads)))
    if (name !== process.argv.at(-1)) await store.close()
  }
`

test('stores of a process follow each other, and one left open ends with it', async (t) => {
  const folder = await temporaryFolder('stores')
  t.after(() => removeFolder(folder))
  const folders = ['first', 'second', 'first', 'last'].map((name) => join(folder, name))
  const options = { cwd: folder, timeout: 120_000 }
  const run = promisify(execFile)
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script, ...folders], options)
  assert.equal(stderr, '')
  const empty = JSON.stringify(Array.from({ length: 4 }, () => [{ views: 0 }]))
  assert.deepEqual(
    stdout.trim().split('\n'),
    folders.map(() => empty),
  )
})
