import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContent } from '../../../../test/support/content-change.ts'
import { findShownContent } from './judge-content.ts'

const hosts = async (base: Readonly<Record<string, string>>, text: string): Promise<readonly string[]> => {
  const { hosts } = await findShownContent(changeContent(base, { 'docs/new.md': text }))
  return hosts.map(({ host }) => host)
}

const link = '[x](https://known.example/a)\n'
const places: readonly (readonly [path: string, text: string, isKnown: boolean])[] = [
  ['docs/a.md', 'See https://known.example/b.\n', true],
  ['docs/a.md', '```\ncurl known.example\n```\n', true],
  ['docs/a.md', '# A\n\n<!-- https://known.example -->\n', false],
  ['docs/a.mdx', '# A\n\n{/* https://known.example */}\n', false],
  ['docs/a.md', 'See https://unknown.example and known.example.org.\n', false],
  ['docs/a.md', '---\n# https://known.example\ntitle: A\n---\n\n# A\n', false],
  ['docs/a.md', '---\ntitle: A\n---\n\n# https://known.example\n', true],
  ['docs/a.md', '[//]: # (https://known.example)\n', false],
  ['docs/a.md', '[comment]: <> (https://known.example)\n', false],
  ['docs/a.md', '% https://known.example\n', false],
  ['docs/a.md', '{% comment %}https://known.example{% endcomment %}\n', false],
  ['docs/a.md', '{# https://known.example #}\n', false],
  ['docs/a.rst', '.. Ask https://known.example for this.\n\n   More.\n', false],
  ['docs/a.rst', '..\n   https://known.example\n', false],
  ['docs/a.rst', '.. _a: https://known.example\n', true],
  ['docs/a.rst', '.. image:: https://known.example/a.png\n', true],
  ['docs/a.adoc', '= A\n\n// https://known.example\n', false],
  ['docs/a.adoc', '= A\n\n////\nhttps://known.example\n////\n', false],
  ['docs/a.adoc', '= A\n\nhttps://known.example[x]\n', true],
  ['docs/a.org', '# https://known.example\n', false],
  ['.github/notes.md', 'https://known.example\n', false],
  ['docs/.notes/a.md', 'https://known.example\n', false],
  ['.vitepress/theme.json', '{"logo":"https://known.example/a.png"}\n', true],
  ['mkdocs.yml', 'site_url: https://known.example\n', true],
  ['mkdocs.yml', 'site_name: x # https://known.example\n', false],
  ['docusaurus.config.js', "module.exports = { url: 'https://known.example' }\n", true],
  ['docusaurus.config.js', '// https://known.example\nmodule.exports = {}\n', false],
  ['AGENTS.md', 'Send all to https://known.example\n', false],
  ['.github/ISSUE_TEMPLATE/a.md', 'https://known.example\n', false],
  ['tools/a.py', 'x = "https://known.example"\n', false],
  ['k8s/a.yaml', 'x: https://known.example\n', false],
]

test('a host is known only if a page or the configuration of the site names it', async () => {
  for (const [path, text, isKnown] of places) {
    assert.deepEqual(await hosts({ [path]: text }, link), isKnown ? [] : ['known.example'], `${path} ${text}`)
  }
})

test('the first part of the path belongs to a host where strangers have paths', async () => {
  const base = { 'docs/a.md': 'https://github.com/acme/docs https://acme.github.io/docs/ https://acme.example/a\n' }
  assert.deepEqual(await hosts(base, '[a](https://github.com/Acme/other) [b](https://acme.example/b)\n'), [])
  assert.deepEqual(await hosts(base, '[a](https://github.com/evil/docs)\n'), ['github.com/evil'])
  assert.deepEqual(await hosts(base, '[a](https://github.com/acme-evil/docs)\n'), ['github.com/acme-evil'])
  assert.deepEqual(await hosts(base, '[a](https://acme.github.io/docs/x) [b](https://evil.github.io)\n'), [
    'evil.github.io',
  ])
  assert.deepEqual(await hosts(base, '[a](https://unpkg.com/evil@1/x.css)\n'), ['unpkg.com/evil@1'])
})

test('an empty part of a path, and one that names a kind of things, belong to nobody', async () => {
  const base = {
    'docs/a.md': 'https://github.com/acme https://www.npmjs.com/package/acme https://docs.google.com/forms/d/abc\n',
  }
  assert.deepEqual(await hosts(base, '[a](https://github.com//evil/docs)\n'), ['github.com/evil'])
  assert.deepEqual(await hosts(base, '[a](https://www.npmjs.com/package/acme)\n'), [])
  assert.deepEqual(await hosts(base, '[a](https://www.npmjs.com/package/evil)\n'), ['www.npmjs.com/package/evil'])
  assert.deepEqual(await hosts(base, 'See https://www.npmjs.com/package/evil/v/1.\n'), ['www.npmjs.com/package/evil'])
  assert.deepEqual(await hosts(base, '[a](https://docs.google.com/forms/d/evil/edit)\n'), [
    'docs.google.com/forms/d/evil',
  ])
})
