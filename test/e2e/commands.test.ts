// Commands against one running service: how the project is chosen, instructions, pull requests, and the browser.

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Environment } from '../../src/config/environment.ts'
import type { Project } from '../../src/projects/projects.ts'
import { runCommand } from '../support/command.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let running: OneService
let projectId: string

before(async () => {
  running = await startOneService({ 'index.md': '# Acme CLI\n\nUse the Acme CLI.\n' })
  projectId = running.client.projectId
})
after(() => running.close())

const rename = 'Rename "Acme CLI" to "Acme Command"'

function docent(args: readonly string[], extra: Environment = {}, options: Parameters<typeof runCommand>[2] = {}) {
  return runCommand(args, { ...running.environment, ...extra }, options)
}

async function json<T>(args: readonly string[], options: Parameters<typeof runCommand>[2] = {}): Promise<T> {
  const ran = await docent([...args, '--json'], {}, options)
  assert.equal(ran.code, 0, ran.stderr)
  return JSON.parse(ran.stdout) as T
}

test('a project is given by name, by DOCENT_PROJECT, or is the only one', async (t) => {
  const only = await docent(['job', 'list'])
  assert.deepEqual([only.code, only.stderr], [0, ''])
  const repository = ['--repository', running.repository]
  const made = await json<{ projectId: string }>(['project', 'create', '--name', 'Second', ...repository])
  t.after(() => docent(['project', 'delete', made.projectId, '--yes']))
  const several = await docent(['job', 'list'])
  assert.equal(several.code, 2)
  assert.match(several.stderr, new RegExp(`choose one with --project or DOCENT_PROJECT[^]*${made.projectId}  Second`))
  assert.equal((await docent(['job', 'list', '--project', 'Second'])).code, 0)
  assert.equal((await docent(['job', 'list'], { DOCENT_PROJECT: 'Second' })).code, 0)
  assert.match((await docent(['project', 'show'], { DOCENT_PROJECT: made.projectId })).stdout, /^name +Second$/m)
  const unknown = await docent(['job', 'list', '--project', 'Third'])
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /No project has the name Third\. The projects are:\n {2}prj_/)
  await json(['project', 'create', '--name', 'Second', ...repository]).then((twin) =>
    t.after(() => docent(['project', 'delete', (twin as { projectId: string }).projectId, '--yes'])),
  )
  const twins = (await docent(['job', 'list', '--project', 'Second'])).stderr
  assert.match(twins, /Several projects have the name Second: give --project one of these ids\./)
  assert.equal(twins.match(/^ {2}prj_\w+ {2}Second {2}\S+\/\S+$/gm)?.length, 2, 'each with its repository')
})

test('a project is shown without raw JSON and without nulls', async () => {
  const { stdout } = await docent(['project', 'show', projectId])
  assert.match(stdout, /^budget +default$/m)
  assert.match(stdout, /^branch +default$/m)
  assert.doesNotMatch(stdout, /null|[{}[\]]/)
  await docent(['project', 'update', projectId, '--budget', 'turns=9', '--deny', 'legal/', 'old/'])
  const changed = await docent(['project', 'show', projectId])
  assert.match(changed.stdout, /^budget +turns=9$/m)
  assert.match(changed.stdout, /^pathPolicy +deny=legal\/, old\/$/m)
  await docent(['project', 'update', projectId, '--reset', 'budget', 'pathPolicy'])
  const options = [
    '--draft',
    'yes',
    '--label',
    'docs',
    'good first issue',
    '--reviewer',
    'octocat',
    '--co-authors',
    'nobody',
    '--on-budget-end',
    'publish',
  ]
  const asked = await docent(['project', 'update', projectId, ...options])
  assert.match(
    asked.stdout,
    /^pullRequest +draft=true, labels=docs, good first issue, reviewers=octocat, autoMerge=false, deleteBranch=merged, onFailedChecks=ignore, branchPrefix=docent\/$/m,
  )
  assert.match(asked.stdout, /^coAuthors +nobody$/m)
  assert.match(asked.stdout, /^onBudgetEnd +publish$/m)
  assert.match((await docent(['project', 'update', projectId, '--draft', 'maybe'])).stderr, /Write yes or no/)
  await docent(['project', 'update', projectId, '--reset', 'pullRequest', 'coAuthors', 'onBudgetEnd'])
})

