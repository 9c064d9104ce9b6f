// Jobs on repositories of each host, over loopback forges with real repositories: a job opens one pull request, keeps it up
// to date, and knows what people did with it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgeKinds } from '../../src/forge/host.ts'
import type { CredentialReport } from '../../src/projects/access/access.ts'
import type { ProofStep } from '../../src/projects/access/prove.ts'
import type { PullNow } from '../../src/forge/own/response.ts'
import { commentsOf } from '../support/forge/azure/threads.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import { graceOn } from '../support/forge/subjects.ts'
import type { Pull } from '../support/forge/world.ts'
import { clientOf } from '../support/person.ts'
import { edit, finish, nothing, write } from '../support/scripted.ts'
import { isThorough, sampled } from '../support/rounds.ts'

type AccessCheck = { readonly steps: readonly ProofStep[] }

const template = '## Description\n\n<!-- What? -->\n\n## Checklist\n\n- [ ] Read\n'
const files = {
  'docs/a.md': '# A\n\nOne.\n',
  '.github/pull_request_template.md': template,
  '.gitlab/merge_request_templates/Default.md': template,
  '.azuredevops/pull_request_template.md': template,
}

/** Those that no test has used yet. */
let forges: TestForge[]
let service: ForgeService<string>
before(async () => {
  const kinds = [...forgeKinds, ...forgeKinds, 'github', 'github', 'github'] as const
  service = await startWithForges(
    kinds.map((kind, at) => [`${kind} ${at}`, { kind, files, switches: { isPrivate: true } }]),
    { DOCENT_PUBLIC_URL: 'https://docent.test' },
  )
  forges = [...service.forges.values()]
})
after(() => service.close())

/** The first forge of this kind that no test has used. */
async function connect(kind: TestForge['kind'], options?: { readonly isApp: boolean }) {
  const [forge] = forges.splice(
    forges.findIndex((one) => one.kind === kind),
    1,
  )
  assert.ok(forge)
  return { forge, ...(await connectForge(service, forge, options)) }
}

/** How the body begins and how the text ends, what the facts are marked with, and how a list in them is folded. */
const described = { begin: '## Description\n\n', end: '## Checklist\n\n- [ ] Read\n\n' }
const marked = { ...described, facts: '<!-- docent:facts ', folded: /<details>[^]*<\/details>/.source }
/** Its texts have no HTML, and its template is for people. */
const plain = { begin: '', end: '', facts: "Docent's facts begin here.\n", folded: /\*\*Titles [^]*/.source }

/** On Azure DevOps the facts are in a comment. */
const textOf = (pull: Pull) => [pull.body, ...commentsOf(pull).map(({ content }) => content)].join('\n\n')

