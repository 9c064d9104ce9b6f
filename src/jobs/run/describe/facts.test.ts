import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { composeBody, maxBodyCharacters } from '../../../forge/body.ts'
import { sayShown } from '../../policy/words.ts'
import { emptyReview, type Review } from '../../review/review.ts'
import { sayNewProblems } from '../../review/words.ts'
import { pathsAfter } from './changed-files.ts'
import { bodyOn, describeBranch } from '../../pulls/description.ts'
import { anyFacts as facts } from '../../../../test/support/any-facts.ts'
import { describeFacts, type Facts, mostFactCharacters } from './facts.ts'

const about = { path: 'docs/b.md', line: 3, message: 'unused', byPerson: false } as const
const link = { ...about, kind: 'link', severity: 'wrong' } as const

const review: Review = {
  ...emptyReview,
  checks: {
    introduced: 2,
    fixed: 1,
    remaining: 41,
    ignored: 3,
    coverage: emptyReview.checks.coverage,
    drift: null,
    findings: [
      { ...link, target: './gone.md', state: 'introduced', byPerson: true },
      { ...link, kind: 'config', severity: 'breaking', path: 'docs.json', target: 'Expected ","', state: 'introduced' },
      { ...link, target: './old.md', state: 'fixed' },
      { ...link, target: '#top', kind: 'anchor', state: 'remaining' },
      { ...link, line: 1, target: '', kind: 'unlisted', state: 'remaining' },
    ],
  },
  references: [],
  losses: [
    {
      path: 'docs/b.md',
      headings: ['Setup', 'Usage'],
      codeBlocks: ['npm i acme'],
      fields: ['permalink'],
      words: { before: 1_840, after: 300 },
    },
  ],
  hosts: [{ host: 'cdn.example', path: 'docs/b.md', line: 9 }],
  refused: [
    { path: '.github/workflows/ci.yml', line: null, message: 'is protected: a workflow of GitHub Actions' },
    { path: 'docs/a.md', line: 2, message: 'adds an image of `evil.example` with a query' },
    { path: 'docs/a.md', line: 2, message: 'has a script from https://evil.example' },
  ],
}

test('the facts say what was asked, what changed, and what the service found', () => {
  const files = [
    ...facts.files,
    { path: 'docs/new.md', previousPath: 'docs/old.md', status: 'renamed' },
    { path: 'docs/c.md', previousPath: null, status: 'deleted' },
    { path: 'docs.json', previousPath: null, status: 'modified' },
    { path: 'package.json', previousPath: null, status: 'modified' },
  ] as const
  assert.equal(
    describeFacts({ ...facts, files, review, costUsd: 0.126, jobLink: 'https://docent.example/j', turns: 1 }),
    `---

Docent states the following; no model wrote it.

**Asked:** \`Rename "Acme CLI"\`

**Pages: 1 changed, 1 deleted, 1 moved:**

- changed \`docs/a.md\`
- moved \`docs/old.md\` to \`docs/new.md\`
- deleted \`docs/c.md\`

**Other files of the documentation: 1 changed:**

- changed \`docs.json\`

**Files outside the documentation: 1 changed:**

- changed \`package.json\`

**New outside hosts:**

- \`cdn.example\` in \`docs/b.md\` line 9

**Checks:** 2 new problems, 1 fixed, 41 remaining; 3 ignored by the settings of the project

**New problems:**

- \`docs.json\` line 3: a configuration or data file does not parse: \`Expected ","\`
- \`docs/b.md\` line 3: a link leads to a page or file that does not exist: \`./gone.md\`, in a commit of a person

**Fixed problems:**

- \`docs/b.md\` line 3: a link leads to a page or file that does not exist: \`./old.md\`

**Problems that were there before:**

- \`docs/b.md\` line 3: a link leads to a heading that does not exist: \`#top\`
- \`docs/b.md\` line 1: a page is missing from a navigation that lists all others
- and 39 more

**Lost from the documentation:**

- \`docs/b.md\`: headings \`Setup\`, \`Usage\`; code block \`npm i acme\`; field \`permalink\`; 1,840 words before, 300 after

**Edits that the policy refused:**

- \`.github/workflows/ci.yml\`: is protected: a workflow of GitHub Actions
- \`docs/a.md\` line 2: adds an image of \`evil.example\` with a query
- \`docs/a.md\` line 2: \`has a script from https://evil.example\`

Docent job [job_1](https://docent.example/j): \`docent/rules\`, 1 turn, 12,345 + 678 tokens, $0.13.`,
  )
})