test('a project says which paths jobs may change, what texts get, and by which rule', async (t) => {
  const paths = ['docs/a.md', 'docs/package.json', '.github/workflows/docs.yml']
  const ask = ['project', 'policy', ...paths, '--project', projectId]
  const { stdout } = await docent(ask)
  assert.match(stdout, /^docs\/a\.md +allowed +is allowed: no rule refuses it$/m)
  assert.match(stdout, /^docs\/package\.json +protected +is protected: a manifest or lock file of JavaScript$/m)
  await docent(['project', 'update', projectId, '--unprotect', 'docs/package.json', '.github/workflows/*.yml'])
  const verdicts = await json<readonly { readonly path: string; readonly rule: string }[]>(ask)
  assert.deepEqual(
    verdicts.map(({ path, rule }) => [path, rule]),
    [
      ['docs/a.md', 'default'],
      ['docs/package.json', 'unprotect'],
      ['.github/workflows/docs.yml', 'unprotect'],
    ],
  )
  const folder = await temporaryFolder('policy')
  t.after(() => removeFolder(folder))
  await mkdir(join(folder, 'docs'))
  const file = join(folder, 'docs/b.md')
  await writeFile(file, '# B\n\n<script>x()</script>\n\nSee https://other.example.\n')
  const judge = ['project', 'policy', '--file', file, '--root', folder, '--project', projectId]
  const judged = (await docent(judge)).stdout
  assert.match(
    judged,
    /^docs\/b\.md +refused +line 3 adds a script\n +line 3 adds code to a script\n +line 5 leads to other\.example$/m,
  )
  assert.match(judged, /^These verdicts rest on: Only what was sent, because no job has left/m)
  const { files } = await json<{ readonly files: readonly { readonly rule: string; readonly line: number }[] }>(judge)
  assert.deepEqual([files[0]?.rule, files[0]?.line], ['content', 3])
  assert.match((await docent([...judge.slice(0, 4), '--project', projectId])).stderr, /is not in \.: name the folder/)
  const content = ['--image-host', 'img.shields.io', '--path-policy', 'deletedPercent=20']
  const { pathPolicy } = await json<Pick<Project, 'pathPolicy'>>(['project', 'update', projectId, ...content])
  assert.deepEqual([pathPolicy.imageHosts, pathPolicy.deletedPercent], [['img.shields.io'], 20])
  const refused = await docent(['project', 'update', projectId, '--unprotect', 'docs/**'])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /pathPolicy\.unprotect\.0.* has a `\*\*`; name the folders/)
  await docent(['project', 'update', projectId, '--reset', 'pathPolicy'])
})

const anotherProject = ['project', 'create', '--name', 'Another'] as const

