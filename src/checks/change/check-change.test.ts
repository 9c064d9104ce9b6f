// A check that reads few pages must find of a change what a check of everything finds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsSite, memoryTree } from '../../../test/support/docs-sites.ts'
import { createRandom, type Random } from '../../../test/support/random.ts'
import { checkTree } from '../check-tree.ts'
import { readData } from '../facts/read-data.ts'
import { readPage } from '../facts/read-page.ts'
import type { KeptFacts } from '../facts/reader.ts'
import { withSuggestions } from '../suggest/suggest.ts'
import { findMoves } from '../moves.ts'
import { readConfig } from '../../sites/config-strings.ts'
import { siteKinds } from '../../sites/kinds.ts'
import type { SiteKind } from '../../sites/site.ts'
import type { SiteTree } from '../../sites/tree.ts'
import { checkChange } from './check-change.ts'
import { outcomeOf } from './outcome.ts'
import { rounds } from '../../../test/support/rounds.ts'

type Files = Map<string, string>

const changes = rounds(150)

test('a check of few pages finds of a change what a check of everything finds', async () => {
  let partial = 0
  let unjudged = 0
  for (let seed = 0; seed < changes; seed += 1) {
    const random = createRandom(seed)
    const [one, other] = [siteKinds[seed % siteKinds.length] ?? 'plain', random.pick(siteKinds)]
    const before = new Map([...filesOf('one', one, random), ...filesOf('other', other, random)])
    for (let step = random.int(4); step > 0; step -= 1) edit(before, random)
    const after = new Map(before)
    for (let step = random.int(2); step >= 0; step -= 1) edit(after, random)
    const trees = { before: memoryTree(Object.fromEntries(before)), after: memoryTree(Object.fromEntries(after)) }
    const found = await checkPart(trees)
    if (!found) continue
    partial += 1
    unjudged += found.unjudged
    assert.deepEqual(found.outcome, await checkAll(trees), `${one} and ${other}, seed ${seed}`)
  }
  assert.ok(partial > changes / 4, `only ${partial} changes were checked in part`)
  assert.ok(unjudged > partial * 5, `only ${unjudged} pages were left out`)
})

type Trees = { readonly before: SiteTree; readonly after: SiteTree }
const { signal } = new AbortController()

async function checkPart(trees: Trees) {
  const facts = createFacts()
  return await checkChange(trees, { facts, signal, mostRead: 1 }, (checks) => {
    const { introduced, fixed, losses, coverage } = outcome(trees, checks)
    const unjudged = checks.after.index.pages.filter((page) => checks.after.index.unjudged?.has(page)).length
    return { outcome: { introduced: withSuggestions(checks.after, introduced), fixed, losses, coverage }, unjudged }
  })
}

async function checkAll(trees: Trees) {
  const facts = createFacts()
  const checks = {
    before: await checkTree(trees.before, { facts, signal }),
    after: await checkTree(trees.after, { facts, signal }),
  }
  const { introduced, fixed, losses, coverage } = outcome(trees, checks)
  return { introduced: withSuggestions(checks.after, introduced), fixed, losses, coverage }
}

function outcome(
  { before, after }: Trees,
  checks: { before: Awaited<ReturnType<typeof checkTree>>; after: Awaited<ReturnType<typeof checkTree>> },
) {
  const moves = findMoves(before.entries(), after.entries())
  return outcomeOf({ tree: before, result: checks.before }, { tree: after, result: checks.after }, moves)
}

const parsed = new Map<string, unknown>()

function createFacts(): KeptFacts {
  const read = async <Facts>(
    key: string,
    path: string,
    tree: SiteTree,
    parse: (text: string) => Facts,
  ): Promise<Facts> => {
    const known = parsed.get(key) ?? parse(new TextDecoder().decode(await tree.read(path)))
    parsed.set(key, known)
    return known as Facts
  }
  return {
    isKnown: () => Promise.resolve(false),
    page: ({ path, oid }, syntax, tree) => read(`${syntax} ${oid}`, path, tree, (text) => readPage(syntax, text)),
    data: ({ path, oid }, tree) => read(`data ${path} ${oid}`, path, tree, (text) => readData(path, text)),
    config: ({ path, oid }, tree) => read(`config ${path} ${oid}`, path, tree, (text) => readConfig(path, text)),
  }
}

