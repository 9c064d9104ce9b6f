import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PullNow, PullPage } from '../../forge/own/response.ts'
import { createPreviews } from '../../preview/previews.ts'
import { maxLineLength, maxRows, maxRowsOfFile, renderPull } from './pull.ts'
import { toSafeTexts } from './pull-texts.ts'

type File = PullPage['files'][number]

const pull: PullNow = {
  number: 7,
  forge: 'docent',
  jobId: 'job_x',
  title: 'A title',
  body: 'A body',
  branch: 'docent/x',
  base: 'main',
  state: 'open',
  link: 'https://docs.test/pulls/x',
  headCommit: '0123456789abcdef',
  mergeCommit: null,
  mergedAt: null,
  checkedAt: null,
  checkError: null,
  note: '',
  draft: false,
  behind: null,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:01:00.000Z',
}

function file(change: Partial<File> = {}): File {
  const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n'
  return {
    path: 'x.md',
    previousPath: null,
    status: 'modified',
    binary: false,
    additions: 1,
    deletions: 1,
    patch,
    ...change,
  }
}

const noTexts = { note: '', text: '', facts: '' }

function render(change: Partial<PullNow>, files: readonly File[] = [file()], project = 'Acme', texts = noTexts) {
  const page = renderPull({ pull: { ...pull, ...change }, project, files, texts }, '../pulls.css')
  assert.ok(!(page instanceof Promise))
  return page.toString()
}

const tags = (page: string) => [...page.matchAll(/<[a-z!/][^>]*>/g)].map(([tag]) => tag)

test('foreign text never becomes markup', () => {
  const plain = tags(render({}, [file({ previousPath: 'y' })]))
  const attacks = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    '</title><script>',
    '<!--',
    '&lt;b&gt;',
    '`${1}`',
    'javascript:alert(1)',
  ]
  for (const text of attacks) {
    const attacked = file({ path: text, previousPath: text, patch: `@@ -1 +1 @@ ${text}\n-${text}\n+${text}\n` })
    const page = render({ title: text, branch: text, base: text, headCommit: text }, [attacked], text)
    const shape = tags(page).map((tag) => tag.split(/[\s>]/)[0])
    const expected = plain.map((tag) => tag.split(/[\s>]/)[0])
    assert.deepEqual(shape, expected, text)
    assert.ok(!/<[^>]*\son\w+=/.test(page) && !/href="(?!#|\.\.\/pulls)/.test(page))
  }
})

test('any text keeps the shape of the page', () => {
  const shapeOf = (text: string) =>
    tags(render({ title: text, branch: `x${text}` }, [file({ path: text })], text))
      .filter((tag) => !/tricky/.test(tag) && tag !== '</span>')
      .map((tag) => tag.split(/[\s>]/)[0])
  const expected = shapeOf('x')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      assert.deepEqual(shapeOf(text), expected)
    }),
    { numRuns: 300 },
  )
})

test('characters that turn, hide or end a line are shown by name', () => {
  const page = render(
    { title: 'a\u202eb', branch: 'a\u200bb\u2066c\u{e0041}\u0007' },
    [file({ path: 'a\u2028b' })],
    'p\ufeff',
  )
  for (const name of ['U+202E', 'U+200B', 'U+2066', 'U+E0041', '␇', 'U+2028', 'U+FEFF'])
    assert.ok(page.includes(name), name)
  assert.ok(!/[\u202e\u200b\u2066\u0007\u2028\ufeff]/.test(page))
  assert.match(page, /<title>aU\+202Eb/)
})

test('text of people stays as it is: scripts from right to left, accents, emoji', () => {
  const text = 'שלום مرحبا é e\u0301 👩‍👩‍👧 نمی‌دانم 日本語'
  assert.ok(render({ title: text }).includes(text))
})

test('lines have their numbers before and after', () => {
  const patch =
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -10,3 +20,4 @@ heading\n same\n-gone\n+new\n+more\n last\n\\ No newline at end of file\n'
  const rows = [...render({}, [file({ patch })]).matchAll(/<tr class="(\w+)">\s*<td>(\d*)<\/td>\s*<td>(\d*)<\/td>/g)]
  assert.deepEqual(
    rows.map(([, kind, before, after]) => [kind, before, after]),
    [
      ['hunk', '', ''],
      ['context', '10', '20'],
      ['deleted', '11', ''],
      ['added', '', '21'],
      ['added', '', '22'],
      ['context', '12', '23'],
      ['remark', '', ''],
    ],
  )
})