for (const kind of isThorough ? forgeKinds : (['github'] as const)) {
  const { begin, end, facts, folded } = kind === 'bitbucket' ? plain : marked
  test(`a job opens one pull request on ${kind} and keeps it up to date`, async () => {
    const { forge, client, send } = await connect(kind)
    await send('PATCH', '', { pullRequest: { draft: true, labels: ['docs'], reviewers: [graceOn(kind)] } })
    const ada = await clientOf(service.running, client, { name: 'Ada Lovelace', email: `ada@${kind}.example` })
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    const job = await client.ended((await ada.create('Say two')).id)
    assert.equal(job.status, 'completed', JSON.stringify(job.error))
    const [pull] = forge.pulls
    assert.ok(pull)
    const shown = { number: pull.number, url: job.prLink, state: 'open', draft: true, mergedAt: null }
    assert.deepEqual(job.pullRequest, shown)
    assert.ok(job.prLink?.startsWith(`${forge.web}/`))
    assert.deepEqual([pull.labels, pull.reviewers], [kind === 'bitbucket' ? [] : ['docs'], ['grace']])
    assert.ok(pull.body.startsWith(`${begin}A summary.\n\n${end}${facts}`), pull.body)
    assert.match(
      textOf(pull),
      /\*\*Asked:\*\* `Say two`\n\n\*\*Pages: 1 changed:\*\*\n\n- changed `docs\/a\.md`\n\n[^]*\n\nDocent job \[job_\w+\]\(https:\/\/docent\.test\/projects\/prj_\w+\/jobs\/job_\w+\): /,
    )
    assert.equal(forge.remote.git(['show', `${pull.branch}:docs/a.md`]), '# A\n\nTwo.')

    pull.body = `Ada: looks good.\n\n${pull.body}`
    service.play(write('docs/b.md', '# B\n'), finish)
    const grace = await clientOf(service.running, client, { name: 'Grace\u2028<x@x>', email: `grace@${kind}.example` })
    const again = await client.ended((await grace.message(job.id, 'Add B')).id)
    assert.deepEqual([again.status, again.pullRequest], ['completed', shown])
    const named = forge.remote.git(['log', '-2', '--format=%(trailers:key=Co-authored-by,valueonly)', pull.branch])
    const lines = [`Ada Lovelace <ada@${kind}.example>`, `Grace x@x <grace@${kind}.example>`]
    assert.deepEqual(named.split(/\n+/), [...lines, lines[0]], 'each once, in the order of their messages')
    assert.equal(forge.pulls.length, 1)
    assert.ok(pull.body.startsWith(`Ada: looks good.\n\n${begin}A summary.\n`), pull.body)
    assert.match(
      textOf(pull),
      new RegExp(
        String.raw`\*\*Asked:\*\*\n\n- .Say two.\n- .Add B.\n\n${folded}\n\n\*\*Pages: 1 changed, 1 added:\*\*`,
      ),
    )
    assert.equal(pull.body.split(facts).length, 2, 'the facts are there once')
    assert.equal(commentsOf(pull).length, kind === 'azure' ? 1 : 0)

    const [listed] = await client.pulls()
    assert.deepEqual(
      [listed?.number, listed?.forge, listed?.title, listed?.state, listed?.link, listed?.base],
      [pull.number, kind, 'A title', 'open', job.prLink, 'main'],
    )
    const merging = client.call<{ detail: string }>(
      'POST',
      `/v1/projects/${client.projectId}/pulls/1/merge`,
      undefined,
      422,
    )
    assert.match((await merging).detail, new RegExp(`merge it there, at ${job.prLink}`))

    const path = `/v1/projects/${client.projectId}/pulls/${pull.number}`
    const theirs = forge.push('main', { 'docs/theirs.md': 'theirs\n' })
    const before = await client.call<PullNow>('GET', path)
    assert.deepEqual([before.behind?.commits, before.behind?.conflicts], [1, []])
    const updated = await client.call<PullNow>('POST', `${path}/update`)
    assert.deepEqual([updated.behind?.commits, updated.headCommit], [0, forge.remote.head(pull.branch)])
    assert.equal(forge.remote.git(['rev-parse', `${pull.branch}^2`]), theirs)
    assert.doesNotMatch(await client.diff(job.id), /theirs/)

    forge.merge(pull.number)
    await client.call('POST', `${path}/update`, undefined, 409)
    service.play(write('docs/c.md', '# C\n'), finish)
    await send('PATCH', '', { coAuthors: 'nobody' })
    // Unlike the pull requests of the project. Nobody has seen yet that the last one is merged.
    await client.call('POST', `/v2/agent/${client.projectId}/job/${job.id}/message`, { prompt: 'Add C', draft: false })
    const next = await client.ended(job.id)
    assert.deepEqual([next.status, forge.pulls.length], ['completed', 2])
    assert.deepEqual([next.pullRequest?.draft, forge.pulls[1]?.draft], [false, false])
    assert.doesNotMatch(forge.remote.git(['log', '-1', '--format=%B', next.source.ref ?? '']), /Co-authored-by/)
    assert.equal(next.source.ref, `docent/${job.id}-2`)
    assert.equal(next.pullRequest?.number, forge.pulls[1]?.number)
  })
}

/** An address of the account of the token. */
function emailOf({ kind, host }: TestForge): string {
  return kind === 'github' ? `ada@users.noreply.${host}` : 'docent-token@example.com'
}