/** Pages of their own names, each with links in many forms to others. */
function filesOf(folder: string, kind: SiteKind, random: Random): [string, string][] {
  const site = docsSite(kind)
  const files: Record<string, string> = { ...site.files }
  const extension = site.page('x').replace(/^.*\./, '')
  if (extension !== 'adoc') {
    const named = [
      'alpha/index',
      'alpha/one two',
      'alpha/delta/three',
      'beta/02-four',
      'beta/épée',
      'gamma',
      '日本',
      'a',
    ]
    for (const name of named) {
      const links = Array.from({ length: 3 }, () =>
        linkTo(random.pick(['install', 'guides/teams', ...named]), name, extension, random),
      )
      files[site.page(name)] =
        `---\ntitle: ${name}\n---\n\n# ${name}\n\n${links.join(' and ')}\n\n## ${random.pick(['Begin', 'A & B', 'Ünï', 'Set up'])}\n\nText of ${name}.\n`
    }
  }
  return Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])
}

function linkTo(name: string, from: string, extension: string, random: Random): string {
  const up = '../'.repeat(from.split('/').length - 1)
  const plain = random.pick([
    name,
    name.replace(/\/index$/, '/'),
    encodeURI(name),
    `${name}.${extension}`,
    encodeURI(`${name}.${extension}`),
    `${name}/`,
    `${name}.html`,
  ])
  const address = random.pick([
    up + plain,
    `/${plain}`,
    `/docs/${plain}`,
    `./${up}${plain}`,
    '../',
    './',
    '/',
    `index.${extension}`,
    `../index.${extension}`,
    '../README.md',
    plain.replace(/^.*\//, ''),
  ])
  const anchor = random.pick(['', '', '#begin', '#a--b', '#a-b', '#%C3%BCn%C3%AF', '#set-up', '#Set-Up'])
  return random.pick([
    `[x](<${address}${anchor}>)`,
    `<a href="${address}${anchor}">x</a>`,
    `[x][${name}]\n\n[${name}]: <${address}${anchor}>\n\n`,
  ])
}

function edit(files: Files, random: Random): void {
  const [first = '', ...rest] = [...files.keys()].filter((path) => /\.(?:mdx?|adoc|rst)$/.test(path))
  const [path, other] = [random.pick([first, ...rest]), random.pick([first, ...rest])]
  const text = files.get(path) ?? ''
  const name = other.replace(/^.*\//, '')
  const moved = path.replace(/[^/]*$/, random.pick(['deep/er/', 'alpha/', ''])) + name
  const beside = `./${[...files.keys()].find((one) => one !== path && one.replace(/[^/]*$/, '') === path.replace(/[^/]*$/, ''))?.replace(/^.*\//, '') ?? name}`
  const set = (to: string) => () => void files.set(path, to)
  const add = (more: string) => set(`${text}\n${more}\n`)
  const [firstIndex = path, ...indexes] = [...files.keys()].filter((one) =>
    /(?:^|\/)(?:_?index|readme)\.\w+$/i.test(one),
  )
  const index = random.pick([firstIndex, ...indexes])
  const move = (from: string, to: string) =>
    void (files.set(to, files.get(from) ?? ''), from === to || files.delete(from))
  const edits: [() => unknown, ...(() => unknown)[]] = [
    () => move(index, index.replace(/[^/]*(?=\.\w+$)/, random.pick(['overview', 'deep/index', 'two/README']))),
    () => move(path, path.replace(/[^/]*(?=\.\w+$)/, random.pick(['index', 'README', 'deep/index']))),
    add(`More words about ${name}.`),
    add(linkTo(name.replace(/\.\w+$/, ''), '', name.replace(/^.*\./, ''), random)),
    add(random.pick(['## Begin', '## {#begin}', '## Ünï', '<a id="set-up"></a>', '## A & B'])),
    add(`import Part from '${beside}'\n\n{{#include ${beside}}}\n\n<!-- @include: ${beside} -->\n`),
    add('```sh\nacme start\n```'),
    add('![](images/logo.png)'),
    set(text.replace(/^## .*$/m, random.pick(['## End', '## Begin', '']))),
    set(text.replace(/```sh[^`]*```\n/, '')),
    set(
      text.replace(
        /^title: .*$/m,
        random.pick([
          'slug: /other',
          'slug: other',
          'permalink: /moved/',
          'title: New',
          'id: new',
          'redirect_from: /gone',
        ]),
      ),
    ),
    set(text.replace(/\]\([^)]*\)/, `](${random.pick(['./gone.md', '#gone', '/gone', './install.md'])})`)),
    set(text.replace(/description: .*\n/, '')),
    set(files.get(other) ?? ''),
    () => void files.set(moved, text),
    () => void (files.delete(path), files.set(moved, text)),
    () => void files.delete(path),
    () => void files.delete(path),
    () =>
      void files.set(
        path.replace(/[^/]*$/, random.pick(['new.md', 'index.md', 'README.md', 'alpha.md'])),
        `# New\n\n${linkTo('alpha/index', '', 'md', random)}\n`,
      ),
    () => void files.set(path.replace(/[^/]*$/, 'new.png'), 'PNG'),
    () => files.delete([...files.keys()].find((one) => one.endsWith('.png')) ?? ''),
    () => editConfig(files, random),
  ]
  random.pick(edits)()
}

function editConfig(files: Files, random: Random): void {
  for (const [path, text] of files) {
    if (!/(?:config\.[a-z]+|docs\.json|mkdocs\.yml|book\.toml)$/.test(path)) continue
    files.set(path, text.replace(random.pick(['old', 'install', 'teams']), random.pick(['new', 'guides/teams', 'old'])))
  }
}

const withTitle = '---\ntitle: X\n---\n'

/** Each changes what is found on a page that it leaves as it is, by another way to lead there. */
const distant: readonly (readonly [string, Record<string, string | null>])[] = [
  ['a heading', { 'docs/guides/xenon.md': `${withTitle}## Cobalt\n` }],
  ['an address', { 'docs/guides/xenon.md': `${withTitle.replace('X', 'X\nslug: moved')}## Zirconium\n` }],
  ['a heading of a part', { 'docs/guides/part.md': `${withTitle}## Cobalt\n` }],
  ['a page', { 'docs/guides/xenon.md': null }],
  ['a page that is a folder', { 'docs/guides/krypton/index.md': null }],
  ['the page of a folder', { 'docs/guides/deep.md': '# Deep\n' }],
  ['an image', { 'static/neon.png': null }],
  ['a page that the navigation needs', { 'docs/guides/argon.md': withTitle }],
]

test('each way to lead to what a change touches is found', async () => {
  const site = docsSite('docusaurus')
  const before: Record<string, string> = {
    ...site.files,
    'docs/guides/xenon.md': `${withTitle}## Zirconium\n`,
    'docs/guides/links.md': `${withTitle}[1](./xenon.md#zirconium), [2](/docs/guides/moved)\n\n![3](/neon.png)\n`,
    'docs/guides/krypton/index.md': `${withTitle}## Zirconium\n`,
    'docs/guides/krypton/two.md': `${withTitle}[1](../), [2](./), [3](..)\n`,
    'docs/guides/deep/one.md': `${withTitle}[1](./)\n`,
    'docs/guides/part.md': `${withTitle}## Zirconium\n`,
    'docs/guides/whole.mdx': `${withTitle}import Part from './part.md'\n`,
    'docs/guides/over.md': `${withTitle}[1](./whole.mdx#zirconium)\n`,
    'static/neon.png': 'PNG',
  }
  for (const [what, change] of distant) {
    const trees = { before: memoryTree(before), after: memoryTree(before, change) }
    const found = await checkPart(trees)
    assert.ok(found && found.unjudged >= 8, `${what}: ${found?.unjudged}`)
    assert.deepEqual(found.outcome, await checkAll(trees), what)
  }
})
