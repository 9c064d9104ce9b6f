import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageSyntax } from '../../../docs-syntax/page.ts'
import { parsePageFacts } from '../parse-facts.ts'
import { termsOf } from './page-terms.ts'
import { readPage } from '../read-page.ts'

function written(syntax: PageSyntax, source: string): string[] {
  const facts = parsePageFacts(JSON.stringify(readPage(syntax, source)))
  assert.ok(facts)
  return termsOf(facts).map(({ kind, text, line, count }) => `${kind} ${text} ${line}${count > 1 ? ` x${count}` : ''}`)
}

test('the terms of a page say what they are in, and in which line first', () => {
  const page = [
    '---\ntitle: Watch\n---\n',
    '# Serve files\n',
    'Use `--watch` or `acme.watch`; see [more](./more.md) about max_lines and `--watch`.\n',
    '```sh title=run.sh\nacme serve --watch --port 80\n```\n',
    'Then `GET /v1/keys` answers.\n',
  ].join('\n')
  assert.deepEqual(written('markdown', page), [
    'inline --watch 7 x3',
    'inline acme.watch 7',
    'inline GET 13',
    'inline /v1/keys 13',
    'prose max_lines 7',
    'block acme 10',
    'block serve 10',
    'block --port 10',
    'operation GET /v1/keys 13',
    'heading Watch 1',
    'heading Serve 5',
    'heading files 5',
    'link ./more.md 7',
  ])
})

test('roles and directives of reStructuredText have terms, too', () => {
  const page =
    'Title\n=====\n\n.. acme:: max_size\n\n   The size, see :meth:`~acme.Client.close`.\n\n.. code-block:: py\n\n   close(1)\n'
  assert.deepEqual(written('rst', page), [
    'inline acme.Client.close 6',
    'prose max_size 4',
    'block close 10',
    'heading Title 1',
    'object acme.Client.close 0',
    'object max_size 0',
  ])
})

test('AsciiDoc has terms of its spans and listings', () => {
  const page = '= Title\n\nUse `--watch`.\n\n----\nacme serve\n----\n'
  assert.deepEqual(written('asciidoc', page), ['inline --watch 3', 'block acme 6', 'block serve 6', 'heading Title 1'])
})

test('a page has at most 3,000 different terms', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `\`name_${at}\``).join(' ')
  assert.equal(written('markdown', names(3_000)).length, 3_000)
  assert.equal(written('markdown', names(3_001)).length, 3_000)
})

test('damaged terms in a file are refused', () => {
  const facts = readPage('markdown', '`--watch`')
  for (const terms of [
    { ...facts.terms, inline: 'x' },
    { ...facts.terms, blocks: '1;2 a' },
    { ...facts.terms, operations: ['GET'] },
    {},
  ]) {
    assert.equal(parsePageFacts(JSON.stringify({ ...facts, terms })), undefined)
  }
})