// Bitbucket has neither assignees nor milestones.
for (const kind of sampled(['github', 'gitlab', 'gitea'] as const, 2)) {
  test(`the settings of the project name branch, title and author on ${kind}`, async () => {
    const { forge, client, send } = await connect(kind)
    const author = { name: 'Acme Docs', email: emailOf(forge) }
    const other = { signOff: true, author: { name: 'Eve', email: 'eve@example.com' } }
    await assert.rejects(send('PATCH', '', { commit: other }), /`commit\.signOff` is refused: their author is Eve/)
    await send('PATCH', '', {
      pullRequest: {
        branchPrefix: 'docs/DOC-',
        titlePrefix: 'Docs | ',
        assignees: ['grace', 'nobody'],
        milestone: 'Docs 2',
        autoMerge: true,
      },
      commit: { prefix: 'docs: ', author, signOff: true },
    })
    service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
    const job = await client.ended((await client.create('Say two')).id)
    const branch = `docs/DOC-${job.id}`
    assert.deepEqual([job.status, job.source.ref], ['completed', branch])
    assert.deepEqual([forge.pulls[0]?.title, forge.pulls[0]?.branch], ['Docs | A title', branch])
    assert.deepEqual(
      [forge.pulls[0]?.assignees, forge.pulls[0]?.milestone, forge.pulls[0]?.autoMerge],
      [['grace'], 'Docs 2', true],
    )
    assert.match(job.result?.text ?? '', /did not assign the account "nobody": .* --assignee NAME$/m)
    const show = (ref: string) => forge.remote.git(['log', '-1', '--format=%s, %an <%ae>, %cn <%ce>', ref])
    const person = `Acme Docs <${author.email}>`
    assert.equal(show(branch), `docs: A title, ${person}, ${person}`)
    const signed = forge.remote.git(['log', '-1', '--format=%(trailers:key=Signed-off-by,valueonly)', branch])
    assert.equal(signed.trim(), person)

    await send('PATCH', '', { pullRequest: { branchPrefix: 'other-' } })
    service.play(write('docs/b.md', '# B\n'), finish)
    await client.message(job.id, 'Add B')
    assert.equal((await client.ended(job.id)).source.ref, branch, 'a branch that exists keeps its name')
    forge.push('main', { 'docs/theirs.md': 'theirs\n' })
    await client.call('POST', `/v1/projects/${client.projectId}/pulls/1/update`)
    assert.equal(show(branch), `docs: Merge main into ${branch}, ${person}, ${person}`)
    assert.equal(forge.pulls.length, 1)

    forge.merge(1)
    service.play(write('docs/c.md', '# C\n'), finish)
    await client.message(job.id, 'Add C')
    assert.equal((await client.ended(job.id)).source.ref, `other-${job.id}-2`)
    const check = async () => {
      const { steps } = (await send('POST', '/credential/check', { write: true })) as AccessCheck
      return steps.map(({ step, state, detail }) => `${step} ${state}: ${detail}`).join('\n')
    }
    assert.match(await check(), /^push done: created other-check-/m)
    const { signingKey } = (await send('PUT', '/credential/signing-key')) as CredentialReport
    assert.ok(signingKey)
    assert.ok(signingKey.page?.startsWith(forge.web))
    assert.match(await check(), /^verify failed: \w+ does not verify the commit \(.*\)\. Enter the public key/m)
    const proof = (await send('POST', '/credential/signing-key/prove', { text: 'ab'.repeat(32) })) as {
      signature: string
    }
    assert.match(proof.signature, /^-----BEGIN SSH SIGNATURE-----\n/)
    await assert.rejects(send('POST', '/credential/signing-key/prove', { text: 'tree 4b825dc' }), /must be the text of/)
    forge.signingKeys.push(signingKey.publicKey)
    assert.match(await check(), /^verify done: \w+ shows the commit as verified$/m)
    assert.deepEqual(((await send('PUT', '/credential/signing-key')) as CredentialReport).signingKey, signingKey)
    service.play(write('docs/d.md', '# D\n'), finish)
    await client.message(job.id, 'Add D')
    await client.ended(job.id)
    const object = forge.remote.git(['cat-file', 'commit', `other-${job.id}-2`])
    assert.match(object, /^gpgsig -----BEGIN SSH SIGNATURE-----$/m)
  })
}

