// Redirects that a job with a limit adds: so many, and within the site.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsSite, type SiteFiles } from '../../../../test/support/docs-sites.ts'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { judgeEdits, policyOf } from '../judge-edits.ts'
import { createSyntaxThreads } from '../content/read/threads.ts'

const mintlify = docsSite('mintlify').files
const docsJson = (...redirects: readonly (readonly [string, string])[]) => {
  const config = JSON.parse(mintlify['docs.json'] ?? '') as { readonly redirects: readonly object[] }
  const added = redirects.map(([source, destination]) => ({ source, destination }))
  return JSON.stringify({ ...config, redirects: [...config.redirects, ...added] }, null, 2)
}
const many = (count: number) => Array.from({ length: count }, (_, at) => [`/old-${at}`, '/install'] as const)

async function refuse(files: SiteFiles, change: SiteFiles, redirects: number | null = 20) {
  const edits = Object.entries(change).map(([path, text]) => {
    return { path, content: new TextEncoder().encode(text), mode: '100644' } as const
  })
  const policy = { ...policyOf({ path_policy: '{"unprotect":["netlify.toml"]}' }), redirects }
  const signal = AbortSignal.timeout(60_000)
  const found = await judgeEdits(
    { policy, base: memoryTree(files), reading: createSyntaxThreads().read, signal },
    edits,
  )
  return found.map(({ path, message }) => `${path} ${message}`)
}

test('a run may add 20 redirects, and not 21', async () => {
  assert.deepEqual(await refuse(mintlify, { 'docs.json': docsJson(...many(20)) }), [])
  const [one, ...more] = await refuse(mintlify, { 'docs.json': docsJson(...many(21)) })
  assert.deepEqual(more, [])
  assert.match(one ?? '', /^docs\.json is one of 21 redirects, and a run of this automation may add 20$/)
  assert.deepEqual(await refuse(mintlify, { 'docs.json': docsJson(...many(21)) }, null), [])
})

test('a redirect to another host is refused in each form of address', async () => {
  for (const host of ['https://other.example/x', '//other.example', 'HTTP://other.example']) {
    const found = await refuse(mintlify, { 'docs.json': docsJson(['/old-name', host]) })
    assert.equal(found.length, 1, `${host}: ${found.join()}`)
    assert.match(found[0] ?? '', /within the site only$/)
  }
  const netlify = '[[redirects]]\nfrom = "/a"\nto = "https://other.example"\n'
  assert.match((await refuse(mintlify, { 'netlify.toml': netlify })).join(), /within the site only/)
  const site = docsSite('vitepress').files
  const lines = `${site['docs/public/_redirects']}/gone https://other.example 301\n`
  assert.match((await refuse(site, { 'docs/public/_redirects': lines })).join(), /within the site only/)
})

test('redirects that were there count as little as other changes', async () => {
  const files = { ...mintlify, 'docs.json': docsJson(...many(25), ['/out', 'https://other.example']) }
  assert.deepEqual(await refuse(files, { 'docs.json': docsJson(['/out', 'https://other.example'], ...many(26)) }), [])
  assert.deepEqual(await refuse(files, { 'guides/teams.mdx': '# Teams\n' }), [])
})

test('the old addresses that a page lists are redirects, too', async () => {
  const site = docsSite('hugo')
  const { files } = site
  const teams = site.page('guides/teams')
  const aliases = (count: number) =>
    (files[teams] ?? '').replace(
      '---\n',
      `---\naliases:\n${many(count)
        .map(([old]) => `  - ${old}\n`)
        .join('')}`,
    )
  assert.deepEqual(await refuse(files, { [teams]: aliases(20) }), [])
  assert.equal((await refuse(files, { [teams]: aliases(21) })).length, 1)
})