test('a line of a diff that looks like its headers is a line', () => {
  const page = render({}, [file({ patch: '@@ -1,2 +1,2 @@\n--- a rule\n+++ a sum\n' })])
  assert.match(page, /-- a rule/)
  assert.match(page, /\+\+ a sum/)
})

test('files without lines give a reason', () => {
  const none = { additions: 0, deletions: 0, patch: '' }
  assert.match(render({}, [file({ binary: true, ...none })]), /Binary file: not shown\./)
  assert.match(render({}, [file({ status: 'renamed', previousPath: 'old.md', ...none })]), /Renamed without changes\./)
  assert.match(render({}, [file({ patch: '', additions: 90_000 })]), /Too large to be shown here\./)
  assert.match(render({}, []), /This pull request changes nothing\./)
})

test('a long diff is cut with a note of what is missing', () => {
  const lines = (count: number) => `@@ -0,0 +1,${count} @@\n${'+x\n'.repeat(count)}`
  const long = render({}, [file({ patch: lines(maxRowsOfFile + 9) })])
  assert.match(long, /10 more lines of this diff are not shown here\./)
  const many = Array.from({ length: 5 }, () => file({ patch: lines(maxRowsOfFile - 1) }))
  const page = render({}, many)
  assert.equal(
    [...page.matchAll(/<tr class="added">/g)].length + [...page.matchAll(/<tr class="hunk">/g)].length,
    maxRows,
  )
  assert.match(page, new RegExp(`${maxRowsOfFile} more lines of this diff`))
  const wide = render({}, [file({ patch: `@@ -1 +1 @@\n+${'x'.repeat(maxLineLength + 5)}\n` })])
  assert.match(wide, /… and 5 more characters/)
})

test('the page shows how far the branch is behind its base, and the conflicts', () => {
  const behind = (commits: number, conflicts: readonly string[]) =>
    render({ behind: { commits, conflicts, checkedAt: '2026-11-20T10:00:30.000Z' } })
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
  assert.match(behind(0, []), /Up to date with main as of 2026-11-20 10:00 UTC/)
  assert.match(behind(1, []), /main has 1 commit that this branch does not have; they can be merged as of/)
  assert.match(behind(2, ['<b>.md', 'c.md']), /main has 2 commits .* conflicts in &lt;b&gt;\.md, c\.md as of/)
  const many = Array.from({ length: 11 }, (_, index) => `${index}.md`)
  assert.match(behind(2, many), /8\.md, 9\.md and more as of/)
  assert.doesNotMatch(render({ behind: null }), /as of/)
})

test('the note, the text and the facts are Markdown that runs and loads nothing', async () => {
  const previews = createPreviews()
  const text = [
    '## Why\n\n- one\n- `two`\n\n| a |\n| - |\n| 1 |',
    '<script>alert(1)</script> <img src=x onerror=alert(1)> <a href="javascript:alert(1)" onclick="x()">a</a>',
    '[b](javascript:alert(1)) [c](https://evil.example) ![d](https://evil.example/?q=1) https://evil.example',
    '<iframe src="https://evil.example"></iframe><form action="/v1/session"><button>x</button></form>',
    '<section class="file" id="file-1" style="position:fixed">e\u202e</section>',
    '<!-- docent:facts -->',
  ].join('\n\n')
  for (const part of ['note', 'text', 'facts'] as const) {
    const texts = await toSafeTexts(previews, { ...noTexts, [part]: text })
    const page = render({}, [], 'Acme', texts)
    assert.match(page, /<h2>Why<\/h2>\s*<ul>\s*<li>one<\/li>\s*<li><code>two<\/code><\/li>/)
    assert.match(page, /<span class="link" title="https:\/\/evil\.example">c<\/span>/)
    assert.match(page, /Image: d \(https:\/\/evil\.example\/\?q=1\)/)
    assert.match(page, /eU\+202E/)
    const section = page.slice(page.indexOf('<section'), page.lastIndexOf('</section>'))
    for (const [tag] of section.matchAll(/<[a-z][^>]*>/g))
      assert.doesNotMatch(
        tag,
        /^<(?:script|img|a|iframe|form|button|input|style)\b|\s(?:on\w+|href|src|style|id)=/,
        tag,
      )
  }
  assert.deepEqual(await toSafeTexts(previews, { ...noTexts, facts: '---\n\nA' }), { ...noTexts, facts: '<p>A</p>' })
})