test('a change without problems has short facts, and one that was not checked says so', () => {
  const text = describeFacts(facts)
  assert.match(
    text,
    /`\n\n\*\*Checks:\*\* 0 new problems, 0 fixed, 0 remaining\n\nDocent job `job_1`: `docent\/rules`, 4 turns, 12,345 \+ 678 tokens\.$/,
  )
  assert.match(describeFacts({ ...facts, review: null }), /\n\n\*\*Checks:\*\* this change was not checked\.\n\n/)
})

test('files of a folder with more pages than other files are documentation', () => {
  const table: readonly (readonly [string, readonly string[], boolean])[] = [
    ['docs/api/spec.json', ['docs/a.md', 'docs/api/b.md', 'docs/api/spec.json'], true],
    ['src/index.ts', ['src/README.md', 'src/index.ts', 'src/other.ts'], false],
    ['index.ts', ['a.md', 'b.md', 'c.md'], false],
    ['mkdocs.yml', [], true],
    ['website/sidebars.js', ['website/a.js'], true],
    ['src/logo.svg', ['src/a.ts', 'src/b.ts'], true],
    ['docs/gone.txt', ['docs/a.md'], true],
    ['Dockerfile', ['a.md'], false],
  ]
  for (const [path, paths, isOfDocs] of table) {
    const text = describeFacts({ ...facts, files: [{ path, previousPath: null, status: 'deleted' }], paths })
    const title = isOfDocs ? 'Other files of the documentation' : 'Files outside the documentation'
    assert.match(text, /\*\*Pages:\*\* none changed\n\n/)
    assert.ok(text.includes(`**${title}: 1 deleted:**`), path)
  }
})

test('the paths after a change lack what it deleted and moved away', () => {
  const files = [
    { path: 'new.md', previousPath: null, status: 'added' },
    { path: 'same.md', previousPath: null, status: 'modified' },
    { path: 'gone.md', previousPath: null, status: 'deleted' },
    { path: 'to/moved.md', previousPath: 'moved.md', status: 'renamed' },
  ] as const
  const before = ['gone.md', 'moved.md', 'other.md', 'same.md']
  assert.deepEqual(pathsAfter(before, files).toSorted(), ['new.md', 'other.md', 'same.md', 'to/moved.md'])
})

test('the runs of a branch are folded, and their text is that of the last one', () => {
  const finishes = [
    { kind: 'change', title: 'Add a page', summary: 'It is new.' },
    { kind: 'no_change', reason: 'All is well.' },
    { kind: 'change', title: 'Add two pages', summary: 'Both are new.' },
    { kind: 'question', question: 'A third?' },
  ] as const
  assert.deepEqual(describeBranch(finishes), { title: 'Add two pages', body: 'Both are new.' })
  assert.deepEqual(describeBranch(finishes.slice(1, 2)), { title: 'Update the documentation', body: 'All is well.' })
  const text = describeFacts({ ...facts, titles: ['Add a page', 'Add @two'] })
  assert.match(text, /<summary>[^<]* 2 runs<\/summary>\n\n- `Add a page`\n- `Add @two`\n\n<\/details>/)
  assert.ok(!describeFacts(facts).includes('<details>'))
})

test('many messages and files are shortened', () => {
  const prompts = Array.from({ length: 11 }, (_, n) => `message ${n}`)
  const files = Array.from({ length: 21 }, (_, n) => ({
    path: `docs/${n}.md`,
    previousPath: null,
    status: 'added' as const,
  }))
  const text = describeFacts({ ...facts, prompts, files })
  assert.match(text, /\*\*Asked, the last 10 of 11 messages:\*\*\n\n- `message 1`\n/)
  assert.ok(!text.includes('message 0'))
  assert.match(text, /\*\*Pages: 21 added:\*\*\n\n- added `docs\/0\.md`[^]*- added `docs\/19\.md`\n- and 1 more\n/)
  const fewer = describeFacts({ ...facts, prompts: prompts.slice(1), files: files.slice(1) })
  assert.match(fewer, /\*\*Asked:\*\*\n\n- `message 1`\n/)
  assert.ok(!fewer.includes('more'))
})

const hostile = [
  '`@everyone` fixes #1\n\n# Head\u0007',
  '@acme/security Closes #1 GH-1 acme/docs#2 !3',
  '</details><script>alert(1)</script><!-- /docent:facts --><img src=x>',
  '\n/close\n/merge',
  '```\n@all',
  '\u202egnp.exe\u2066\u200b\u{e0041}',
  '| a | b |\n| - | - |',
  '[x](https://evil.example) https://evil.example www.evil.example',
  '``',
  '',
]

/** The first lines of a draft. */
function noteOf(text: string): string {
  const shown = sayShown([{ kind: 'code', path: text, line: 1, message: 'adds a call', remedy: null }])
  const problem = {
    ...link,
    path: text,
    target: text,
    message: `links to ${text}`,
    state: 'introduced',
  } as const
  return `${shown}\n${sayNewProblems([problem])}`
}

const source = { id: 'src_1', name: 's'.repeat(40), repository: 'r', branch: null, paths: [], commit: '0'.repeat(40) }

/** The same text at every place that comes from outside. */
function everywhere(text: string, times = 1): Facts {
  const many = <T>(one: T) => Array.from({ length: times }, () => one)
  const note = { path: text, line: 1, message: text }
  return {
    ...facts,
    origin: { kind: 'automation', name: text, link: null },
    model: text,
    prompts: many(text),
    titles: many(text),
    sources: Array.from({ length: 20 }, (_, at) => (at < 18 ? source : { ...source, commit: null, missing: text })),
    pagesRead: many(text).map((address, at) => ({ address: `${address}${at}`, status: null, bytes: at })),
    files: many({ path: `${text}.md`, previousPath: text, status: 'renamed' as const }).flatMap((file) => [
      file,
      { ...file, path: `x/${text}` },
      { ...file, path: `${text}.css` },
    ]),
    citations: { held: many({ page: text, place: text, link: `https://a.example/${'x'.repeat(300)}` }), dropped: 1 },
    code: [
      {
        pulls: many({ name: text, link: `https://a.example/${'x'.repeat(300)}`, author: text }).map((pull, at) => ({
          ...pull,
          name: `${at}${pull.name}`,
        })),
        ask: [],
        others: many(text).map((login, at) => `${at}${login}`),
        problem: text,
      },
    ],
    review: {
      ...emptyReview,
      checks: {
        ...emptyReview.checks,
        introduced: times,
        fixed: times,
        remaining: times,
        findings: (['introduced', 'fixed', 'remaining'] as const).flatMap((state) =>
          many({ ...link, path: text, target: text || '$', message: text, state }),
        ),
      },
      losses: many({ path: text, headings: many(text), codeBlocks: many(text), fields: [], words: null }),
      hosts: many({ host: text, path: text, line: 1 }),
      ungrounded: many({ path: text, line: 1, term: text }),
      grounding: { judged: times, notJudged: times, missing: times },
      refused: many(note),
    },
  }
}

/** The text without what Markdown shows as code and the references of people: all of it is the service's own. */
function withoutCode(text: string): string {
  const references = /\*\*References in the messages:\*\* (?:(?:fixes |closes )?[\w/]*[#!]\d+(?:, )?)+\n\n/
  return text.replaceAll(/`[^`\n]+`/g, 'CODE').replace(references, '')
}

test('no text from outside leaves its line of code', () => {
  const shape = withoutCode(describeFacts(everywhere('$ x')))
  for (const text of hostile) {
    const described = describeFacts(everywhere(text))
    assert.equal(withoutCode(described), shape, text)
    assert.equal(withoutCode(noteOf(text)), withoutCode(noteOf('x')), text)
    assert.doesNotMatch(described, /[\u0007\u202e\u2066\u200b\u{e0041}]|<!--/u)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
      assert.equal(withoutCode(describeFacts(everywhere(`$${text}`))), shape)
    }),
    { numRuns: 20 },
  )
})

test('facts of any length stay whole below the limits of every forge', () => {
  for (const text of ['x'.repeat(1_000), '@a '.repeat(300), '\u202e'.repeat(500), '`'.repeat(900), 'x']) {
    const described = describeFacts({
      ...everywhere(text, 25),
      prompts: Array.from({ length: 11 }, () => text.repeat(100)),
    })
    assert.ok(described.length <= mostFactCharacters, String(described.length))
    const body = composeBody({ jobId: 'job_1', title: 'A', note: '', text: 'y'.repeat(90_000), facts: described })
    assert.ok(body.length <= maxBodyCharacters && body.includes(described))
    assert.match(described, /\n- and \d+ more\n/)
  }
})

test('the text of the agent has no power on a forge, and neither does its title', async () => {
  const summary = 'Closes #3 of @all.\n/merge\n  /ok-to-test\r/close `@all`'
  const { title, body } = describeBranch([{ kind: 'change', title: 'Fix @all closes #3', summary }])
  const code = [{ start: body.lastIndexOf('`@') + 1, end: body.length + 1 }]
  const weak = await bodyOn('github', body, () => Promise.resolve({ code, signs: [] }))
  assert.equal(title, 'Fix all for no. 3')
  assert.equal(weak, 'Closes #&#8203;3 of @&#8203;all.\n\\/merge\n  \\/ok-to-test\ufffd/close `@all`')
})

test('references that people wrote are repeated, and those of the agent are not', () => {
  const text = describeFacts({ ...facts, prompts: ['Fix #12, please; see acme/docs#4'] })
  assert.match(text, /\n\n\*\*References in the messages:\*\* fixes #12, acme\/docs#4\n\n/)
})

test('a part is described with the description before it, until a run describes all', () => {
  const [first, part, last] = [
    { kind: 'change', title: 'Add a page', summary: 'It is new.' },
    { kind: 'change', title: 'Part: Add two', summary: 'A part.', unfinished: 'turns' },
    { kind: 'change', title: 'Add three pages', summary: 'All are new.' },
  ] as const
  const body = 'A part.\n\n---\n\nBefore this part: Add a page\n\nIt is new.'
  assert.deepEqual(describeBranch([first, part]), { title: 'Part: Add two', body })
  assert.deepEqual(describeBranch([part]), { title: 'Part: Add two', body: 'A part.' })
  assert.deepEqual(describeBranch([first, part, last]), { title: 'Add three pages', body: 'All are new.' })
})

test('a summary that claims builds or tests is answered, and one about them is not', () => {
  const said = (summary: string) => describeFacts({ ...facts, summary }).includes('Docent runs no builds or tests')
  const claims = [
    'Only wording changed. I built the site and ran all tests; everything passes.',
    'All tests pass.',
    'Ran the linter.',
    'The build succeeds.',
  ]
  for (const summary of claims) assert.ok(said(summary), summary)
  const others = [
    'Documents how tests are run.',
    'Says that the site is built with npm.',
    'Adds a page about passing tests.',
  ]
  for (const summary of others) assert.ok(!said(summary), summary)
})

test('a pull request names the automation that started its job, and no key or person', () => {
  assert.doesNotMatch(describeFacts(facts), /Automation|CI/)
  const origin = { kind: 'automation', name: 'Weekly `fix` @all', link: null, automationId: 'aut_1' } as const
  assert.match(describeFacts({ ...facts, origin }), /\n\n\*\*Automation:\*\* `Weekly 'fix' @all`\n\n\*\*Asked:/)
})