test('an instruction comes from standard input, from a file, or from the line', async (t) => {
  type Job = { readonly id: string }
  const path = join(running.folder, 'prompt.md')
  await writeFile(path, `${rename}\n`)
  const readInput = () => Promise.resolve(`${rename} \n`)
  const ids: string[] = []
  for (const [args, prompt] of [
    [['--prompt', '-'], `${rename} \n`],
    [['--prompt', `@${path}`], `${rename}\n`],
    [['--file', path], `${rename}\n`],
  ] as const) {
    const { id } = await json<Job>(['job', 'create', ...args, '--project', projectId], { readInput })
    const [first] = await running.client.messages(id)
    assert.equal(first?.prompt.trim(), prompt.trim())
    await running.client.ended(id)
    ids.push(id)
  }
  const missing = await docent(['job', 'create', '--prompt', '@/nowhere', '--project', projectId])
  assert.deepEqual([missing.code, missing.stderr.startsWith('docent: The instruction cannot be read')], [2, true])

  const other = await json<{ projectId: string }>([...anotherProject, '--repository', running.repository])
  t.after(() => docent(['project', 'delete', other.projectId, '--yes']))
  const [id = ''] = ids
  assert.equal((await json<Job>(['job', 'show', id])).id, id, 'a job is found in all projects')
  assert.match((await docent(['job', 'events', id])).stdout, /"type":"job_ended"/)
  assert.match((await docent(['job', 'show', 'job_nowhere'])).stderr, /No project has the job job_nowhere\./)
  assert.match((await docent(['job', 'show', id, '--project', other.projectId])).stderr, /no such job/)
})

test('pull requests are listed, shown, compared, updated, merged and closed', async () => {
  const first = await running.client.ended((await running.client.create(rename)).id)
  const second = await running.client.ended((await running.client.create('Rename "CLI" to "Tool"')).id)
  const pulls = await running.client.pulls()
  const [mine, other] = [first, second].map((job) => pulls.find((one) => one.jobId === job.id))
  assert.ok(mine && other)
  const list = await docent(['pull', 'list'])
  assert.match(list.stdout, /^PULL +FORGE +STATE +TITLE/)
  assert.match(list.stdout, new RegExp(`^#${mine.number} +docent +open +.*${first.id}`, 'm'))
  assert.match(
    (await docent(['pull', 'show', String(mine.number)])).stdout,
    /^state +open$[^]*^base +main has nothing that is not in the branch/m,
  )
  assert.match((await docent(['pull', 'diff', String(mine.number)])).stdout, /^\+Use the Acme Command\.$/m)
  const updated = await docent(['pull', 'update', String(mine.number)])
  assert.match(updated.stdout, new RegExp(`^#${mine.number} has all of main now: `))
  const diff = await json<{ files: readonly { path: string }[] }>(['pull', 'diff', String(mine.number)])
  assert.deepEqual(
    diff.files.map(({ path }) => path),
    ['index.md'],
  )
  assert.match(
    (await docent(['pull', 'merge', String(mine.number)])).stdout,
    new RegExp(`^Merged #${mine.number} into main`),
  )
  const comment = await docent(['pull', 'comment', String(other.number), 'index.md:1', 'Thanks!'])
  assert.equal(comment.stdout, 'Sent the comment on line 1 of index.md to the job.\n')
  assert.equal((await docent(['pull', 'comment', String(other.number), 'index.md', 'Thanks!'])).code, 2)
  await running.client.ended(other.jobId)
  const closed = await json<{ state: string }>(['pull', 'close', String(other.number)])
  assert.equal(closed.state, 'closed')
  assert.equal((await docent(['pull', 'merge', String(other.number)])).code, 1)
  assert.equal((await docent(['pull', 'show', 'x'])).code, 2)
})

test('the pull request of a job opens in the browser, and its address is printed', async () => {
  const job = await running.client.ended((await running.client.create('Rename "Use" to "Try"')).id)
  const opened: string[] = []
  const openInBrowser = (address: string) => Promise.resolve(void opened.push(address))
  const { stdout } = await docent(['job', 'open', job.id], {}, { openInBrowser })
  assert.deepEqual([opened, stdout], [[job.prLink], `${job.prLink}\n`])
  const failing = await docent(['job', 'open', job.id], {}, { openInBrowser: () => Promise.reject(new Error('no')) })
  assert.deepEqual([failing.code, failing.stdout], [0, `${job.prLink}\n`])
  const without = await running.client.ended((await running.client.create('Write me a poem')).id)
  assert.match((await docent(['job', 'open', without.id])).stderr, /has no pull request to open/)
})
