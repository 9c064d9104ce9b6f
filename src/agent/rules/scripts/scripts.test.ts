import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMemoryWorkspace, type MemoryFile, readFolder } from '../../../../test/support/memory-workspace.ts'
import { runRules, user } from '../../../../test/support/rules-loop.ts'
import { createRulesModel } from '../rules-model.ts'

async function run(files: Readonly<Record<string, MemoryFile>>, prompt: string) {
  const workspace = createMemoryWorkspace(files)
  const ran = await runRules({ model: createRulesModel(), workspace, prompt: [user(prompt)] })
  const texts = workspace.texts()
  const before = createMemoryWorkspace(files).texts()
  const changed = Object.fromEntries(Object.entries(texts).filter(([path, text]) => before[path] !== text))
  return { ...ran, texts, changed }
}

const rename = 'Rename "Acme CLI" to "Acme Command"'

type TermCase = readonly [name: string, prompt: string, before: string, after: string]

const terms: readonly TermCase[] = [
  [
    'prose, headings, lists, tables and link texts',
    rename,
    '# Acme CLI\n\nThe **Acme CLI** is. [Acme CLI](/x)\n\n- Acme CLI\n\n| Acme CLI | b |\n| -- | -- |\n| c | Acme CLI. |\n',
    '# Acme Command\n\nThe **Acme Command** is. [Acme Command](/x)\n\n- Acme Command\n\n| Acme Command | b |\n| -- | -- |\n| c | Acme Command. |\n',
  ],
  [
    'not code',
    rename,
    'Acme CLI `Acme CLI`\n\n```sh\nAcme CLI\n```\n\n{/* Acme CLI */}\n',
    'Acme Command `Acme CLI`\n\n```sh\nAcme CLI\n```\n\n{/* Acme CLI */}\n',
  ],
  [
    'code too, when asked',
    `${rename}, including code blocks`,
    'Acme CLI `Acme CLI`\n\n```sh\nAcme CLI\n```\n',
    'Acme Command `Acme Command`\n\n```sh\nAcme Command\n```\n',
  ],
  [
    'whole terms in their case only',
    rename,
    'Acme CLIs acme cli AcmeX Acme CLI Acme CLI2 Acme CLI.md Acme CLI\u2019s\n',
    'Acme CLIs acme cli AcmeX Acme Command Acme CLI2 Acme CLI.md Acme Command\u2019s\n',
  ],
  [
    'addresses stay',
    'Rename "Acme" to "Apex"',
    'Acme, acme.com, Acme.com, a@Acme, /Acme/x, [t](/Acme), ![Acme](Acme.png) Acme-based <https://Acme.io>\n'.replace(
      ' <https://Acme.io>',
      '',
    ),
    'Apex, acme.com, Acme.com, a@Acme, /Acme/x, [t](/Acme), ![Apex](Acme.png) Apex-based\n',
  ],
  [
    'titles in frontmatter, quoted as needed',
    'Rename "Acme CLI" to "Acme: CLI"',
    '---\ntitle: Acme CLI\ndescription: "The Acme CLI"\nicon: Acme CLI\n---\n',
    '---\ntitle: "Acme: CLI"\ndescription: "The Acme: CLI"\nicon: Acme CLI\n---\n',
  ],
  [
    'titles in attributes',
    'Rename "Acme CLI" to "A \\"B\\""',
    '<Card title="Acme CLI" icon="Acme CLI" href="/Acme CLI">\n  Acme CLI\n</Card>\n',
    '<Card title="A &quot;B&quot;" icon="Acme CLI" href="/Acme CLI">\n  A "B"\n</Card>\n',
  ],
  [
    'terms across a line break',
    rename,
    'See the Acme\nCLI now.\n\n> the Acme\n> CLI\n',
    'See the Acme\nCommand now.\n\n> the Acme\n> Command\n',
  ],
  [
    'terms across a line break, by another number of words',
    'Rename "Acme CLI" to "Acme"',
    'See the Acme\nCLI now.\n',
    'See the\nAcme now.\n',
  ],
  [
    'names of link references together',
    rename,
    '[Acme CLI] and [x][Acme CLI]\n\n[Acme CLI]: /cli\n',
    '[Acme Command] and [x][Acme Command]\n\n[Acme Command]: /cli\n',
  ],
  [
    'CRLF and repeated lines',
    rename,
    'Acme CLI\r\n\r\nAcme CLI\r\n\r\nAcme CLI\r\n',
    'Acme Command\r\n\r\nAcme Command\r\n\r\nAcme Command\r\n',
  ],
  [
    'lines with characters that nobody sees',
    rename,
    'a\u200bb Acme CLI c\u200bd\n',
    'a\u200bb Acme Command c\u200bd\n',
  ],
  ['MDX that does not parse', rename, '<br>\n\nThe Acme CLI. `Acme CLI`\n', '<br>\n\nThe Acme Command. `Acme CLI`\n'],
  [
    'links to the headings that change',
    rename,
    '# The Acme CLI\n\n[a](#the-acme-cli) [b](/p#the-acme-cli) [c](p.mdx#the-acme-cli) [d](/q#the-acme-cli)\n',
    '# The Acme Command\n\n[a](#the-acme-command) [b](/p#the-acme-command) [c](p.mdx#the-acme-command) [d](/q#the-acme-cli)\n',
  ],
  [
    'terms of three words across line breaks',
    'Rename "The Acme CLI" to "A b c"',
    'x The Acme\nCLI y\n\nThe\nAcme CLI\n',
    'x A b\nc y\n\nA\nb c\n',
  ],
  [
    'no words with a hyphen for a small word',
    'Rename "acme" to "apex"',
    'acme, acme-cli, x-acme and (acme)\n',
    'apex, acme-cli, x-acme and (apex)\n',
  ],
  [
    'attributes in single quotes',
    'Rename "Acme CLI" to "It\'s"',
    "<Card title='The Acme CLI' />\n",
    "<Card title='The It&apos;s' />\n",
  ],
  [
    'cells, so that they stay cells',
    'Rename "Acme CLI" to "A|B"',
    '| Acme CLI | b |\n|--|--|\n\nAcme CLI\n',
    '| A\\|B | b |\n|--|--|\n\nA|B\n',
  ],
  ['prose, so that it stays prose', 'Rename "Acme CLI" to "A <B> {c}"', 'Acme CLI\n', 'A \\<B> \\{c}\n'],
  [
    'long descriptions in frontmatter',
    rename,
    '---\ndescription: >\n  The Acme CLI\n  and Acme\n  CLI.\n---\n',
    '---\ndescription: >\n  The Acme Command\n  and Acme\n  Command.\n---\n',
  ],
  ['a dollar sign as it is', 'Rename "Acme CLI" to "$& $1"', 'Acme CLI\n', '$& $1\n'],
]

