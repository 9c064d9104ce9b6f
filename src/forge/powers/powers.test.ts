import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTree } from '../../docs-syntax/remark/remark.ts'
import { type ForgeKind, forgeKinds } from '../host.ts'
import { weakenMarkdown } from './markdown.ts'
import { weakenMessage, weakenTitle } from './plain.ts'
import { findReferences } from './written.ts'

const z = '&#8203;'
const all: readonly ForgeKind[] = forgeKinds
/** Bitbucket shows a reference of HTML as it is written, and Azure DevOps would find a work item in its number. */
const spaceOf = (forge: ForgeKind) => (forge === 'bitbucket' || forge === 'azure' ? '\u200b' : z)

const bodies: readonly (readonly [forges: readonly ForgeKind[], text: string, weak: string])[] = [
  [all, 'Thanks @all, @acme/docs and a@b.example.', `Thanks @${z}all, @${z}acme/docs and a@b.example.`],
  [all, '&#64;all &commat;all \\@all &#x40;all', `@${z}all @${z}all @${z}all @${z}all`],
  [all, 'Closes #1, fixes acme/docs#2.', `Closes #${z}1, fixes acme/docs#${z}2.`],
  [all, '&#35;1 \\#2 #&#49;', `#${z}1 #${z}2 #${z}&#49;`],
  [['gitlab', 'gitea', 'azure'], 'Closes !4', `Closes !${z}4`],
  [
    ['azure'],
    'Fixes AB#7, by @<0a1b2c3d-0000-4000-8000-000000000000>',
    `Fixes AB#${z}7, by @${z}<0a1b2c3d-0000-4000-8000-000000000000>`,
  ],
  [['azure'], 'Completes https://a.example/issues/1', `C${z}ompletes https://a.example/issues/1`],
  [['github'], 'Fixes GH-7, not !4', `F${z}ixes GH${z}-7, not !4`],
  [all, 'Fixes https://acme.example/a/b/issues/3', `F${z}ixes https://acme.example/a/b/issues/3`],
  [all, 'Resolves: [it](https://acme.example/i/3)', `R${z}esolves: [it](https://acme.example/i/3)`],
  [
    ['bitbucket'],
    'Holds ABC-12, wontfix https://a.example/issues/1',
    `H${z}olds ABC-12, w${z}ontfix https://a.example/issues/1`,
  ],
  [['gitlab'], 'Implements ABC-12', `I${z}mplements ABC-12`],
  [all, '# Title\n\nFixes the link to [b](b.md#2-c) and https://a.example/@b#1.', ''],
  [
    all,
    'a\n/merge\n  /ok-to-test\n/retest-required x\n/merge!',
    'a\n\\/merge\n  \\/ok-to-test\n\\/retest-required x\n\\/merge!',
  ],
  [all, '[skip ci] and [build guide](b.md)', `[s${z}kip ci] and [b${z}uild guide](b.md)`],
  [all, 'x\n\nCo-authored-by: a\nBREAKING CHANGE: b', `x\n\nCo-authored-by${z}: a\nBREAKING CHANGE${z}: b`],
  [all, 'Install `@acme/docs` or `#1`.', ''],
  [all, '```\n@all\n/merge\n```', '```\n@all\n /merge\n```'],
  [all, 'x `\n\n` @all `', `x \`\n\n\` @all \``],
  [all, '---\n```\n---\n```\n@all\n```', `---\n\`\`\`\n---\n\`\`\`\n@${z}all\n\`\`\``],
  [
    all,
    '---\n\nDocent states the following; no model wrote it.\n\n**Checks:** 0 new problems\n## Checks and pages',
    '---\n\nThe model (not Docent) states the following; no model wrote it.\n\nThe model writes: Checks:** 0 new problems\n## Checks and pages',
  ],
]

test('mentions, references, commands and trailers in a body have no power', () => {
  for (const [forges, text, weak] of bodies) {
    for (const forge of forges) {
      const expected = (weak || text).replaceAll(z, spaceOf(forge))
      assert.equal(weakenMarkdown(text, forge, codeOf(text)), expected, forge)
    }
  }
})

/** As the thread that parses pages finds it. */
function codeOf(text: string): { readonly start: number; readonly end: number }[] {
  const waiting: Nodes = [parseTree('a.md', `\n${text}`)?.tree ?? assert.fail()]
  const found = waiting.flatMap(function inside(node): { start: number; end: number }[] {
    const { start, end } = node.position ?? assert.fail()
    const isCode = node.type === 'code' || node.type === 'inlineCode'
    const own = isCode ? [{ start: (start.offset ?? 0) - 1, end: (end.offset ?? 0) - 1 }] : []
    return [...own, ...('children' in node ? node.children : []).flatMap(inside)]
  })
  return found
}

type Tree = NonNullable<ReturnType<typeof parseTree>>['tree']
type Nodes = (Tree | Tree['children'][number])[]

const titles: readonly (readonly [title: string, weak: string])[] = [
  ['Fix @all closes #3', 'Fix all for no. 3'],
  ['Fixes GH-3 and acme/docs#2', 'For GH 3 and acme/docs no. 2'],
  ['Close https://acme.example/issues/3#note', 'For https://acme.example/issues/3'],
  ['/close [skip ci]', 'close (skip ci)'],
  ['Write for C# and a@b.example', 'Write for C Sharp and a at b.example'],
  ['Fix the links of guides/a.md#setup', 'Fix the links of guides/a.md, setup'],
  ['Rename `acme --out`', 'Rename `acme --out`'],
]

test('a title has no sign of a mention or reference, and no closing word', () => {
  for (const [title, weak] of titles) assert.equal(weakenTitle(title), weak)
})

test('a commit message has neither trailers nor commands of a model', () => {
  const said =
    '## Why\nFixes #12, see !4.\n/tag v1\n\nCo-authored-by: Eve <eve@evil.example>\n signed-off-by : Eve <eve@evil.example>\nskip-checks: true\nNote: it is new.'
  const weak = 'Why\nFor no. 12, see no. 4.\n- /tag v1\n\nskip-checks true\nNote: it is new.'
  assert.equal(weakenMessage(said), weak)
  assert.equal(weakenMessage('**Checks:** 0 new problems'), 'The model writes: Checks:** 0 new problems')
  assert.doesNotMatch(weakenMessage('[ci skip] ***NO_CI***'), /\[|\*/)
})

test('references that people wrote are found, with their closing words', () => {
  const messages = [
    'Please fix #12 and #13; see acme/docs#4.',
    'resolves: https://acme.example/a/b/issues/9, `C#1` a.md#2 #abc &#35;',
    'See #12 again, and !7',
  ]
  assert.deepEqual(findReferences(messages), [
    'fixes #12',
    'fixes #13',
    'acme/docs#4',
    'resolves https://acme.example/a/b/issues/9',
    '!7',
  ])
  assert.deepEqual(findReferences(['Rename it.']), [])
})
