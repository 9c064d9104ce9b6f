// Keeping things with the facts of pages from one check to the next must not change what a check finds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsSite, memoryTree } from '../../test/support/docs-sites.ts'
import { createRandom, type Random } from '../../test/support/random.ts'
import { checkTree } from './check-tree.ts'
import { readConfig } from './facts/config-strings.ts'
import { readData } from './facts/read-data.ts'
import { readPage } from './facts/read-page.ts'
import { siteKinds } from './sites/kinds.ts'
import type { SiteKind } from './sites/site.ts'
import type { SiteTree } from './tree.ts'

type Files = Map<string, string>
type Facts = ReturnType<typeof keepFacts>

const seeds = 24
const stepsOfSeed = 4

test('a check with kept facts finds what a check of everything finds, after any edits', async () => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const random = createRandom(seed)
    const [one, other] = [siteKinds[seed % siteKinds.length], random.pick(siteKinds)]
    const files = new Map([...filesOf('one', one ?? 'plain'), ...filesOf('other', other)])
    const facts = keepFacts()
    for (let step = 0; step < stepsOfSeed; step += 1) {
      for (let count = random.int(3); count >= 0; count -= 1) edit(files, random)
      const tree = memoryTree(Object.fromEntries(files))
      const [known, full] = [await check(tree, facts), await check(tree, withoutKept(facts))]
      assert.deepEqual(known.findings, full.findings, `${one} and ${other}, seed ${seed}, step ${step}`)
    }
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
  const address = random.pick(['./', '../', '/', '/docs/', '']) + random.pick([name, 'guides/teams', 'index'])
  const anchor = random.pick(['a', 'begin', 'Begin', 'begin-1', 'begin_1', 'a-b'])
  const add = (more: string) => () => files.set(path, `${text}\n${more}\n`)
  const become = (more: string) => () => files.set(path, more)
  random.pick([
    add(`[Other](${address}#${anchor})`),
    add(random.pick(['## Begin', '## {#begin}', '## A & B', '<a id="a"></a>'])),
    add(`--8<-- "${name}"\n{{#include ./${name}}}\n<!-- @include: ./${name} -->`),
    add(`import Part from './${name}'`),
    become(text.replace('## Begin', '## End')),
    become(text.replace(/^title: .*$/m, random.pick(['slug: /other', 'title: New', 'id: new']))),
    become(files.get(other) ?? ''),
    () => files.set(moved, text),
    () => files.set(moved, text) && files.delete(path),
    () => files.delete(path),
    () => files.set('.gitignore', random.pick(['guides/\n', '*.png\n', '\n'])),
    () => editConfig(files, random),
  ])()
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

function check(tree: SiteTree, keep: Facts) {
  const textOf = async (path: string) => new TextDecoder().decode(await tree.read(path))
  return checkTree(tree, {
    signal: new AbortController().signal,
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
