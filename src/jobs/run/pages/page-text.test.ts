import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { toPageText } from './page-text.ts'

const address = 'https://docs.example.com/a/'
const read = (type: string | undefined, bytes: Uint8Array | string, encoding?: string) =>
  toPageText({ address, type, encoding, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes })
const textOf = (...given: Parameters<typeof read>) => {
  const page = read(...given)
  return 'problem' in page ? page.problem : page.text
}

test('HTML becomes Markdown, and other texts stay as they are', () => {
  assert.equal(textOf('text/html; charset=utf-8', '<h1>A</h1>'), '# A')
  assert.equal(textOf('application/xhtml+xml', '<p>A</p>'), 'A')
  assert.equal(textOf(undefined, '\n<!DOCTYPE html><p>A'), 'A')
  assert.equal(textOf(undefined, '<b>A</b>'), '<b>A</b>')
  for (const type of [
    'text/plain',
    'text/markdown',
    'application/json',
    'application/ld+json',
    'text/csv',
    'image/svg+xml',
  ]) {
    assert.equal(textOf(type, '<b>\r\n{}'), '<b>\n{}', type)
  }
})

test('files that are no text are refused by name', () => {
  const table: readonly (readonly [string | undefined, Uint8Array | string, string])[] = [
    ['application/pdf', '%PDF-1.7', 'it is a PDF, and no page of text'],
    ['text/html', '%PDF-1.7 <p>', 'it is a PDF, and no page of text'],
    ['image/png', '\x89PNG', 'it is image/png, and no page of text'],
    ['application/octet-stream', 'x', 'it is application/octet-stream, and no page of text'],
    ['application/zip', 'PK', 'it is application/zip, and no page of text'],
    ['text/plain', Buffer.from([0x7f, 0x45, 0, 1]), 'it is called text/plain, and is no text'],
    ['x"><script>', 'x', 'it is x script, and no page of text'],
  ]
  for (const [type, bytes, problem] of table) assert.deepEqual(read(type, bytes), { problem }, String(type))
})

test('a compressed response, which nobody asked for, is not unpacked', () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  assert.match(textOf('text/html', bomb, 'gzip'), /^the response is compressed \(gzip\)/)
  assert.equal(textOf('text/plain', 'x', 'identity'), 'x')
})

test('texts are decoded as the host, a mark or the page says', () => {
  const latin = Buffer.from('caf\u00e9', 'latin1')
  const table: readonly (readonly [string, Uint8Array, string])[] = [
    ['text/plain; charset=ISO-8859-1', latin, 'café'],
    ['text/plain; charset="windows-1252"', latin, 'café'],
    ['text/plain', latin, 'caf\ufffd'],
    ['text/html', Buffer.concat([Buffer.from('<meta charset=latin1>'), latin]), 'café'],
    [
      'text/html',
      Buffer.concat([Buffer.from('<meta http-equiv=content-type content="text/html; charset=latin1">'), latin]),
      'café',
    ],
    ['text/html', Buffer.from('<meta charset=utf-16>café'), 'café'],
    ['text/plain; charset=latin1', Buffer.from('\ufeffcafé'), 'café'],
    ['text/plain', Buffer.from('\ufeffcafé', 'utf16le'), 'café'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['text/plain; charset=utf-7', Buffer.from('+ADw-script+AD4-'), '+ADw-script+AD4-'],
    ['text/plain; charset=replacement', Buffer.from('x'), 'x'],
    ['text/plain; charset=nonsense', Buffer.from('café'), 'café'],
  ]
  for (const [type, bytes, text] of table) assert.equal(textOf(type, bytes), text, type)
})

test('the links of Markdown and HTML are whole addresses; other texts have no links', () => {
  const links = (type: string, text: string) => {
    const page = read(type, text)
    return 'links' in page ? page.links : []
  }
  assert.deepEqual(links('text/plain', '[A](../b) <https://c.example> [D](mailto:d)'), [
    'https://docs.example.com/b',
    'https://c.example/',
  ])
  assert.deepEqual(links('text/html', '<a href="?q=1">'), ['https://docs.example.com/a/?q=1'])
  assert.deepEqual(links('application/json', '{"a":"[x](https://c.example)"}'), [])
})
