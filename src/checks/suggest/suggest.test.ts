// Suggestions for links, anchors, images, parts and entries of the navigation, in the form that the page uses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { docsSite, memoryTree, markdownKinds } from '../../../test/support/docs-sites.ts'
import type { SiteKind } from '../../sites/site.ts'
import { chooseText } from './choose.ts'
import { createSuggester, withSuggestions } from './suggest.ts'

type Files = Readonly<Record<string, string | null>>

/** The page `guides/deploy` with `text` at its end. */
async function suggestionsFor(kind: SiteKind, text: string, change: Files = {}) {
  const site = docsSite(kind)
  const path = site.page('guides/deploy')
  const result = await checkFiles(memoryTree(site.files, { ...change, [path]: `${site.files[path]}\n${text}\n` }))
  const found = withSuggestions(result, result.findings).filter((finding) => finding.path === path)
  return found.map(({ target, suggestion }) => [target, suggestion])
}

test('a link is corrected in the form in which it is written', async () => {
  const cases: readonly (readonly [kind: SiteKind, written: string, right: string | undefined])[] = [
    ['mintlify', '/guides/web-hooks', '/guides/webhooks'],
    ['mintlify', '/webhooks?a=1#begin', '/guides/webhooks?a=1#begin'],
    ['mintlify', '/en/guides/webhooks/', '/guides/webhooks/'],
    ['mintlify', '../cli', '../reference/cli'],
    ['mintlify', './webhook', './webhooks'],
    ['mintlify', '/guides/webhook#beginning', '/guides/webhooks#begin'],
    ['mintlify', '/guides/webhook#elsewhere', '/guides/webhooks'],
    ['docusaurus', '/docs/guide/webhooks', '/docs/guides/webhooks'],
    ['docusaurus', './webhook.mdx', './webhooks.md'],
    ['docusaurus', 'domain.md', 'domains.md'],
    ['vitepress', '/guide/webhooks.html', '/guides/webhooks.html'],
    ['vitepress', './Webhook', './webhooks'],
    ['starlight', '/reference/webhooks/', '/guides/webhooks/'],
    ['starlight', '../webhook/', '../webhooks/'],
    ['mkdocs', 'cli.md', '../reference/cli.md'],
    ['mkdocs', '../guides/domain.md#begin', 'domains.md#begin'],
    ['mdbook', '../references/errors.md', '../reference/errors.md'],
    ['mdbook', '../references/errors.html', '../reference/errors.html'],
    ['nextra', '/guide/teams', '/guides/teams'],
    ['plain', 'team.md', 'teams.md'],
    ['plain', '../reference/event.md', '../reference/events.md'],
    // Its own page.
    ['plain', 'deploys.md', undefined],
    // No page is clearly meant.
    ['mintlify', '/guides/rollback', undefined],
    ['mintlify', '/changelog', undefined],
    ['mkdocs', 'webhooks-v2-legacy-notes.md', undefined],
  ]
  for (const [kind, written, right] of cases)
    assert.deepEqual(await suggestionsFor(kind, `[a](${written})`), [[written, right]], `${kind} ${written}`)
})

test('the folder of the address decides between two pages with the name', async () => {
  const text = '---\ntitle: A\n---\n\n# A\n'
  const others = { 'v2/api/tokens.mdx': text, 'v3/api/tokens.mdx': text }
  assert.deepEqual(await suggestionsFor('mintlify', '[a](/api/v3/tokens)', others), [
    ['/api/v3/tokens', '/v3/api/tokens'],
  ])
  assert.deepEqual(await suggestionsFor('mintlify', '[a](/tokens)', others), [['/tokens', undefined]])
})

test('a page is found by its title, and a common name only in its folder', async () => {
  const others = {
    'billing/overview.mdx': '---\ntitle: Overview\n---\n',
    'guides/sso.mdx': '---\ntitle: Single sign-on\n---\n',
  }
  assert.deepEqual(await suggestionsFor('mintlify', '[a](/guides/single-sign-on) [b](/guides/overview)', others), [
    ['/guides/overview', undefined],
    ['/guides/single-sign-on', '/guides/sso'],
  ])
})

test('an anchor becomes the most similar one, or that of the page that has it now', async () => {
  const site = docsSite('mintlify')
  const moved = { [site.page('guides/teams')]: '---\ntitle: Teams\n---\n\n# Teams\n\n## Remove a member\n' }
  const found = await suggestionsFor('mintlify', '[a](#beginn) [b](/guides/teams#remove-members) [c](#gone)', moved)
  assert.deepEqual(found, [
    ['#beginn', '#begin'],
    ['#gone', undefined],
    ['/guides/teams#remove-members', '/guides/teams#remove-a-member'],
  ])
  assert.deepEqual(await suggestionsFor('mintlify', '[c](/install#remove-a-member) [d](#remove-a-member)', moved), [
    ['#remove-a-member', 'teams.mdx#remove-a-member'],
    ['/install#remove-a-member', '/guides/teams#remove-a-member'],
  ])
})

