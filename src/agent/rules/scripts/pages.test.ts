import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { runRules, user } from '../../../../test/support/rules-loop.ts'
import { textOf } from '../../tool.ts'
import { EditRefused } from '../../refused-edit.ts'
import { createRulesModel } from '../rules-model.ts'

async function run(files: Readonly<Record<string, string>>, prompt: string) {
  const workspace = createMemoryWorkspace(files)
  const { finish } = await runRules({ model: createRulesModel(), workspace, prompt: [user(prompt)] })
  return {
    paths: Object.keys(workspace.texts()).toSorted(),
    workspace,
    words: textOf(finish),
  }
}

const files = {
  'docs/docs.json': '{"theme":"mint"}',
  'docs/cli/install.mdx': 'x',
  'docs/cli/use.mdx': '[x](install)',
  'docs/g/use.mdx': 'x',
  'docs/i.png': 'x',
  'docs/h/index.mdx': 'x',
}

const moves: readonly (readonly [prompt: string, gone: string, made: string])[] = [
  ['Move cli/install to g/setup', 'docs/cli/install.mdx', 'docs/g/setup.mdx'],
  ['Move docs/cli/install.mdx to docs/g/setup', 'docs/cli/install.mdx', 'docs/g/setup.mdx'],
  ['Move the page install to the folder g', 'docs/cli/install.mdx', 'docs/g/install.mdx'],
  ['Move cli/install.mdx to g/', 'docs/cli/install.mdx', 'docs/g/install.mdx'],
  ['Move cli/install to g/v1.2', 'docs/cli/install.mdx', 'docs/g/v1.2.mdx'],
  ['Move cli/install.mdx to g/setup.md', 'docs/cli/install.mdx', 'docs/g/setup.md'],
  ['Move docs/i.png to docs/img/logo', 'docs/i.png', 'docs/img/logo.png'],
  ['Move the page h to g/h', 'docs/h/index.mdx', 'docs/g/h.mdx'],
]

for (const [prompt, gone, made] of moves) {
  test(`${prompt}: ${made}`, async () => {
    const { paths } = await run(files, prompt)
    assert.deepEqual(paths, [...Object.keys(files).filter((path) => path !== gone), made].toSorted())
  })
}

test('the report of a move names the files that were changed with it', async () => {
  assert.match(
    (await run(files, 'Move cli/install to g/setup')).words,
    /^- Moved docs\/cli\/install\.mdx to docs\/g\/setup\.mdx and updated 1 reference in 1 file: docs\/cli\/use\.mdx\.\n/,
  )
  assert.match((await run(files, 'Move docs/i.png to docs/j.png')).words, /to docs\/j\.png; nothing refers to it\./)
})

test('a name that may mean several pages is not guessed', async () => {
  const { paths, words } = await run(files, 'Delete the page use')
  assert.equal(paths.length, 6)
  assert.match(words, /“use” may be docs\/cli\/use\.mdx, docs\/g\/use\.mdx: name one of them in full/)
  assert.equal((await run({ ...files, 'use.mdx': 'x' }, 'Delete the page use')).paths.includes('use.mdx'), false)
})

test('the report of a deletion names the remaining references', async () => {
  const { words } = await run({ 'a.mdx': 'x', 'b.mdx': 'import A from "./a.mdx"\n' }, 'Delete a.mdx')
  assert.match(words, /- Deleted a\.mdx\.\n\nLeft as it is:\n- b\.mdx: still names it at line 1/)
})

test('the report of a move names the redirect', async () => {
  const redirects = '{"redirects":[{"source":"/o","destination":"/p"}]}'
  const { words } = await run({ ...files, 'docs/docs.json': redirects }, 'Move cli/install to g/setup')
  assert.match(words, /\n- Redirect from \/cli\/install to \/g\/setup in docs\/docs\.json\.\n/)
  const left = (await run({ ...files, 'docs/docs.json': '{"theme":"mint"}' }, 'Move cli/install to g/setup')).words
  assert.match(left, /Left as it is:\n- No redirect from \/cli\/install: the site keeps no redirects/)
})

test('a pull request has no words that the policy wrote for a model', async () => {
  const edit = { path: 'docs/g/use.mdx', line: null, message: 'is protected' }
  const workspace = createMemoryWorkspace({ ...files, 'docs/g/a.mdx': 'Acme\n', 'docs/g/use.mdx': 'Acme\n' })
  const guarded = {
    ...workspace,
    write: (path: string, content: Uint8Array) =>
      path === edit.path
        ? Promise.reject(
            new EditRefused(edit, 'Nothing was changed: it is protected. Do not look for another way: ask.'),
          )
        : workspace.write(path, content),
    remove: () => Promise.reject(new EditRefused(edit, 'Nothing was changed. Do not look for another way: ask.')),
  }
  for (const prompt of ['Replace "Acme" with "Beta"', 'Delete docs/g/use.mdx']) {
    const { finish } = await runRules({ model: createRulesModel(), workspace: guarded, prompt: [user(prompt)] })
    const words = textOf(finish)
    assert.match(
      words,
      /docs\/g\/use\.mdx (?:could not be edited|was not deleted): the policy refuses it: docs\/g\/use\.mdx is protected; no setting of the project allows it\./,
    )
    assert.doesNotMatch(words, /Do not look/)
  }
})
