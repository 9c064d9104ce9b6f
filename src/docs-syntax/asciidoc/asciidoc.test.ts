import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { parsePage } from '../markdown.ts'
import type { Range } from '../text.ts'
import { readAsciidoc } from './asciidoc.ts'
import { unknownAttributes } from './attributes.ts'
import { toSectionId } from './ids.ts'

function read(text: string, site?: Parameters<typeof readAsciidoc>[1]) {
  const page = readAsciidoc(text, site)
  const slice = (range: Range | undefined): string => (range ? text.slice(range.start, range.end) : '')
  return {
    page,
    prose: page.prose.map((one) => slice(one)).filter((one) => one.trim() !== ''),
    code: page.code.map((one) => slice(one)),
    links: page.links.map((link) => `${link.kind} ${link.url}`),
    written: page.links.map((link) => slice(link)),
    wholes: page.links.map((link) => slice(link.whole)),
    labels: page.links.map((link) => slice(link.label)),
    headings: page.headings.map(({ depth, slug, text: title }) => `${depth} ${title} #${slug}`),
  }
}

test('parsePage reads AsciiDoc by the extension', () => {
  for (const path of ['a.adoc', 'a.asciidoc', 'b/A.ADOC', 'a.asc'])
    assert.deepEqual(
      parsePage(path, '== A').headings.map(({ slug }) => slug),
      ['_a'],
    )
  assert.equal(parsePage('a.md', '== A').syntax, 'markdown')
})

/** The ids are those that Asciidoctor 2.0.18 and Asciidoctor.js 4.1.0 make. */
const headingCases: readonly (readonly [name: string, text: string, headings: readonly string[]])[] = [
  ['title and sections', '= T\n\n== A b\n\n=== C\n', ['1 T #', '2 A b #_a_b', '3 C #_c']],
  ['marks of Markdown', '# T\n\n## A\n', ['1 T #', '2 A #_a']],
  ['closing marks', '== A ==\n\n== B =\n', ['2 A #_a', '2 B = #_b']],
  ['underlined titles', 'Title here\n----------\n\nlonger\n----\nx\n----\n', ['2 Title here #_title_here']],
  ['text without marks', '== A `b` *c* _d_ link:e[f] <<g,h>>\n', ['2 A b c d f h #_a_b_c_d_f_h']],
  ['typography', "== It's -- a... (C) & <b> x--y\n", ["2 It's -- a... (C) & <b> x--y #_itsa_b_xy"]],
  ['attributes', '= T {a}\n:a: one\n\n== {a} {cpp} {b}\n', ['1 T one #', '2 one C++ {b} #_one_c_b']],
  ['duplicates', '== A\n\n== A\n\n== A\n', ['2 A #_a', '2 A #_a_2', '2 A #_a_3']],
  ['an id that is taken', '[[_a]]\ntext\n\n== A\n', ['2 A #_a_2']],
  ['own ids', '[[a]]\n== A\n\n[#b.c]\n== B\n\n[id=d]\n== D\n\n== E [[f]]\n', ['2 A #a', '2 B #b', '2 D #d', '2 E #f']],
  ['id settings of the page', ':idprefix:\n:idseparator: -\n\n== A b\n\n== A b\n', ['2 A b #a-b', '2 A b #a-b-2']],
  ['no ids', ':!sectids:\n\n== A\n', ['2 A #']],
  ['levels that are shifted', ':leveloffset: +1\n\n== A\n', ['3 A #_a']],
  ['discrete headings in blocks', '====\n== No\n\n[discrete]\n== Yes\n====\n', ['2 Yes #_yes']],
  ['no headings in paragraphs and code', 'a\n== No\n\n----\n== No\n----\n\n* b\n== No\n', []],
  ['headings in cells', '|===\na|\n== A\n|===\n', ['2 A #_a']],
  ['no headings in comments', '////\n== No\n////\n\n// == No\n', []],
]

for (const [name, text, headings] of headingCases)
  test(`headings: ${name}`, () => assert.deepEqual(read(text).headings, headings))

