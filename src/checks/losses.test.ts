// The losses of changes: a careless edit, and edits that lose nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../test/support/docs-sites.ts'
import { findLosses } from './losses.ts'
import { findMoves } from './moves.ts'

type Files = Readonly<Record<string, string>>

/** Different words, so that no part of it is found elsewhere. */
const prose = (name: string, words: number) =>
  Array.from({ length: words }, (_, at) => `${name}${at}${at % 10 === 9 ? '.\n' : ''}`).join(' ')
const code = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`
const base: Files = {
  'mkdocs.yml': 'site_name: Acme\n',
  'docs/deploy.md': `# Deploy\n\n${prose('deploy', 60)}\n\n## Roll back\n\n${code('acme rollback\nacme status')}\n## Limits\n\n${prose('limit', 40)}\n\n${code('acme limits')}`,
  'docs/other.md': `# Other\n\n## Shared\n\n${code('acme start')}`,
}

async function losses(change: Readonly<Record<string, string | null>>, from: Files = base) {
  const [before, after] = [memoryTree(from), memoryTree(from, change)]
  return findLosses(await checkFiles(before), await checkFiles(after), findMoves(before.entries(), after.entries()))
}

function edit(path: string, ...pairs: readonly (readonly [from: string, to: string])[]): Files {
  const text = pairs.reduce((now, [from, to]) => {
    assert.ok(now.includes(from), from)
    return now.replace(from, to)
  }, base[path] ?? '')
  return { [path]: text }
}

const rollback = `## Roll back\n\n${code('acme rollback\nacme status')}`
const limits = `## Limits\n\n${prose('limit', 40)}\n\n${code('acme limits')}`

test('a deleted section costs its heading, its code and its words', async () => {
  assert.deepEqual(await losses(edit('docs/deploy.md', [rollback, ''])), [
    { path: 'docs/deploy.md', headings: ['Roll back'], codeBlocks: ['acme rollback'], fields: [], words: null },
  ])
  assert.deepEqual(await losses(edit('docs/deploy.md', [limits, ''])), [
    {
      path: 'docs/deploy.md',
      headings: ['Limits'],
      codeBlocks: ['acme limits'],
      fields: [],
      words: { before: 104, after: 63 },
    },
  ])
})

test('a page may lose 30 % of its words, and one of less than 50 words all', async () => {
  const page = (words: number) => ({ ...base, 'docs/deploy.md': prose('a', words) })
  const words = async (before: number, after: number) => {
    const [loss] = await losses({ 'docs/deploy.md': prose('a', after) }, page(before))
    return loss?.words ?? null
  }
  assert.equal(await words(100, 70), null)
  assert.deepEqual(await words(100, 69), { before: 100, after: 69 })
  assert.equal(await words(49, 0), null)
  assert.deepEqual(await words(50, 0), { before: 50, after: 0 })
})

test('a page that is split loses nothing', async () => {
  const split = { ...edit('docs/deploy.md', [limits, '[Limits](limits.md)\n']), 'docs/limits.md': limits }
  assert.deepEqual(await losses(split), [])
})

test('a field that gives a page its address or its name is lost, another one is not', async () => {
  const from = {
    ...base,
    'docs/other.md': `---\ntitle: Other\npermalink: /o\nweight: 3\n---\n${base['docs/other.md']}`,
  }
  const found = await losses({ 'docs/other.md': `---\ntitle: Others\n---\n${base['docs/other.md']}` }, from)
  assert.deepEqual(
    found.map(({ path, fields }) => [path, fields]),
    [['docs/other.md', ['permalink']]],
  )
})

test('a page that is merged into another one loses nothing', async () => {
  const merged = { 'docs/other.md': null, 'docs/deploy.md': `${base['docs/deploy.md']}\n${base['docs/other.md']}` }
  assert.deepEqual(await losses(merged), [])
})

test('a part that becomes a snippet is not lost, and a move is followed', async () => {
  const files = { 'docs.json': '{ "navigation": {} }', 'a.mdx': base['docs/deploy.md'] ?? '' }
  const moved = {
    'a.mdx': null,
    'new/a.mdx': (files['a.mdx'] ?? '').replace(limits, "import L from '/snippets/l.mdx'\n\n<L />\n"),
  }
  assert.deepEqual(await losses({ ...moved, 'snippets/l.mdx': limits }, files), [])
  const found = await losses(moved, files)
  assert.deepEqual(
    found.map(({ path, headings }) => [path, headings]),
    [['new/a.mdx', ['Limits']]],
  )
})

