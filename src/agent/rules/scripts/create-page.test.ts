import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { docsSite } from '../../../../test/support/docs-sites.ts'
import { createMemoryChecks } from '../../../../test/support/memory-checks.ts'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { runRules, user } from '../../../../test/support/rules-loop.ts'
import { outlinesOf } from '../../../sites/site-map.ts'
import { openSites } from '../../tools/links/open-sites.ts'
import { createRulesModel } from '../rules-model.ts'
import { choosePath } from './create-page.ts'

const places: readonly (readonly [name: string, files: readonly string[], path: string])[] = [
  ['g/n', ['g/a.md', 'b.mdx', 'c.mdx'], 'g/n.md'],
  ['g/n', ['h/a.md', 'README.md', 'CONTRIBUTING.md', 'b.mdx', 'c.mdx'], 'g/n.mdx'],
  ['g/n', ['h/a.md', 'h/b.md', 'c.mdx'], 'g/n.md'],
  ['g/n', [], 'g/n.mdx'],
  ['/g/n.md', ['docs.json', 'a.mdx'], 'g/n.md'],
  ['g/n', ['docs/docs.json', 'docs/a.mdx'], 'docs/g/n.mdx'],
  ['docs/g/n', ['docs/docs.json', 'docs/a.mdx'], 'docs/g/n.mdx'],
  ['g/n', ['a/docs.json', 'b/docs.json'], 'g/n.mdx'],
  ['b/n', ['docs.json', 'b/docs.json'], 'b/n.mdx'],
  ['g/n', ['docs/.vitepress/config.ts', 'docs/content/a.md'], 'docs/content/g/n.md'],
  ['g/n', ['docs/.vitepress/config.mts', 'docs/a.md'], 'docs/g/n.md'],
  ['g/n', ['mkdocs.yml', 'documentation/a.md'], 'documentation/g/n.md'],
  ['g/n', ['website/docusaurus.config.js', 'website/docs/a.md', 'docs/b.md'], 'website/docs/g/n.md'],
  ['g/n', ['book.toml', 'src/SUMMARY.md', 'src/a.md'], 'src/g/n.md'],
  ['g/n', ['astro.config.mjs', 'src/content/docs/en/g/a.mdx'], 'src/content/docs/en/g/n.mdx'],
]
const texts: Readonly<Record<string, string>> = {
  'docs.json': '{"theme":"mint"}',
  'astro.config.mjs': "import starlight from '@astrojs/starlight'\n",
  'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: 'docs' } }]] }\n",
  'config.ts': "export default { srcDir: 'content' }\n",
  'mkdocs.yml': 'docs_dir: documentation\n',
}

for (const [name, paths, path] of places) {
  test(`the page ${name} goes to ${path} among ${paths.join(', ')}`, async () => {
    const workspace = createMemoryWorkspace(
      Object.fromEntries(paths.map((one) => [one, texts[posix.basename(one)] ?? ''])),
    )
    const { sites } = await openSites({ workspace })
    assert.equal(choosePath(name, { paths: [...paths].toSorted(), sites: outlinesOf(sites) }), path)
  })
}

const limits = 'Add a page guides/quotas titled "Quotas" with text "Quotas are per team."'
const own = '---\ntitle: Quotas\ndescription: Quotas are per team.\n---\n\n# Quotas\n\nQuotas are per team.\n'
const entries = {
  mintlify: ['docs.json', '"guides/billing",\n          "guides/quotas"\n'],
  docusaurus: ['sidebars.js', '"guides/billing", "guides/quotas"]'],
  vitepress: ['docs/.vitepress/config.ts', "{ text: 'Quotas', link: '/guides/quotas' }]"],
  starlight: ['astro.config.mjs', '"guides/billing", "guides/quotas"]'],
  mkdocs: ['mkdocs.yml', '      - guides/billing.md\n      - guides/quotas.md\n'],
  mdbook: ['src/SUMMARY.md', '- [guides/billing](guides/billing.md)\n- [Quotas](guides/quotas.md)\n'],
} as const

for (const [kind, [config, entry]] of Object.entries(entries)) {
  test(`a new page has the form of the site and an entry: ${kind}`, async () => {
    const site = docsSite(kind as keyof typeof entries)
    const workspace = createMemoryWorkspace(site.files)
    const checks = createMemoryChecks(workspace)
    const { finish } = await runRules({ model: createRulesModel(), workspace, checks, prompt: [user(limits)] })
    assert.equal(workspace.text(site.page('guides/quotas')), own)
    assert.ok(workspace.text(config)?.includes(entry), workspace.text(config))
    const { counts } = await checks.find({ which: 'new', isWanted: () => true, offset: 0, limit: 1 })
    assert.deepEqual(counts, { new: 0, old: 0 })
    assert.ok(finish.kind === 'change')
    assert.equal(finish.title, 'Add the page guides/quotas')
    assert.doesNotMatch(finish.summary, /Left as it is/)
  })
}

const forms: readonly (readonly [name: string, beside: readonly string[], text: string, page: string, left: string])[] =
  [
    ['no frontmatter', ['# A\n\nText.\n', '# B\n'], 'Words.', '# New\n\nWords.\n', ''],
    ['no heading', ['---\ntitle: A\n---\n\n## Part\n'], 'Words.', '---\ntitle: New\n---\n\nWords.\n', ''],
    ['a heading of its own', ['# A\n'], '# Own\n\nWords.', '# Own\n\nWords.\n', ''],
    [
      'a position in the sidebar',
      ['---\nsidebar_position: 2\n---\n\n# A\n', '---\nsidebar_position: 7\nid: x\n---\n\n# B\n'],
      'Words.',
      '---\nsidebar_position: 8\n---\n\n# New\n\nWords.\n',
      '',
    ],
    [
      'fields that only a person knows',
      ['---\ntitle: A\nauthor: x\nlayout: doc\n---\n', '---\ntitle: B\nauthor: y\nlayout: doc\n---\n'],
      'Words.',
      '---\ntitle: New\nlayout: doc\n---\n\nWords.\n',
      'g/new.md has no author, which the pages beside it have.',
    ],
  ]
for (const [name, beside, text, page, left] of forms) {
  test(`a new page has what the pages beside it have: ${name}`, async () => {
    const files = Object.fromEntries(beside.map((one, at) => [`g/${at}.md`, one]))
    const workspace = createMemoryWorkspace(files)
    const prompt = [user(`Add a page g/new titled "New":\n\n${text}`)]
    const { finish } = await runRules({ model: createRulesModel(), workspace, prompt })
    assert.equal(workspace.text('g/new.md'), page)
    assert.ok(finish.kind === 'change')
    assert.equal(/Left as it is:\n- ([^\n]*)/.exec(finish.summary)?.[1] ?? '', left)
  })
}