test('a heading has the lines of its id in its range, and says that the id is its own', () => {
  const text = 'a\n\n.Title\n[[b]]\n== B\n\n== C\n'
  const [b, c] = readAsciidoc(text).headings
  assert.equal(text.slice(b?.start, b?.end), '.Title\n[[b]]\n== B')
  assert.deepEqual([b?.id, c?.id], ['b', undefined])
})

test('a heading has the id that the settings of the site make', () => {
  assert.deepEqual(read('== A b\n', { idprefix: '', idseparator: '-' }).headings, ['2 A b #a-b'])
  assert.deepEqual(read(':idprefix: x\n\n== A\n', { idprefix: '' }).headings, ['2 A #a'])
  assert.deepEqual(read(':idprefix: x\n\n== A\n', { idprefix: '@' }).headings, ['2 A #xa'])
})

test('a section id has no separator twice, at its end, or alone at its start', () => {
  const rule = { prefix: '', separator: '-' }
  assert.equal(toSectionId('1.2 -- A.b', rule), '1-2a-b')
  assert.equal(toSectionId('-x-', rule), 'x')
  assert.equal(toSectionId('a_b c', rule), 'a_b-c')
  assert.equal(toSectionId('a b', { prefix: '', separator: '' }), 'ab')
})

const linkCases: readonly (readonly [name: string, text: string, links: readonly string[]])[] = [
  [
    'cross references',
    'xref:a.adoc[b] xref:c.adoc#d[] xref:#e[] xref:f[g]',
    ['doc a.adoc', 'doc c.adoc#d', 'ref e', 'ref f'],
  ],
  ['names of Antora', 'xref:1.0@c:m:p.adoc#i[] xref:c::p.adoc[]', ['doc 1.0@c:m:p.adoc#i', 'doc c::p.adoc']],
  ['short references', '<<a>> <<b,c>> <<d.adoc#e,f>> <<#g>>', ['ref a', 'ref b', 'doc d.adoc#e', 'ref g']],
  ['links', 'link:a.html[b] link:++c__d++[e] mailto:f@g[h]', ['link a.html', 'link c__d', 'link mailto:f@g']],
  [
    'addresses',
    'https://a.b[c] (https://d.e). <https://f.g>',
    ['link https://a.b', 'autolink https://d.e', 'autolink https://f.g'],
  ],
  ['no addresses in quotes and words', '"https://a.b" xhttps://c.d link:https://e.f', []],
  ['images', 'image::a.png[b,link=c.html]\n\nimage:d.png[]', ['image a.png', 'link c.html', 'image d.png']],
  ['films', 'video::a.mp4[]\n\nvideo::b[youtube]\n\naudio::c.ogg[]', ['image a.mp4', 'image c.ogg']],
  [
    'includes',
    'include::partial$a.adoc[tags=b]\n\n----\ninclude::example$c.rb[]\n----',
    ['include partial$a.adoc', 'include example$c.rb'],
  ],
  ['escapes', '\\link:a[b] \\https://c.d[e] \\<<f>> \\include::g[]', []],
  [
    'no links in code',
    '`+link:a[b]+` +link:c[d]+ pass:[link:e[f\\]]\n\n----\nlink:g[h]\n----\n\n  link:i[j]\n\n```\nlink:k[l]\n```',
    [],
  ],
  [
    'links in formatted text',
    '`xref:a.adoc[b]` *link:c[d]* footnote:[e link:f[g] h]',
    ['doc a.adoc', 'link c', 'link f'],
  ],
  ['literal blocks whose macros are read', '[subs=+macros]\n----\nlink:a[b]\n----', ['link a']],
  [
    'lists',
    '* link:a[b]\n+\n====\nlink:c[d]\n====\n. link:e[f]\nt:: link:g[h]\ni::\n\n  link:j[k]',
    ['link a', 'link c', 'link e', 'link g', 'link j'],
  ],
  ['tables', '|===\n|link:a[b] a|\n* link:c[d]\n// |link:e[f]\nl|link:g[h]\n|===', ['link a', 'link c']],
  ['comments', '////\nlink:a[b]\n////\n\n// link:c[d]\nx', []],
  [
    'attributes',
    ':a: https://b.c\n:d: link:e\n\n{a}/f[g] {a} {d}[h] link:{A}/i[j]',
    ['link https://b.c/f', 'autolink https://b.c', 'link e', 'link https://b.c/i'],
  ],
  ['attributes that are not known', 'link:{a}/b[c] {d}/e[f]', ['link {a}/b', 'link {d}/e']],
]