test('as a GitHub App a job publishes a signed commit, and no temporary ref stays', async () => {
  const { forge, client } = await connect('github', { isApp: true })
  const ada = await clientOf(service.running, client, { name: 'Ada Lovelace', email: 'ada@app.example' })
  service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
  const job = await client.ended((await ada.create('Say two')).id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  const branch = job.source.ref ?? ''
  const made = forge.requests.filter(({ route }) => route.endsWith('/git/commits') && route.startsWith('POST'))
  assert.equal(made.length, 1)
  assert.equal(
    forge.remote.git(['log', '--format=%(trailers)', '-1', branch]).trim(),
    `Docent-Job: ${job.id}/1\nCo-authored-by: Ada Lovelace <ada@app.example>`,
  )
  assert.equal(forge.remote.git(['for-each-ref', 'refs/docent']), '')
  assert.match(await client.diff(job.id), /^-One\.\n\+Two\.$/m)

  const theirs = forge.push(branch, { 'docs/theirs.md': 'theirs\n' })
  service.play(write('docs/b.md', '# B\n'), finish)
  const again = await client.ended((await client.message(job.id, 'Add B')).id)
  assert.equal(again.status, 'completed', JSON.stringify(again.error))
  assert.equal(forge.remote.git(['rev-parse', `${branch}^`]), theirs)
  assert.equal(forge.pulls.length, 1)

  const main = forge.push('main', { 'docs/main.md': 'main\n' })
  const path = `/v1/projects/${client.projectId}/pulls/1/update`
  const { headCommit } = await client.call<PullNow>('POST', path)
  assert.equal(headCommit, forge.remote.head(branch))
  assert.equal(forge.remote.git(['log', '-1', '--format=%P %an', branch]).split(' ')[1], main)
  const commits = forge.requests.filter(({ route }) => route.endsWith('/git/commits') && route.startsWith('POST'))
  assert.equal(commits.length, 3, 'GitHub made the merge, too')
  assert.equal(forge.remote.git(['for-each-ref', 'refs/docent']), '')
})

test('a change that is taken back closes the pull request', async () => {
  const { forge, client } = await connect('github')
  service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
  const job = await client.ended((await client.create('Say two')).id)
  service.play(edit('docs/a.md', 'Two.', 'One.'), finish)
  const back = await client.ended((await client.message(job.id, 'Take it back')).id)
  assert.deepEqual([back.outcome, back.prLink, back.pullRequest], ['no_changes', null, null])
  assert.equal(forge.pulls[0]?.state, 'closed')
})

test('a credential without the right to push fails before any request to the model', async () => {
  const { forge, client, send } = await connect('github')
  const asked = service.model.requests.length
  const { value } = forge.createToken({ rights: ['read'] })
  await send('PUT', '/credential', { forge: 'github', token: value })
  service.play(nothing)
  const job = await client.ended((await client.create('Say two')).id)
  assert.deepEqual([job.status, job.error?.code, job.usage.turns], ['failed', 'forge_right_missing', 0])
  assert.match(
    job.error?.message ?? '',
    /may not push branches\. Give the token the permission "Contents: Read and write"/,
  )
  assert.equal(service.model.requests.length, asked)
  // A person who repeats the message until it works has asked once.
  for (const prompt of ['Say two', 'In green', 'Say two']) await client.ended((await client.message(job.id, prompt)).id)
  await send('PUT', '/credential', { forge: 'github', token: forge.createToken({}).value })
  service.play(edit('docs/a.md', 'One.', 'Two.'), finish)
  const done = await client.ended((await client.message(job.id, 'Say two')).id)
  assert.equal(done.status, 'completed', JSON.stringify(done.error))
  const prompts = (service.model.requests.at(-1) ?? []).flatMap(({ role, content }) =>
    role === 'user' ? [content] : [],
  )
  assert.deepEqual(
    prompts.flatMap((text) => /(?:Say two|In green)$/.exec(String(text)) ?? []),
    ['In green', 'Say two'],
  )
})