test('a reworded heading and an edited code block are not lost', async () => {
  assert.deepEqual(
    await losses(
      edit(
        'docs/deploy.md',
        ['## Roll back', '## How to roll back {#roll-back}'],
        ['acme status', 'acme status --all'],
      ),
    ),
    [],
  )
  const other = edit('docs/deploy.md', ['## Roll back', '## Prices'], ['acme rollback\nacme status\n', '…\n'])
  const [loss] = await losses(other)
  // One line is the half of two.
  assert.deepEqual([loss?.headings, loss?.codeBlocks], [['Roll back'], []])
  const long = { ...base, 'docs/other.md': code('one\ntwo\nthree') }
  assert.deepEqual((await losses({ 'docs/other.md': code('…') }, long))[0]?.codeBlocks, ['one'])
})

test('a heading that another page has is not lost, but a translation does not keep it', async () => {
  assert.deepEqual(
    await losses({ 'docs/other.md': '# Other\n' }, { ...base, 'docs/third.md': base['docs/other.md'] ?? '' }),
    [],
  )
  const files = { ...base, 'docs/de/other.md': base['docs/other.md'] ?? '' }
  assert.deepEqual(await losses({ 'docs/other.md': '# Other\n' }, files), [
    { path: 'docs/other.md', headings: ['Shared'], codeBlocks: ['acme start'], fields: [], words: null },
  ])
  assert.deepEqual(await losses({ 'docs/de/other.md': '# Other\n' }, files), [])
})

test('a translation without a main page, and an earlier version, keep no heading', async () => {
  const shared = base['docs/other.md'] ?? ''
  const starlight = docsSite('starlight')
  const docusaurus = docsSite('docusaurus')
  const cases: readonly (readonly [files: Files, path: string])[] = [
    [{ ...starlight.files, 'src/content/docs/de/allein.md': shared }, starlight.page('guides/teams')],
    [
      { ...docusaurus.files, 'versions.json': '["1.0"]', 'versioned_docs/version-1.0/guides/old.md': shared },
      docusaurus.page('guides/teams'),
    ],
  ]
  for (const [files, path] of cases) {
    const text = files[path] ?? ''
    const found = await losses({ [path]: text }, { ...files, [path]: `${text}\n## Shared\n` })
    assert.deepEqual(
      found.map(({ headings }) => headings),
      [['Shared']],
      path,
    )
  }
})

test('a page that becomes a snippet is compared with it', async () => {
  const files = { 'docs.json': '{ "navigation": {} }', 'a.mdx': base['docs/deploy.md'] ?? '' }
  const found = await losses({ 'a.mdx': null, 'snippets/a.mdx': files['a.mdx'].replace(rollback, '') }, files)
  assert.deepEqual(
    found.map(({ path, headings }) => [path, headings]),
    [['snippets/a.mdx', ['Roll back']]],
  )
})

test('a change of spaces, order and wrapping loses nothing', async () => {
  const text = base['docs/deploy.md'] ?? ''
  const turned = text.replace(rollback, '').replaceAll('.\n', '.') + `\n\n${rollback}`
  assert.deepEqual(await losses({ 'docs/deploy.md': turned }), [])
})

test('a heading is found again in other case, with an id, and in a page of a part', async () => {
  const files = { 'docs.json': '{ "navigation": {} }', 'a.mdx': '# A\n\n## Roll back\n\n## Limits\n', 'b.mdx': '# B\n' }
  const kept = { 'a.mdx': '# A\n', 'b.mdx': '# B\n\n### ROLL  back {#back}\n' }
  assert.deepEqual(
    (await losses(kept, files)).map(({ headings }) => headings),
    [['Limits']],
  )
  assert.deepEqual(await losses({ ...kept, 'snippets/limits.mdx': '## Limits\n' }, files), [])
})

test('one new heading takes the place of one old heading, and only of a similar one', async () => {
  const page = (...headings: readonly string[]) => ({
    ...base,
    'docs/other.md': `# Other\n${headings.map((text) => `\n## ${text}\n`).join('')}`,
  })
  const lost = async (before: readonly string[], after: readonly string[]) =>
    (await losses(page(...after), page(...before)))[0]?.headings ?? []
  assert.deepEqual(await lost(['Install it', 'Install them'], ['Installation']), ['Install them'])
  // Half of the words are the same.
  assert.deepEqual(await lost(['Create keys'], ['Delete keys']), ['Create keys'])
  assert.deepEqual(await lost(['Create keys'], ['Create a key']), [])
})

test('losses are in order of path, and a page that cannot be read has none', async () => {
  const files = { ...base, 'docs/b.md': base['docs/other.md'] ?? '', 'docs/a.md': '# A\n\n## Only here\n' }
  const found = await losses({ 'docs/other.md': '# Other\n', 'docs/b.md': '# B\n', 'docs/a.md': '# A\n' }, files)
  assert.deepEqual(
    found.map(({ path }) => path),
    ['docs/a.md', 'docs/b.md', 'docs/other.md'],
  )
  const mdx = { 'docs.json': '{ "navigation": {} }', 'a.mdx': `# A\n\n${prose('a', 100)}\n` }
  assert.deepEqual(await losses({ 'a.mdx': `# A\n\n<Open>\n\n${prose('a', 10)}\n` }, mdx), [])
})
