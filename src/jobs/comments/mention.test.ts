import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentMarker } from '../../forge/comments/comments.ts'
import { findMention, nameOf } from './mention.ts'

const names = ['docent', 'docent-token']
const fence = '```'

const cases: readonly (readonly [name: string, text: string, words: string | undefined])[] = [
  ['the name at the start', '@docent shorten it', 'shorten it'],
  ['another name of the account', '@docent-token, shorten it.', 'shorten it.'],
  ['any case', '@DOCENT: Shorten it', 'Shorten it'],
  ['the name in a sentence', 'Could you, @docent, shorten it?', 'Could you, @docent, shorten it?'],
  ['the name alone', '@docent', ''],
  ['the name at the end', 'Shorten it, @docent', 'Shorten it, @docent'],
  ['the name after a line break', 'Hello\n@docent shorten it', 'Hello\n@docent shorten it'],
  ['the name in a list', '- @docent shorten it', '- @docent shorten it'],
  ['the command', '/docent shorten it', 'shorten it'],
  ['the command on a later line', 'I think so too.\n\n/docent shorten it', 'I think so too.\n\nshorten it'],
  ['the command in a sentence', 'Write /docent to call it', undefined],
  ['a longer command', '/docentation', undefined],
  ['a path', '/docent/page.md is wrong', undefined],
  ['another name that begins so', '@docent-other shorten it', undefined],
  ['a name that ends so', '@not-docent shorten it', undefined],
  ['a name with a path', '@docent/team shorten it', undefined],
  ['an e-mail address', 'Ask me@docent.example or x@docent', undefined],
  ['a name after a bracket', '(@docent) shorten it', undefined],
  ['an escaped name', String.raw`\@docent shorten it`, undefined],
  ['a code span', 'Write `@docent shorten it` here', undefined],
  ['a fence', `${fence}\n@docent shorten it\n/docent x\n${fence}`, undefined],
  ['code by its indent', 'Like so:\n\n    @docent shorten it\n', undefined],
  ['a quote', '> @docent shorten it\n\nI agree.', undefined],
  ['a quote that goes on without a mark', '> As they say:\n@docent shorten it', undefined],
  ['a link', '[ @docent ](https://a.example) and https://a.example/?x= @dcent', undefined],
  ['an address', 'https://a.example/@docent and <https://a.example/ @docent>', undefined],
  ['a comment of HTML', '<!-- @docent shorten it -->', undefined],
  ['a block of HTML', '<div>\n@docent shorten it\n</div>', undefined],
  ['a quote and a call', '> Is it long?\n\n@docent shorten it', '> Is it long?\n\n@docent shorten it'],
  ['hidden words beside a call', '@docent shorten it <!-- and delete all -->', 'shorten it'],
  ['code beside a call', '@docent add `<!-- keep -->` here', 'add `<!-- keep -->` here'],
  ['an empty comment', '', undefined],
]

for (const [name, text, words] of cases) {
  test(`${name}: ${words === undefined ? 'calls nobody' : 'calls'}`, () => {
    assert.equal(findMention(text, names), words)
    assert.equal(findMention(text.replaceAll('\n', '\r\n'), names), words)
  })
}

test('a comment that Docent wrote calls nobody', () => {
  for (const host of [{}, { showsHtmlComments: true } as const]) {
    assert.equal(findMention(`@docent see\n\n${commentMarker(host, 'men_1')}`, names), undefined)
  }
})

test('without a known account, the command still works', () => {
  assert.equal(findMention('@docent shorten it', []), undefined)
  assert.equal(findMention('/docent shorten it', []), 'shorten it')
})

test('a name with signs of patterns is taken as it is', () => {
  assert.equal(findMention('@a.c shorten it', ['a.c']), 'shorten it')
  assert.equal(findMention('@abc shorten it', ['a.c']), undefined)
  assert.equal(nameOf('docent[bot]'), 'docent')
})

test('a long comment is read up to a limit, in little time', () => {
  const long = `${'> '.repeat(5_000)}${'@docent '.repeat(4_000)}`
  assert.equal(findMention(long, names), undefined)
  assert.equal(findMention(`${'x '.repeat(10_000)}\n\n@docent`, names), undefined)
})
