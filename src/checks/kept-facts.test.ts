// Keeping things with the facts of pages from one check to the next must not change what a check finds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsSite, memoryTree, markdownKinds } from '../../test/support/docs-sites.ts'
import { createRandom, type Random } from '../../test/support/random.ts'
import { checkTree, type CheckResult } from './check-tree.ts'
import { readConfig } from '../sites/config-strings.ts'
import { readData } from './facts/read-data.ts'
import { readPage } from './facts/read-page.ts'
import type { SiteKind } from '../sites/site.ts'
import type { SiteTree } from '../sites/tree.ts'

type Files = Map<string, string>
type Facts = ReturnType<typeof keepFacts>

const seeds = 24
const stepsOfSeed = 5

test('a check with kept facts finds what a check of everything finds, after any edits', async () => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const random = createRandom(seed)
    const [one, other] = [markdownKinds[seed % markdownKinds.length], random.pick(markdownKinds)]
    const files = new Map([...filesOf('one', one ?? 'plain'), ...filesOf('other', other)])
    const facts = keepFacts()
    const earlier: CheckResult[] = []
    for (let step = 0; step < stepsOfSeed; step += 1) {
      for (let count = random.int(2); count >= 0; count -= 1) edit(files, random)
      const tree = memoryTree(Object.fromEntries(files))
      const previous = earlier[random.int(earlier.length + 1)]
      const [known, full] = [await check(tree, facts, previous), await check(tree, withoutKept(facts))]
      assert.deepEqual(known.findings, full.findings, `${one} and ${other}, seed ${seed}, step ${step}`)
      earlier.push(known)
    }
  }
})

const withTitle = '---\ntitle: X\n---\n'
const linking = `${withTitle}[1](./x.md#begin), [2](/docs/guides/moved), [3](/docs/guides/teams)\n\n![4](/z.png)\n`
const part = "import Part from './part.md'\n"

/** Each edit changes what is found on a page that it leaves as it is. */
const distant: readonly (readonly [string, Record<string, string | null>])[] = [
  ['a heading is gone', { 'docs/guides/x.md': `${withTitle}## End\n` }],
  ['the address is another', { 'docs/guides/x.md': `${withTitle.replace('X', 'X\nslug: moved')}## Begin\n` }],
  ['the id is another', { 'docs/guides/teams.md': `${withTitle.replace('X', 'X\nid: new')}## Begin\n` }],
  ['the heading of a part is gone', { 'docs/guides/part.md': `${withTitle}## End\n` }],
  ['the page is gone', { 'docs/guides/x.md': null }],
  ['the last file is gone', { 'static/z.png': null }],
  ['a file is ignored', { '.gitignore': 'guides/\n' }],
  ['the site is at another address', { 'docusaurus.config.js': "module.exports = { baseUrl: '/docs/' }\n" }],
]

test('a check finds what an edit changes on pages that stay as they are', async () => {
  const site = docsSite('docusaurus')
  const before: Record<string, string> = {
    ...site.files,
    'docs/guides/x.md': `${withTitle}## Begin\n`,
    'docs/guides/y.md': linking,
    'docs/guides/part.md': `${withTitle}## Begin\n`,
    'docs/guides/whole.mdx': `${withTitle}${part}`,
    'docs/guides/z.md': `${withTitle}[1](./whole.mdx#begin)\n`,
    '.gitignore': '\n',
    'static/z.png': 'PNG',
  }
  const facts = keepFacts()
  const previous = await check(memoryTree(before), facts)
  for (const [what, change] of distant) {
    const tree = memoryTree(before, change)
    const [known, full] = [await check(tree, facts, previous), await check(tree, withoutKept(facts))]
    assert.deepEqual(known.findings, full.findings, what)
    assert.notDeepEqual(known.findings, previous.findings, what)
  }
})

test('a check finds where a label of Sphinx went; an inserted file may have it', async () => {
  const before: Record<string, string> = {
    'doc/conf.py': "project = 'Acme'\nextensions = []\n",
    'doc/index.rst': 'Acme\n====\n\n.. toctree::\n\n   a\n   b\n\n:ref:`start` :ref:`gone`\n',
    'doc/a.rst': 'A\n=\n\n.. _start:\n\nStart\n-----\n',
    'doc/b.rst': 'B\n=\n',
    'doc/part.txt': 'A part.\n',
  }
  const facts = keepFacts()
  const previous = await check(memoryTree(before), facts)
  for (const [path, text] of [
    ['doc/a.rst', before['doc/a.rst']?.replace('_start:', '_begin:')],
    ['doc/b.rst', 'B\n=\n\n.. include:: part.txt\n'],
  ] as const) {
    const tree = memoryTree(before, { [path]: text ?? null })
    const [known, full] = [await check(tree, facts, previous), await check(tree, withoutKept(facts))]
    assert.deepEqual(known.findings, full.findings, path)
    assert.notDeepEqual(known.findings, previous.findings, path)
  }
})