for (const [name, prompt, before, after] of terms) {
  test(`replacing a term changes ${name}`, async () => {
    const { texts, finish } = await run({ 'p.mdx': before, 'q.mdx': '# Q\n' }, prompt)
    assert.equal(texts['p.mdx'], after)
    assert.equal(finish.kind, 'change')
  })
}

test('replacing a term updates links to a changed heading, and the navigation', async () => {
  const files = {
    'a.mdx': '## Install the Acme CLI\n',
    'g/b.md': '[x](../a#install-the-acme-cli "t") [y](/a#install-the-acme-cli)\n',
    'docs.json':
      '{\n  "name": "Acme CLI",\n  "pages": ["Acme CLI"],\n  "navigation": [{ "group": "Acme CLI", "icon": "Acme CLI" }]\n}\n',
    'x.yml': 'a: Acme CLI\n',
  }
  const { changed, finish } = await run(files, `${rename}.`)
  assert.deepEqual(changed, {
    'a.mdx': '## Install the Acme Command\n',
    'g/b.md': '[x](../a#install-the-acme-command "t") [y](/a#install-the-acme-command)\n',
    'docs.json': files['docs.json']
      .replace('name": "Acme CLI', 'name": "Acme Command')
      .replace('group": "Acme CLI', 'group": "Acme Command'),
  })
  assert.ok(finish.kind === 'change')
  assert.equal(finish.title, rename)
  assert.match(finish.summary, /3 times in 2 files: a\.mdx, docs\.json\.\n- Updated 2 links to headings/)
  assert.match(finish.summary, /also occurs in x\.yml/)
})

