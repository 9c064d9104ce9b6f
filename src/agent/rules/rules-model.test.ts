import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { createMemoryWorkspace, type MemoryFile } from '../../../test/support/memory-workspace.ts'
import { newRun, runRules, shownNotice, user } from '../../../test/support/rules-loop.ts'
import { Failure } from '../../lib/failure.ts'
import type { FinishRefusal } from '../tool.ts'
import { pullRequestNotice } from '../notices/notices.ts'
import { createRulesModel } from './rules-model.ts'

async function run(files: Readonly<Record<string, MemoryFile>>, prompt: string) {
  const workspace = createMemoryWorkspace(files)
  const ran = await runRules({ model: createRulesModel(), workspace, prompt: [user(prompt)] })
  const texts = workspace.texts()
  const before = createMemoryWorkspace(files).texts()
  const changed = Object.fromEntries(Object.entries(texts).filter(([path, text]) => before[path] !== text))
  return { ...ran, texts, changed }
}

const rename = 'Rename "Acme CLI" to "Acme Command"'

const site = {
  'index.mdx': '---\ntitle: Home\n---\n\nText\n',
  'guides/ci.mdx': '---\ntitle: CI\n---\n\n[up](../index)\n',
}

test('both methods refuse a message that is not understood before any call', async () => {
  const model = createRulesModel()
  const prompt = [user('Rename "a" to "b". Then write a poem about it.')]
  const isRefusal = (error: unknown): boolean => {
    assert.ok(error instanceof Failure)
    assert.equal(error.code, 'model_not_configured')
    assert.match(error.message, /“write a poem about it”[^]*Move cli\/install\.mdx[^]*DOCENT_MODEL=anthropic/)
    return true
  }
  await assert.rejects(async () => await model.doGenerate({ prompt }), isRefusal)
  await assert.rejects(async () => await model.doStream({ prompt }), isRefusal)
})

test('an aborted call is rejected', async () => {
  const abortSignal = AbortSignal.abort(new Error('stop'))
  await assert.rejects(async () => await createRulesModel().doGenerate({ prompt: [user('Hi')], abortSignal }), /stop/)
})

test('the stream equals the plain response, and both cost nothing', async () => {
  const model = createRulesModel()
  const prompt = [user(rename)]
  const { content, usage } = await model.doGenerate({ prompt })
  const { stream } = await model.doStream({ prompt })
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  assert.deepEqual(
    parts.map((part) => part.type),
    ['stream-start', 'text-start', 'text-delta', 'text-end', 'tool-call', 'finish'],
  )
  assert.deepEqual(
    parts.filter((part) => part.type === 'tool-call'),
    content.filter((part) => part.type === 'tool-call'),
  )
  assert.deepEqual(new Set([usage.inputTokens, usage.outputTokens].flatMap(Object.values)), new Set([0]))
  assert.deepEqual(
    parts.flatMap((part) => (part.type === 'finish' ? [part.usage] : [])),
    [usage],
  )
})

const many = Object.fromEntries(
  Array.from({ length: 130 }, (_, index) => [
    `p/${String(index).padStart(3, '0')}.mdx`,
    `---\ntitle: Page ${index}\n---\n\n## The Acme CLI\n\nAcme CLI ${index}.\n`,
  ]),
)

test('the calls are the same if another model continues after any turn', async () => {
  const prompt = `${rename}. Move p/000 to q/zero. Set the title of p/001 to "One".`
  const whole = await run(many, prompt)
  assert.ok(whole.turns.length > 8 && whole.turns.length < 25, String(whole.turns.length))
  for (const [turn, calls] of whole.turns.entries()) {
    const cut = whole.prompt.slice(0, 1 + turn * 2)
    const { content } = await createRulesModel().doGenerate({ prompt: cut })
    assert.deepEqual(
      content.filter((part) => part.type === 'tool-call'),
      calls,
    )
  }
  assert.equal(new Set(whole.turns.flat().map(({ toolCallId }) => toolCallId)).size, whole.turns.flat().length)
})