/** A page whose findings depend on the address of the site, and on its rule for anchors. */
const sensitive = `---
title: Sensitive
---

## Begin

## Begin

## A & B

[1](#begin-1), [2](#begin_1), [3](#a-b), [4](#a--b), [5](/docs/guides/teams), [6](/guides/teams), [7](./install.md)
`

function filesOf(folder: string, kind: SiteKind): [string, string][] {
  const site = docsSite(kind)
  const all = { ...site.files, [site.page('guides/sensitive')]: sensitive }
  return Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text])
}

function edit(files: Files, random: Random): void {
  const [first = '', ...rest] = [...files.keys()].filter((path) => /\.mdx?$/.test(path))
  const [path, other] = [random.pick([first, ...rest]), random.pick([first, ...rest])]
  const text = files.get(path) ?? ''
  const name = other.replace(/^.*\//, '')
  const moved = path.replace(/[^/]*$/, random.pick(['deep/er/', '../', ''])).replace(/[^/]*\/\.\.\//, '') + name
  const address = random.pick(['./', '../', '/', '/docs/', '']) + random.pick([name, 'guides/teams', 'index', 'other'])
  const anchor = random.pick(['a', 'begin', 'Begin', 'begin-1', 'begin_1', 'a-b'])
  const add = (more: string) => () => files.set(path, `${text}\n${more}\n`)
  const become = (more: string) => () => files.set(path, more)
  const beside = siblingOf(files, path, random)
  random.pick([
    // A page, the page that it contains, and one that links to what they have together.
    add(`import Part from '${beside}'\n{{#include ${beside}}}\n<!-- @include: ${beside} -->`),
    add(`[Beside](${beside}#${anchor})`),
    add(`[Other](${address}#${anchor})`),
    add(random.pick(['## Begin', '## {#begin}', '## A & B', '<a id="a"></a>'])),
    add(`--8<-- "${name}"\n{{#include ./${name}}}\n<!-- @include: ./${name} -->`),
    add(`import Part from './${name}'`),
    become(text.replace('## Begin', '## End')),
    become(text.replace(/^title: .*$/m, random.pick(['slug: /other', 'slug: other', 'title: New', 'id: new']))),
    become(files.get(other) ?? ''),
    () => files.set(moved, text),
    () => files.set(moved, text) && files.delete(path),
    () => files.delete(path),
    () => files.set('.gitignore', random.pick(['guides/\n', '*.png\n', '\n'])),
    () => editConfig(files, random),
  ])()
}

/** The address of a page in the same folder. */
function siblingOf(files: Files, path: string, random: Random): string {
  const folder = path.replace(/[^/]*$/, '')
  const names = [...files.keys()].flatMap((one) => (one.startsWith(folder) ? [one.slice(folder.length)] : []))
  const [first = 'index.md', ...rest] = names.filter((name) => /^[^/]+\.mdx?$/.test(name))
  return `./${random.pick([first, ...rest])}`
}

function editConfig(files: Files, random: Random): void {
  const base = random.pick(['/docs/', '/'])
  for (const [path, text] of files) {
    if (!/(?:config\.[a-z]+|docs\.json|mkdocs\.yml|book\.toml)$/.test(path)) continue
    const renamed = text.replace(random.pick(['old', 'install', 'teams']), random.pick(['new', 'guides/teams', 'old']))
    files.set(path, renamed.replace(/baseUrl: '.*'/, `baseUrl: '${base}'`))
  }
}

function keepFacts() {
  const kept = new Map<string, unknown>()
  return <Kind>(key: string, read: () => Kind): Kind => {
    const facts = (kept.get(key) as Kind | undefined) ?? read()
    kept.set(key, facts)
    return facts
  }
}

/** The same facts as new objects, with which nothing is kept. */
function withoutKept(facts: Facts): Facts {
  return (key, read) => structuredClone(facts(key, read))
}

function check(tree: SiteTree, keep: Facts, previous?: CheckResult) {
  const textOf = async (path: string) => new TextDecoder().decode(await tree.read(path))
  return checkTree(tree, {
    signal: new AbortController().signal,
    previous,
    facts: {
      page: async ({ path, oid }, syntax) => {
        const text = await textOf(path)
        return keep(`${syntax} ${oid}`, () => readPage(syntax, text))
      },
      data: async ({ path, oid }) => {
        const text = await textOf(path)
        return keep(`data ${path} ${oid}`, () => readData(path, text))
      },
      config: async ({ path, oid }) => {
        const text = await textOf(path)
        return keep(`config ${path} ${oid}`, () => readConfig(path, text))
      },
    },
  })
}