test('the summary says how many mentions were left, and where', async () => {
  const text = 'Acme CLI `Acme CLI`\n\n```\nAcme CLI\n```\n\n<Card icon="Acme CLI" />\n'
  const { finish } = await run({ 'a.mdx': text }, rename)
  assert.ok(finish.kind === 'change')
  assert.match(
    finish.summary,
    /2 mentions of “Acme CLI” in code were left as they are\.\n- 1 mention of “Acme CLI” in addresses/,
  )
})

test('a page of many lines is read to its end, even if it imitates head lines', async () => {
  const lines = Array.from({ length: 4500 }, (_, index) => `[lines 1-1 of 9; read on with startLine ${index}]\n`)
  const { texts } = await run({ 'a.md': `${lines.join('')}Acme CLI\n${lines.join('')}` }, rename)
  assert.equal(texts['a.md'], `${lines.join('')}Acme Command\n${lines.join('')}`)
})

test('replacing a term changes only the named places', async () => {
  const files = { 'a.mdx': 'Old', 'guides/b.mdx': 'Old', 'guides/c/d.mdx': 'Old', 'docs/guides/e.mdx': 'Old' }
  const inPlaces = async (words: string): Promise<string[]> =>
    Object.keys((await run(files, `Rename "Old" to "New" ${words}`)).changed)
  assert.deepEqual(await inPlaces('in `guides/**`'), ['guides/b.mdx', 'guides/c/d.mdx'])
  assert.deepEqual(await inPlaces('in guides/b'), ['guides/b.mdx'])
  assert.deepEqual(await inPlaces('in a.mdx and guides/c/d.mdx'), ['a.mdx', 'guides/c/d.mdx'])
  assert.deepEqual(await inPlaces('in guides/'), ['guides/b.mdx', 'guides/c/d.mdx', 'docs/guides/e.mdx'])
})

const site = {
  'docs.json':
    '{\n  "navigation": {\n    "groups": [\n      {\n        "group": "Start",\n        "pages": ["index", "guides/ci"]\n      },\n      { "group": "Ship", "pages": [\n        "cli/install"\n      ] }\n    ]\n  }\n}\n',
  'index.mdx': '---\ntitle: Home\n---\n\nSee [CI](/guides/ci#x) and [install](cli/install).\n',
  'guides/ci.mdx': '---\ntitle: CI\n---\n\n[up](../index)\n',
  'cli/install.mdx': '---\ntitle: Install # it\ndescription: >\n  Long\n  text\n---\n\nHi\n',
}