test('an anchor of one word, or one that two pages have, is not looked for elsewhere', async () => {
  const change = {
    'guides/teams.mdx': '# Teams\n\n## Members\n\n## Remove a member\n',
    'guides/billing.mdx': '# Billing\n\n## Pay later\n',
    'guides/domains.mdx': '# Domains\n\n## Pay later\n',
  }
  assert.deepEqual(await suggestionsFor('mintlify', '[a](/install#members) [b](/install#pay-later)', change), [
    ['/install#members', undefined],
    ['/install#pay-later', undefined],
  ])
})

test('a page of the same version is meant', async () => {
  const text = '---\ntitle: Webhooks\n---\n'
  const change = { 'versions.json': '["1.0"]', 'versioned_docs/version-1.0/guides/webhooks.md': text }
  assert.deepEqual(await suggestionsFor('docusaurus', '[a](./webhook.md)', change), [['./webhook.md', './webhooks.md']])
})

test('an address has no spaces and brackets of its own', async () => {
  const change = { [docsSite('plain').page('guides/price (new)')]: '# Price\n' }
  const [found] = await suggestionsFor('plain', '[a](price-new.md)', change)
  assert.match(String(found?.[1]), /^price%20%28new%29\.md$/)
})

test('only so many problems, and addresses of a sane length, get a suggestion', async () => {
  const site = docsSite('mintlify')
  const result = await checkFiles(memoryTree(site.files))
  const ask = (suggest: ReturnType<typeof createSuggester>, target: string) =>
    suggest({ kind: 'link', path: site.page('guides/deploy'), line: 1, target, message: 'leads nowhere' })
  const suggest = createSuggester(result)
  for (let asked = 1; asked <= 500; asked += 1) assert.equal(ask(suggest, '/guides/webhook'), '/guides/webhooks')
  assert.equal(ask(suggest, '/guides/webhook'), undefined)
  const long = (length: number) => `/guides/webhook?${'a'.repeat(length - 16)}`
  assert.equal(ask(createSuggester(result), long(300)), `/guides/webhooks?${'a'.repeat(284)}`)
  assert.equal(ask(createSuggester(result), long(301)), undefined)
})

test('an image, a part and a snippet are found by name, with another extension too', async () => {
  assert.deepEqual(
    await suggestionsFor('mkdocs', '![a](../img/logo.png) ![b](../images/logo.svg)\n\n--8<-- "note.txt"'),
    [
      ['../images/logo.svg', '../images/logo.png'],
      ['../img/logo.png', '../images/logo.png'],
      ['note.txt', 'parts/note.txt'],
    ],
  )
  assert.deepEqual(await suggestionsFor('mintlify', 'import Note from "/note.mdx"\n\n<Note />\n\n![a](/Logo.png)'), [
    ['/note.mdx', '/snippets/note.mdx'],
    ['/Logo.png', '/images/logo.png'],
  ])
})

test('an entry of the navigation becomes the page that it does not name yet', async () => {
  for (const kind of markdownKinds.filter((one) => one !== 'nextra' && one !== 'plain')) {
    const site = docsSite(kind)
    const text = site.files[site.page('guides/domains')] ?? ''
    const change = { [site.page('guides/domains')]: null, [site.page('guides/custom-domains')]: text }
    const result = await checkFiles(memoryTree(site.files, change))
    const finding = withSuggestions(result, result.findings).find((one) => one.kind === 'navigation')
    assert.equal(
      finding?.suggestion,
      finding?.target.replace('domains', 'custom-domains'),
      `${kind} ${showFindings(result.findings)}`,
    )
  }
})

test('an entry of the navigation never becomes a page that it already names', async () => {
  const { files } = docsSite('mintlify')
  const config = (files['docs.json'] ?? '').replace('"guides/domains"', '"guides/webhook"')
  const result = await checkFiles(memoryTree(files, { 'docs.json': config }))
  const found = withSuggestions(result, result.findings).find(({ target }) => target === 'guides/webhook')
  assert.deepEqual([found?.kind, found?.suggestion], ['navigation', undefined])
})

test('numbers are the same in similar names', () => {
  assert.equal(chooseText('version-1', ['version-2', 'versions-1']), 'versions-1')
  assert.equal(chooseText('step-1', ['step-2']), undefined)
  assert.equal(chooseText('create-user', ['delete-user']), undefined)
  assert.equal(chooseText('deploy', ['deployment', 'deployments']), undefined)
  assert.equal(chooseText('rotaet-keys', ['rotate-keys', 'rotate-a-certificate']), 'rotate-keys')
})
