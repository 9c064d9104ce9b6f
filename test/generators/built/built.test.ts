// The kept lists are what the generators build. `UPDATE=1` writes them again; format them then.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildSite } from './build.ts'
import { builtSites } from './sites.ts'

const kept = join(import.meta.dirname, 'kept')

for (const [name, site] of Object.entries(builtSites)) {
  test(`the generator builds the kept list of ${name}`, async (t) => {
    const folder = await mkdtemp(join(import.meta.dirname, '..', site.folder ?? '', '.built-'))
    t.after(() => rm(folder, { recursive: true }))
    const built = await buildSite(site, folder)
    const file = join(kept, `${name}.json`)
    if (process.env['UPDATE']) {
      await mkdir(kept, { recursive: true })
      await writeFile(file, `${JSON.stringify(built, null, 2)}\n`)
    }
    assert.deepEqual(built, JSON.parse(await readFile(file, 'utf8')))
  })
}