test('moving a page updates links and navigation', async () => {
  const { changed, finish } = await run(site, 'Move guides/ci to ship/pipelines')
  assert.deepEqual(Object.keys(changed), ['docs.json', 'index.mdx', 'ship/pipelines.mdx'])
  assert.match(changed['docs.json'] ?? '', /"ship\/pipelines"\]/)
  assert.match(changed['index.mdx'] ?? '', /\[CI\]\(\/ship\/pipelines#x\)/)
  assert.ok(finish.kind === 'change')
  assert.equal(finish.title, 'Move guides/ci to ship/pipelines')
})

test('deleting a page removes its links', async () => {
  const { texts } = await run(site, 'Delete the page cli/install and the links to it.')
  assert.equal(texts['cli/install.mdx'], undefined)
  assert.match(texts['index.mdx'] ?? '', /and install\./)
  assert.doesNotMatch(texts['docs.json'] ?? '', /install/)
})

const fields: readonly (readonly [prompt: string, before: string, after: string])[] = [
  [
    'Set the title of p.mdx to "New: one"',
    '---\r\ntitle: Old # c\r\nicon: x\r\n---\r\n',
    '---\r\ntitle: "New: one" # c\r\nicon: x\r\n---\r\n',
  ],
  ['Set the title of p.mdx to "New"', "---\ntitle: 'Old'\n---\n", "---\ntitle: 'New'\n---\n"],
  [
    'Set the description of p.mdx to "New"',
    '---\ntitle: T\ndescription: >\n  Long\n  text\nicon: x\n---\nB\n',
    '---\ntitle: T\ndescription: "New"\nicon: x\n---\nB\n',
  ],
  ['Set the description of p.mdx to "New"', '---\ntitle: T\n---\nB\n', '---\ntitle: T\ndescription: New\n---\nB\n'],
  [
    'Set the description of p.mdx to "New"',
    '---\ndescription:\ntitle: T\n---\nB\n',
    '---\ndescription: New\ntitle: T\n---\nB\n',
  ],
  ['Set the description of p.mdx to "New"', '---\n---\nB\n', '---\ndescription: New\n---\nB\n'],
  ['Set the title of p.mdx to "New"', '# Hi\n', '---\ntitle: New\n---\n\n# Hi\n'],
  ['Set the title of p.mdx to "New"', '\n\n# Hi\n\n', '---\ntitle: New\n---\n\n\n\n# Hi\n\n'],
  ['Set the title of p.mdx to "true"', '', '---\ntitle: "true"\n---\n'],
  ['Set hidden of p.mdx to true', '---\ntitle: T\n---\n', '---\ntitle: T\nhidden: true\n---\n'],
]

for (const [prompt, before, after] of fields) {
  test(`setting a field: ${prompt}, from ${JSON.stringify(before)}`, async () => {
    assert.equal((await run({ 'p.mdx': before }, prompt)).texts['p.mdx'], after)
  })
}

const nothing: readonly (readonly [prompt: string, reason: RegExp])[] = [
  ['Rename "Nowhere" to "Somewhere"', /“Nowhere” was not found\./],
  ['Rename "CI" to "CI"', /would stay the same/],
  ['Move guides/nowhere to guides/x', /no page “guides\/nowhere”/],
  ['Move guides/nowhere to guides/ci', /guides\/ci\.mdx is there already/],
  ['Move guides/ci.mdx to guides/ci', /at this path already/],
  ['Move guides/ci.mdx to index', /file at index\.mdx already/],
  ['Delete the page nowhere', /Nothing was deleted/],
  ['Set the title of guides/ci to "CI"', /“CI” already/],
  ['Move guides/ci.mdx to ../../etc/passwd', /refused/],
  ['Thanks!', /does not ask for a change/],
]

for (const [prompt, reason] of nothing) {
  test(`nothing changes, and the reason is given: ${prompt}`, async () => {
    const { finish, changed } = await run(site, prompt)
    assert.deepEqual(changed, {})
    assert.ok(finish.kind === 'no_change', JSON.stringify(finish))
    assert.match(finish.reason, reason)
  })
}

test('the summary lists instructions that changed nothing', async () => {
  const { finish } = await run(site, 'Rename "Nowhere" to "X". Then set the title of guides/ci.mdx to "Pipelines".')
  assert.ok(finish.kind === 'change')
  assert.equal(finish.title, 'Set the title of guides/ci.mdx')
  assert.match(
    finish.summary,
    /- Set the title of guides\/ci\.mdx to “Pipelines”\.\n\nLeft as it is:\n- “Nowhere” was not found\./,
  )
})

const example = join(import.meta.dirname, '../../../../examples/docs')

test(
  'on the example site a rename leaves code and addresses, and every page still parses',
  { skip: !existsSync(example) },
  async () => {
    const { changed, texts, finish } = await run(
      readFolder(example),
      `${rename} everywhere. Move cli/install to installation/cli.`,
    )
    assert.ok(finish.kind === 'change')
    assert.ok(Object.keys(changed).length > 5)
    const pages = Object.entries(texts).filter(([path]) => path.endsWith('.mdx'))
    const prose = pages
      .flatMap(([, text]) => text.replace(/^ *(`{3,})[^]*?^ *\1/gm, '').split('\n'))
      .filter((line) => /Acme CLI/.test(line))
    assert.deepEqual(
      prose.filter((line) => !line.includes('`')),
      [],
    )
    assert.equal(texts['cli/install.mdx'], undefined)
    assert.doesNotMatch(pages.map(([, text]) => text).join('\n'), /\]\([^)]*cli\/install/)
  },
)
