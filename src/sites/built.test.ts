// The addresses of pages and the ids of headings are those that the real generators make: the lists in
// `test/generators/built/kept`, which `npm run test:generators` compares with the generators themselves.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkFiles } from '../../test/support/check-files.ts'
import { memoryTree } from '../../test/support/docs-sites.ts'
import type { Kept } from '../../test/generators/built/site.ts'
import { builtSites } from '../../test/generators/built/sites.ts'

const kept = join(import.meta.dirname, '../../test/generators/built/kept')

for (const [name, { kind, files }] of Object.entries(builtSites)) {
  test(`pages of ${name} have the addresses and ids that are built`, async () => {
    const { pages } = JSON.parse(await readFile(join(kept, `${name}.json`), 'utf8')) as Kept
    const { index } = await checkFiles(memoryTree(files))
    const entries = Object.entries(pages).map(([path, built]) => {
      const page = index.page(path)
      const isKnown = page?.site.kind === kind && page.routes.length > 0
      const anchors = isKnown ? index.anchors(page) : { known: new Set<string>(), isOpen: true }
      const { normalise = String } = page?.site.slugs ?? {}
      const ids = built.ids.filter((id) => anchors.isOpen || anchors.known.has(id) || anchors.known.has(normalise(id)))
      return [path, { address: isKnown ? page.routes[0] || '/' : null, ids }] as const
    })
    assert.deepEqual(Object.fromEntries(entries), pages)
  })
}
