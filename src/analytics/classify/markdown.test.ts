import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asksForMarkdown, ranksMarkdownAboveHtml } from './markdown.ts'

const accepts: readonly (readonly [accept: string | undefined, wish: boolean, why: string])[] = [
  [undefined, false, 'no header'],
  ['', false, 'an empty one'],
  ['*/*', false, 'curl'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false, 'a browser'],
  ['application/json, text/plain, */*', false, 'axios'],
  ['text/markdown, text/html, */*', true, 'Claude Code: the first of equals'],
  ['text/html, text/markdown, */*', false, 'HTML is the first of equals'],
  ['text/markdown,text/plain;q=0.9,*/*;q=0.8', true, 'Cursor'],
  ['text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1', true, 'opencode'],
  ['text/html, */*', false, 'Codex'],
  ['text/markdown', true, 'nothing else'],
  ['TEXT/X-Markdown ; Q=0.5', true, 'case and spaces'],
  ['text/markdown;q=0.5, text/html', false, 'HTML above'],
  ['text/markdown;q=0.5, text/html;q=0.4', true, 'HTML below'],
  ['text/markdown;q=0.1, */*', false, 'anything above'],
  ['text/markdown;q=0.5, text/*;q=0.6', false, 'any text above'],
  ['text/html;q=0.2, text/*, text/markdown;q=0.9', true, 'the most specific range counts for HTML'],
  ['*/*, text/markdown', true, 'a named one before a star'],
  ['text/markdown;q=0', false, 'refused'],
  ['text/markdown;q=0, text/html;q=0', false, 'both refused'],
  ['text/markdown;q=2', false, 'no weight'],
  ['text/markdown;q=0.1234, text/html;q=0.1', false, 'four digits are no weight'],
  ['text/markdown;variant=GFM;q=0.9, text/html;q=0.8', true, 'a parameter before the weight'],
  ['text/plain', true, 'plain text alone'],
  ['text/plain, text/html;q=0.9', true, 'plain text above HTML'],
  ['text/plain, text/html', false, 'plain text beside HTML'],
  ['text/markdownish', false, 'another type'],
]

test('Accept is read by weight, by how specific a range is, then by order', () => {
  for (const [accept, wish, why] of accepts) assert.equal(ranksMarkdownAboveHtml(accept), wish, why)
})

const paths: readonly (readonly [path: string, wish: boolean])[] = [
  ['/guide.md', true],
  ['/guide.MDX', true],
  ['/llms.txt', true],
  ['/docs/llms-full.txt', true],
  ['/skill.md', true],
  ['llms.txt', true],
  ['/guide', false],
  ['/robots.txt', false],
  ['/.well-known/llms.txt', true],
  ['/llms-small.txt', true],
  ['/guide.markdown', true],
  ['/not-llms.txt', false],
  ['/guide.md/x', false],
  ['/guide.mdown', false],
  ['/cmd', false],
]

test('a Markdown path requests Markdown with any header', () => {
  for (const [path, wish] of paths) {
    assert.equal(asksForMarkdown({ path, signals: { accept: 'text/html' }, representation: undefined }), wish, path)
  }
  assert.equal(asksForMarkdown({ path: '/guide', signals: {}, representation: 'markdown' }), true)
  assert.equal(
    asksForMarkdown({ path: '/guide', signals: { accept: 'text/markdown' }, representation: undefined }),
    true,
  )
})

test('any header has an answer, and a wish names Markdown or plain text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (accept) => {
      if (ranksMarkdownAboveHtml(accept)) assert.match(accept, /text\/(?:x-)?markdown|text\/plain/i)
    }),
  )
  assert.equal(ranksMarkdownAboveHtml(`${'a/b,'.repeat(200_000)}text/markdown`), false)
})

test('raising the weight of Markdown never removes the preference for it', () => {
  const weight = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)
  fc.assert(
    fc.property(weight, weight, weight, (markdown, more, htmlWeight) => {
      const wish = (q: number) => ranksMarkdownAboveHtml(`text/html;q=${htmlWeight}, text/markdown;q=${q}`)
      if (wish(Math.min(markdown, more))) assert.ok(wish(Math.max(markdown, more)))
    }),
  )
})