for (const [name, text, links] of linkCases) test(`links: ${name}`, () => assert.deepEqual(read(text).links, links))

test('a link has the ranges of its destination, its text and the whole', () => {
  const { written, wholes, labels } = read('a xref:b.adoc#c[d *e*,role=f] <<#g,h i>> link:j[k^] image:l[m,10]')
  assert.deepEqual(written, ['b.adoc#c', 'g', 'j', 'l'])
  assert.deepEqual(wholes, ['xref:b.adoc#c[d *e*,role=f]', '<<#g,h i>>', 'link:j[k^]', 'image:l[m,10]'])
  assert.deepEqual(labels, ['d *e*', 'h i', 'k', 'm'])
})

test('an attribute under a condition is not known, except a default', () => {
  const text = 'ifdef::x[]\n:a: b\nendif::[]\nifndef::c[:c: d]\n:e: f\n\nlink:{a}[] link:{c}[] link:{e}[]\n'
  const { links, page } = read(text)
  assert.deepEqual(links, ['link {a}', 'link d', 'link f'])
  assert.deepEqual([...page.undecided], ['a'])
  assert.deepEqual(unknownAttributes(page.links[0]?.url ?? ''), ['a'])
  assert.deepEqual(
    page.conditionals.map(({ start, end }) => text.slice(start, end)),
    ['ifdef::x[]\n:a: b\nendif::[]', 'ifndef::c[:c: d]'],
  )
})

const proseCases: readonly (readonly [name: string, text: string, prose: readonly string[]])[] = [
  ['paragraphs', 'a *b* `c` _d_e #f#\ng\n', ['a ', 'b', ' _d_e ', 'f', '\ng']],
  ['words with marks inside', 'snake_case_name 2*3*4 __d__e', ['snake_case_name 2*3*4 ', 'd', 'e']],
  ['titles and labels', '= A\n\n.B\nNOTE: c\n\n* d\n. e\nf:: g\n<1> h\n', ['A', 'B', 'c', 'd', 'e', 'f', 'g', 'h']],
  [
    'texts of links',
    'a xref:b.adoc[c] https://d.e f image:g[h,title="i"]\n',
    ['a ', 'c', ' ', ' f ', 'h', 'i'].filter((one) => one.trim()),
  ],
  ['no header lines', '= A\nBob B <b@c.d>\nv1, 2024\n:e: f\n:description: g\n\nh\n', ['A', 'g', 'h']],
  ['values that text shows', ':a: b\n:c: d\n:e: https://f\n:g: h\n\n{a} link:{c}[i] {e} {g} link:{g}[]\n', ['b', 'i']],
  [
    'no comments, directives and code',
    '// a\n[source]\n----\nb\n----\ninclude::c[]\n....\nd\n....\n++++\ne\n++++\nf\n',
    ['f'],
  ],
  ['lines between others', 'a\n// b\nc\ninclude::d[]\ne\n', ['a\n', 'c\n', 'e']],
  ['cells', '|===\n|a |`b` c\n\n2+|d a|* e l|f\n|===\n', ['a', ' c', 'd', 'e']],
  ['blocks in blocks', '====\na\n\n--\nb\n\n  c\n--\n====\n', ['a', 'b']],
  ['verse and quotes', '[verse]\n____\na\n  b\n____\n\n> c\n> d\n', ['a\n  b\n', 'c\n', 'd']],
  [
    'no index terms, anchors and keys',
    '[[a]]b (((c))) ((d)) kbd:[e] btn:[f] anchor:g[]h {i}\n',
    ['b ', 'd', 'f', 'h '],
  ],
  ['escapes', '\\*a* \\{b}\n', ['*a* ', '{b}']],
  ['typographic quotes', "\"`a`\" '`b`' it's\n", ['a', 'b', " it's"]],
]

for (const [name, text, prose] of proseCases) test(`prose: ${name}`, () => assert.deepEqual(read(text).prose, prose))

