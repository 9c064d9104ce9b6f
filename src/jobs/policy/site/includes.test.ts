import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../../test/support/linear.ts'
import { changeContent } from '../../../../test/support/content-change.ts'
import { findIncludes } from './includes.ts'
import { findRefusedIncludes } from './judge-includes.ts'

const forms: readonly (readonly [text: string, url: string])[] = [
  ['{{#include ../a.rs:3:7}}', '../a.rs'],
  ['{{#rustdoc_include a.rs:anchor}}', 'a.rs'],
  ['  --8<-- "a.md:3:7"', 'a.md'],
  ['--8<--\na.md\n--8<--', 'a.md'],
  ['<<< @/snippets/a.ts#region{2}', '@/snippets/a.ts'],
  ['<!-- @include: ./a.md{3,} -->', './a.md'],
  ['{% include "a.html" %}', 'a.html'],
  ["{%- include-markdown 'a.md' -%}", 'a.md'],
  ['{!a.md!}', 'a.md'],
  ['{{< include _a.qmd >}}', '_a.qmd'],
  ['{{% readfile file="a.md" %}}', 'a.md'],
  ['.. include:: a.txt', 'a.txt'],
  ['   .. literalinclude:: ../a.py', '../a.py'],
  ['.. raw:: html\n   :file: a.html', 'a.html'],
  ['```{literalinclude} a.py\n```', 'a.py'],
  ['include::part$a.adoc[leveloffset=1]', 'part$a.adoc'],
  ["import a from '!!raw-loader!./a.ts'", './a.ts'],
  ["import a from './a.ts?raw'", './a.ts'],
]

test('the directives of generators are found', () => {
  for (const [text, url] of forms)
    assert.deepEqual(
      findIncludes(text).map((one) => one.url),
      [url],
      text,
    )
})

const refused: readonly (readonly [url: string, what: string | undefined])[] = [
  ['/etc/passwd', 'a file from outside the repository'],
  ['../../etc/passwd', 'a file from outside the repository'],
  ['../a.md', undefined],
  ['/docs/a.md', undefined],
  ['.env', 'a file that may hold a secret'],
  ['../.git/config', 'a file that may hold a secret'],
  ['keys/id_rsa', 'a file that may hold a secret'],
  ['server.key', 'a file that may hold a secret'],
  ['https://evil.example/a.md', 'something from another site'],
  ['//evil.example/a.md', 'something from another site'],
  ['parts/a.md', undefined],
]

test('an include of another site, from outside or of a secret is refused', () => {
  for (const [url, what] of refused) {
    const change = changeContent({ 'docs/a.md': '# A\n' }, { 'docs/b.md': `--8<-- "${url}"\n` })
    assert.deepEqual(
      findRefusedIncludes(change).map(({ message }) => message),
      what === undefined ? [] : [`inserts ${what}`],
      url,
    )
  }
})

test('the bytes of a picture insert nothing', () => {
  const bytes = '\0{{#include ../../x}}\n<<< /etc/passwd\n'
  assert.deepEqual(findRefusedIncludes(changeContent({}, { 'a.png': bytes })), [])
  assert.equal(findRefusedIncludes(changeContent({}, { 'a.md': bytes })).length, 2)
})

test('an include that the page already had is not refused', () => {
  const before = '--8<-- "https://example.com/a.md"\n'
  assert.deepEqual(findRefusedIncludes(changeContent({ 'a.md': before }, { 'a.md': `# A\n${before}` })), [])
})

test('a text full of directives that do not end is read in linear time', () => {
  for (const part of ['{{#include ', '--8<-- "', '"a!', '<!--@include:', '{% include "', ':::{include} ']) {
    assertLinear((size) => part.repeat(size), findIncludes, { size: 4_000, name: part })
  }
})