test('a message in the middle of a run is done before it finishes, wherever it arrives', async () => {
  const whole = await run(many, rename)
  for (let turn = 2; turn <= whole.turns.length; turn++) {
    const workspace = createMemoryWorkspace(many)
    const arriving = new Map([[turn, 'Set the title of p/001 to "One"']])
    const { finish } = await runRules({ model: createRulesModel(), workspace, prompt: [user(rename)], arriving })
    assert.ok(
      finish.kind === 'change' && finish.summary.includes('130 files') && finish.summary.includes('“One”'),
      `turn ${turn}`,
    )
    assert.match(workspace.text('p/001.mdx') ?? '', /title: One\n---\n\n## The Acme Command\n\nAcme Command 1/)
  }
})

test('a follow-up is handled alone; a report of checks gets the same finish', async () => {
  const workspace = createMemoryWorkspace(site)
  const model = createRulesModel()
  const first = await runRules({ model, workspace, prompt: [user('Set the title of guides/ci to "A"')] })
  const notice = user('<notice>The checks found a problem.</notice>')
  const again = await runRules({ model, workspace, prompt: [...first.prompt, notice] })
  assert.deepEqual(again.finish, first.finish)
  const second = await runRules({
    model,
    workspace,
    prompt: [...again.prompt, newRun(), user('Rename "Home" to "Welcome"')],
  })
  assert.ok(second.finish.kind === 'change')
  assert.equal(second.finish.title, 'Rename "Home" to "Welcome"')
  assert.doesNotMatch(second.finish.summary, /title of/)
})

test('the text of a pull request keeps what earlier runs of its branch did', async () => {
  const model = createRulesModel()
  const workspace = createMemoryWorkspace(site)
  const present = { title: 'Set the title and 1 more', summary: '- Set it.\n\nMade by a person.' }
  const prompt = [newRun(), shownNotice(pullRequestNotice(present)), user('Rename "Home" to "Welcome"')]
  const { finish } = await runRules({ model, workspace, prompt })
  assert.ok(finish.kind === 'change')
  assert.equal(finish.title, 'Set the title and 2 more')
  assert.match(finish.summary, /^- Set it\.\n\nMade by a person\.\n\n- .*Welcome[^]*language model\.$/)
})

test('a title names everything that was done, as far as there is room', async () => {
  const finishOf = async (prompt: string, present?: { readonly title: string; readonly summary: string }) => {
    const notices = present ? [newRun(), shownNotice(pullRequestNotice(present))] : []
    const workspace = createMemoryWorkspace(site)
    const { finish } = await runRules({ model: createRulesModel(), workspace, prompt: [...notices, user(prompt)] })
    assert.ok(finish.kind === 'change')
    return finish.title
  }
  const rename = 'Rename "Home" to "Welcome"'
  const long = 'x'.repeat(60)
  assert.equal(
    await finishOf(`Set the title of guides/ci to "A". ${rename}.`),
    'Set the title of guides/ci, rename "Home" to "Welcome"',
  )
  assert.equal(
    await finishOf(`${rename}.`, { title: 'Fix 1 broken link', summary: '' }),
    `Fix 1 broken link, r${rename.slice(1)}`,
  )
  assert.equal(
    await finishOf(`Rename "Home" to "${long}". Rename "CI" to "${long}".`),
    `Rename "Home" to "${long}" and 1 more`,
  )
})

test('a message that is not understood does not stand in the way of the next', async () => {
  const workspace = createMemoryWorkspace(site)
  const prompt = [user('Write a poem'), newRun(), user('Rename "Home" to "Welcome"')]
  const { finish } = await runRules({ model: createRulesModel(), workspace, prompt })
  assert.ok(finish.kind === 'change')
  assert.match(finish.summary, /Not understood and not done: “Write a poem”/)
})

test('a new run restarts the work that the previous run did not finish', async () => {
  const workspace = createMemoryWorkspace(many)
  const model = createRulesModel()
  const failed = await runRules({ model, workspace, prompt: [user(rename)], maxTurns: 7 }).catch(() => undefined)
  assert.equal(failed, undefined)
  const whole = await run(many, rename)
  const cut = whole.prompt.slice(0, 1 + 7 * 2)
  const resumed = await runRules({
    model,
    workspace,
    prompt: [...cut, newRun(), user('continue')],
  })
  assert.equal(resumed.finish.kind, 'change')
  assert.deepEqual(workspace.texts(), whole.texts)
})

test('a new run does finished work again if no finish was accepted', async () => {
  const whole = await run(site, 'Set the title of guides/ci to "A"')
  const workspace = createMemoryWorkspace(site)
  const beforeFinish = whole.prompt.slice(0, -2)
  const resumed = await runRules({ model: createRulesModel(), workspace, prompt: [...beforeFinish, newRun()] })
  assert.equal(resumed.finish.kind, 'change')
  assert.deepEqual(workspace.texts(), whole.texts)
})

test('a page at the root is meant before pages of the same name in folders', async () => {
  const { changed } = await run({ ...site, 'ci.mdx': site['guides/ci.mdx'] }, 'Set the title of ci.mdx to "A"')
  assert.deepEqual(Object.keys(changed), ['ci.mdx'])
})

test('a search in an earlier run without an edit does not count as a change', async () => {
  const whole = await run(many, rename)
  const resumed = await runRules({
    model: createRulesModel(),
    workspace: createMemoryWorkspace({ 'docs/other.mdx': 'Nothing to rename.' }),
    prompt: [...whole.prompt.slice(0, 1 + 2), newRun(), user('continue')],
  })
  assert.equal(resumed.finish.kind, 'no_change')
})

function facts(refusal: FinishRefusal) {
  return { providerOptions: { docent: { refusal } } }
}

test('the rules recognise no sentence of the loop or of a tool', async () => {
  const deep = 'd'.repeat(240)
  const long = `---\ntitle: Long\n---\n\n${`${'word '.repeat(20)}\n`.repeat(900)}Acme CLI\n`
  const files = {
    // The list of these paths is longer than one result.
    ...Object.fromEntries(Array.from({ length: 220 }, (_, index) => [`p/${deep}${index}.mdx`, `Acme CLI ${index}\n`])),
    'p/1.mdx': 'One\n',
    'p/2.mdx': 'Two\n',
    'long.mdx': long,
    'hidden.mdx': 'Acme CLI \u200b\n',
    'wide.mdx': `Acme CLI ${'x'.repeat(60_000)}\n`,
    'links.mdx': '[one](p/1.mdx) [two](p/2.mdx)\n\nimport x from "./p/2.mdx"\n',
  }
  const prompt = [user(`${rename}. Move p/1.mdx to q/one.mdx. Delete p/2.mdx.`)]
  const plain = createMemoryWorkspace(files)
  const said = await runRules({ model: createRulesModel(), workspace: plain, prompt })
  const reworded = createMemoryWorkspace(files)
  const reword = (text: string) => text.replace(/^\[.*\]/, '[…]')
  const received = await runRules({ model: createRulesModel(), workspace: reworded, prompt, reword })
  assert.deepEqual(received.finish, said.finish)
  assert.deepEqual(reworded.texts(), plain.texts())
  assert.match(plain.text('long.mdx') ?? '', /Acme Command/)
  assert.equal(plain.text('hidden.mdx'), 'Acme Command \u200b\n')
  assert.match(JSON.stringify(said.finish), /updated 1 reference in 1 file: links\.mdx.*222 files/)
  assert.match(plain.text('wide.mdx') ?? '', /^Acme CLI/)
})

test('a finish that the service refuses is tried in the other form', async () => {
  const prompt = [user('Set the title of p.mdx to "A"')]
  const workspace = createMemoryWorkspace({ 'p.mdx': '# p\n' })
  const { prompt: done } = await runRules({ model: createRulesModel(), workspace, prompt })
  const results = done.at(-1)
  assert.ok(results?.role === 'tool')
  const [result] = results.content
  assert.ok(result?.type === 'tool-result')
  const refused = {
    ...result,
    output: { type: 'error-text' as const, value: 'Not finished.' },
    ...facts('nothing_changed'),
  }
  const { content } = await createRulesModel().doGenerate({
    prompt: [...done.slice(0, -1), { role: 'tool', content: [refused] }],
  })
  assert.match(JSON.stringify(content), /noChange.*cancel each other out/)
  assert.doesNotMatch(JSON.stringify(content), /Set the title/)
  const other = {
    ...result,
    output: { type: 'error-text' as const, value: 'Not finished.' },
    ...facts('files_changed'),
  }
  const thanks = await runRules({ model: createRulesModel(), workspace, prompt: [user('Thanks')] })
  const answered = [
    ...thanks.prompt.slice(0, -1),
    { role: 'tool' as const, content: [{ ...other, toolCallId: 'rules_1_1' }] },
  ]
  const flipped = await createRulesModel().doGenerate({ prompt: answered })
  assert.match(JSON.stringify(flipped.content), /title/)
})

test('turns of another model are passed over', async () => {
  const call = { type: 'tool-call' as const, toolCallId: 'x', toolName: 'list_files', input: {} }
  const result = {
    type: 'tool-result' as const,
    toolCallId: 'x',
    toolName: 'list_files',
    output: { type: 'text' as const, value: '[1 file]' },
  }
  const prompt = [
    user(rename),
    { role: 'assistant' as const, content: [call] },
    { role: 'tool' as const, content: [result] },
  ]
  const workspace = createMemoryWorkspace({ 'a.md': 'Acme CLI' })
  assert.equal((await runRules({ model: createRulesModel(), workspace, prompt })).finish.kind, 'change')
})

test('500 of 5,000 pages are changed in few turns and little time', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [
      `p/${index}.mdx`,
      `---\ntitle: P\n---\n\n${index % 10 === 0 ? 'The Acme CLI.' : 'Text.'}\n`,
    ]),
  )
  const { turns, changed } = await run(files, rename)
  assert.equal(Object.keys(changed).length, 500)
  assert.ok(turns.length <= 25, String(turns.length))
})
