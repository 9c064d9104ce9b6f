// How sites name their pages: a table over all kinds. The checks and the tools of the agent are asked for each name, so
// that they can never differ again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkFiles } from '../../test/support/check-files.ts'
import { docsSite, memoryTree, markdownKinds } from '../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../test/support/memory-workspace.ts'
import { fields } from '../../test/support/named-sites/named-site.ts'
import { namedSites } from '../../test/support/named-sites/named-sites.ts'
import { namesIn, openSites, readNamed } from '../agent/tools/links/open-sites.ts'
import { rounds } from '../../test/support/rounds.ts'

type Files = Readonly<Record<string, string>>

const pages = namedSites.reduce((sum, [, , rows]) => sum + rows.length, 0)

test('the table has all kinds with an address, and at least 33 pages', () => {
  assert.ok(pages >= 33, String(pages))
})

for (const [name, config, rows] of namedSites) {
  for (const [path, source, address, id] of rows) {
    test(`${name} names ${path} ${address ?? 'not at all'}`, async () => {
      const files = { ...config, [path]: source }
      const [told, found] = [await askTools(files, path), await askChecks(files, path)]
      assert.deepEqual(told, found)
      assert.equal(told?.address, address)
      if (id !== undefined) assert.equal(told?.ids[0], id)
    })
  }
}

test('tools and checks give any page of any site the same names', async () => {
  const part = fc.constantFrom('a', 'B c', 'index', 'README', '01-x', 'de', 'en', '_p', 'guides', 'v1.2')
  const paths = fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('.md', '.mdx'))
  const own = fc.record({ slug: fc.option(part), id: fc.option(part) })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...markdownKinds), paths, own, async (kind, [parts, ending], { slug, id }) => {
      const site = docsSite(kind)
      const folder = site.page('x').replace(/x\.\w+$/, '')
      const path = folder + parts.join('/') + ending
      const lines = [...(slug === null ? [] : [`slug: ${slug}`]), ...(id === null ? [] : [`id: ${id}`])]
      const files = { ...site.files, [path]: fields(['title: A', ...lines].join('\n')) }
      assert.deepEqual(await askTools(files, path), await askChecks(files, path))
    }),
    { numRuns: rounds(50) },
  )
})

async function askTools(files: Files, path: string) {
  const workspace = createMemoryWorkspace(files)
  return namesIn(await openSites({ workspace }), await readNamed(workspace, path))
}

async function askChecks(files: Files, path: string) {
  const { index } = await checkFiles(memoryTree(files))
  const page = index.page(path)
  if (!page || page.site.kind === 'plain' || page.routes.length === 0) return undefined
  return { address: page.routes[0] || '/', ids: page.ids }
}
