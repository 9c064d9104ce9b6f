import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { parsePage } from '../../docs-syntax/markdown.ts'
import { preparePage } from '../page.ts'

const render = (path: string, text: string) => preparePage(path, text).finish(new Map())

const shown: readonly (readonly [path: string, text: string, html: string])[] = [
  ['a.rst', 'A *b*\n=====\n\n**c** *d* ``e`` :func:`~f` :guilabel:`g`\n', '<h1>A b</h1>\n<p><strong>c</strong> <em>d</em> <code>e</code> <code>f</code> g</p>'],
  ['a.rst', '`a <b>`_ :doc:`c` :ref:`d <e>` `f`_\n\n.. _f: g\n', '<p><span class="link" title="b">a</span> <span class="link" title="c">c</span> <span class="link" title="e">d</span> <span class="link" title="">f</span></p>'],
  ['a.rst', '* a\n\n  1. b\n\n* c\n', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ul>'],
  ['a.rst', 'a::\n\n   b\n     c\n\n.. code-block:: sh\n   :caption: D\n\n   e\n', '<p>a:</p>\n<pre><code>b\n  c\n</code></pre>\n<p>D</p>\n<pre><code class="language-sh">e\n</code></pre>'],
  ['a.rst', '.. note:: a\n   :class: x\n\n   b\n\n.. comment\n\n.. _label:\n', '<div class="component"><div class="component-name">note</div><p>a</p><p>b</p></div>'],
  ['a.rst', '.. toctree::\n   :caption: A\n\n   b\n   C <d>\n', '<div class="component"><div class="component-name">toctree</div><p>A</p><ul>\n<li><span class="link" title="b">b</span></li>\n<li><span class="link" title="d">C</span></li>\n</ul></div>'],
  ['a.rst', '.. figure:: a.png\n   :alt: B\n\n   C\n', '<p><span class="missing">Image: B (a.png)</span></p>\n<p>C</p>'],
  ['a.rst', '== ==\na  b\n== ==\n', '<pre><code>== ==\na  b\n== ==\n</code></pre>'],
  ['a.rst', 'a\n  b\n\n:c: d\n', '<p><strong>a</strong></p>\n<blockquote>\n<p>b</p>\n</blockquote>\n<p><strong>c: </strong>d</p>'],
  ['a.adoc', '= A\n:b: c\n\n== D *e*\n\n*f* _g_ `h` kbd:[i]\n', '<h1>A</h1>\n<pre><code class="front-matter">:b: c</code></pre>\n<h2>D e</h2>\n<p><strong>f</strong> <em>g</em> <code>h</code> <code>i</code></p>'],
  ['a.adoc', '* a\n** b\n* c\n+\n----\nd\n----\n. e\n', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c\n<pre><code>d\n</code></pre>\n<ol>\n<li>e</li>\n</ol>\n</li>\n</ul>'],
  ['a.adoc', 'xref:a.adoc[b] <<c,d>> https://e.f[g] https://h.i\n', '<p><span class="link" title="a.adoc">b</span> <span class="link" title="c">d</span> <span class="link" title="https://e.f">g</span> <span class="link" title="https://h.i">https://h.i</span></p>'],
  ['a.adoc', '.A\n[source,sh]\n----\nb\n----\n\nNOTE: c\n\ninclude::d.adoc[]\n\nimage::e.png[F]\n', '<p><strong>A</strong></p>\n<pre><code>b\n</code></pre>\n<p><strong>NOTE: </strong>c</p>\n<div class="component"><div class="component-name">include · d.adoc</div></div>\n<p><span class="missing">Image: F (e.png)</span></p>'],
  ['a.adoc', '|===\n|a |b\n|===\n\n////\nc\n////\n\n// d\ne:: f\n', '<pre><code>|===\n|a |b\n|===\n</code></pre>\n<p><strong>e</strong> f</p>'],
] // prettier-ignore

for (const [path, text, html] of shown)
  test(`a preview of ${path} shows ${JSON.stringify(text.slice(0, 45))}`, () => assert.equal(render(path, text), html))

const pieces =
  '= ;====;*;**;`;``;_;`_;::;.. note:: ;.. _a: b;.. raw:: html;\n;\n\n;\n   ;* ;. ;1. ;- ;+;----;|===;|a ;+--+;== ==;:a: b;:doc:`c`;link:d[e];<<f>>;image::g[h];' +
  'a:: ;NOTE: ;[[i]];.T;include::j[];<script>alert(1)</script>;javascript:alert(1);word;é'

test('every word of the prose of a page is in its preview, and nothing of it runs', () => {
  const text = fc.array(fc.constantFrom(...pieces.split(';')), { maxLength: 40 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('a.rst', 'a.adoc'), (source, path) => {
      const html = render(path, source)
      assert.doesNotMatch(html, /<(?:script|iframe|style|a|object)\b|<[^>]*\s(?:on\w+|href|style|id)=/)
      const words = parsePage(path, source).prose.filter(({ start, end }) => source.slice(start, end).includes('word'))
      assert.ok(words.length === 0 || html.includes('word'), html)
    }),
    { numRuns: 1000 },
  )
})

for (const [path, piece, size = 20_000] of [
  ['a.rst', '* a\n'],
  ['a.rst', '.. note::\n\n   '],
  ['a.rst', '`a`_ ``b`` '],
  ['a.rst', '`'],
  ['a.rst', '.. image:: a.png\n', 200_000],
  ['a.adoc', '* a\n** b\n'],
  ['a.adoc', '`a` *b* <<c>> '],
  ['a.adoc', '[[a'],
  ['a.adoc', '|===\n'],
] as const)
  test(`a preview takes linear time: ${JSON.stringify(piece)} in ${path}`, () => {
    const shape = (length: number) => piece.repeat(Math.ceil(length / piece.length))
    assertLinear(shape, (text) => preparePage(path, text), { size, name: piece })
  })