test('ids are the anchors of blocks and texts', () => {
  const text = '[[a]]\nb [[c]]d [#e]#f# anchor:g[] [.h#i]_j_\n\n* [[[k]]] l\n\n[#m]\n== N\n'
  assert.deepEqual(readAsciidoc(text).ids.toSorted(), ['a', 'e', 'i', 'c', 'g', 'k', 'm'].toSorted())
})

test('frontmatter before AsciiDoc is read', () => {
  const { frontmatter, headings } = readAsciidoc('---\ntitle: A\n---\n= B\n')
  assert.deepEqual([frontmatter?.strings.map(({ value }) => value), headings[0]?.text], [['A'], 'B'])
})

const pieces =
  '= ;== ;:a: ;{a};{b};*;**;_;`;``;#;[;];[[;]];<<;>>;,;link:;xref:;image::;https://a.b;footnote:[;|===;|;a|;----;====;--;+;++;+++;' +
  'pass:[;\n;\n\n;  ;* ;. ;x:: ;NOTE: ;ifdef::a[];endif::[];include::a[];////;// ;word;"`;`";((;));(((;^;~;\\;$$;[source];[[x]];.T;> ;é;😀;\r\n'

test('any text gives ranges inside the text, and no prose in code', () => {
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces.split(';')), fc.string({ maxLength: 4 })), { maxLength: 60 })
  fc.assert(
    fc.property(text, (parts) => {
      const source = parts.join('')
      const page = readAsciidoc(source)
      const ranges = [...page.prose, ...page.code, ...page.headings, ...page.conditionals]
      for (const link of page.links) ranges.push(link, link.whole, ...(link.label ? [link.label] : []))
      for (const { start, end } of ranges)
        assert.ok(start >= 0 && start <= end && end <= source.length, `${start}-${end}`)
      for (const [index, prose] of page.prose.entries()) {
        assert.ok(prose.end <= (page.prose[index + 1]?.start ?? Infinity), 'prose overlaps')
        for (const code of page.code) assert.ok(prose.end <= code.start || prose.start >= code.end, 'prose in code')
      }
      for (const link of page.links)
        if (!link.url.includes('{') && !source.includes('{') && !source.includes('[['))
          assert.ok(source.slice(link.whole.start, link.whole.end).includes(source.slice(link.start, link.end)))
    }),
    { numRuns: 2000 },
  )
})

const hostile: readonly string[] = [
  'link:a[',
  'link:a[b',
  'xref:',
  'https://a.b[',
  'https://a ',
  '<<',
  '<<a',
  '[[',
  '((',
  '(((',
  '{a}',
  '{a}[',
  '`',
  '*a ',
  ' *a',

  '+',
  '++',
  '+++',
  '$$',
  'pass:[',
  'stem:[',
  '"`',
  '[a]#',
  '[',
  ']',
  '#',
  '^',
  '~',
  '\\',
  'a::',
  ':',
  '=',
  '. ',
  '|',
  'a,',

  'image:a[b,c="',
  'footnote:[',
  '====\n',
  '--\n',
  '|===\n',
  'a|\n',
  '* \n',
  '* a\n',
  'x::\n',
  '[a=b]\n',
  ':a: {a}{a}\n',
  '+\n',

  'ifdef::a[]\n',
  'include::a[]\n',
  '//\n',
  '.T\n',
  '== a\n',
  '== a [[b, ',
  '== a [[b\n',
  'a\n--\n',
  '> \n',
  '\t',
  ' ',
  '\r',
  '[#a]\n\n',
]

for (const piece of hostile)
  test(`hostile text takes linear time: ${JSON.stringify(piece)}`, () => {
    const shape = (size: number) => piece.repeat(Math.ceil(size / piece.length))
    assertLinear(shape, (text) => readAsciidoc(text), { size: 40_000, name: piece })
  })

test('borders of growing length take linear time', () => {
  const shape = (size: number) => {
    const lines: string[] = []
    for (let length = 4, sum = 0; sum < size; sum += length++) lines.push('='.repeat(length))
    return lines.join('\n')
  }
  assertLinear(shape, (text) => readAsciidoc(text), { size: 100_000, name: 'borders' })
})
