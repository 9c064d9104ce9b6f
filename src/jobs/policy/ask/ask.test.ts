import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import type { Git } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { policyOf } from '../judge-edits.ts'
import { createPolicyQuestions } from './ask.ts'

const project = {
  id: 'prj_00000000000000000000',
  fork: null,
  repository: 'https://git.example/docs.git',
  pathPolicy: policyOf({ path_policy: '{}' }),
}

async function open(t: TestContext, limits?: { readonly timeMs: number }) {
  const postgres = await openTestDatabase()
  const questions = createPolicyQuestions({ db: postgres.db, git: {} as Git }, limits)
  t.after(async () => {
    await questions.close()
    await postgres.close()
  })
  return questions
}

const aliases = Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')
/** They take long to judge, or have the most findings. */
const worst: readonly (readonly [path: string, text: string])[] = [
  ['a.md', '<iframe src="<iframe'.repeat(24_000)],
  ['mkdocs.yml', `a0: &a0 [x]\n${aliases}`],
  ['docs/_redirects', '/a //b\n'.repeat(70_000)],
]

test('no question keeps the service from answering for a tenth of a second', async (t) => {
  const questions = await open(t, { timeMs: 2_000 })
  const ask = async (path: string, text: string) => {
    const asked = questions.ask(project, [{ path, text }])
    await asked.catch((error: unknown) => assert.ok(error instanceof Failure && error.code === 'invalid_input'))
  }
  await ask('a.md', '# A\n')
  for (const [path, text] of worst) {
    const times: number[] = []
    // A busy machine takes longer at times.
    for (let tries = 0; tries < 3; tries += 1) {
      const start = process.threadCpuUsage()
      await ask(path, text)
      const { user, system } = process.threadCpuUsage(start)
      times.push((user + system) / 1_000)
    }
    assert.ok(Math.min(...times) < 100, `${path} ${text.slice(0, 20)}: ${times.join(', ')} ms`)
  }
})

test('a file with many findings lists the first ones, and says how many more there are', async (t) => {
  const questions = await open(t)
  const text = Array.from({ length: 60 }, (_, at) => `/a${at} https://b.example/${at}\n`).join('')
  const { files } = await questions.ask(project, [{ path: 'docs/_redirects', text }])
  assert.deepEqual([files[0]?.findings.length, files[0]?.more], [50, 10])
})

test('files that take too long are refused, and the next ones are judged', async (t) => {
  const hasty = await open(t, { timeMs: 0 })
  const files = [{ path: 'a.md', text: '# A\n' }]
  await assert.rejects(hasty.ask(project, files), { code: 'invalid_input', message: /take more than 0 seconds/ })
  const questions = await open(t)
  const { files: verdicts } = await questions.ask(project, files)
  assert.deepEqual(
    verdicts.map(({ result }) => result),
    ['allowed'],
  )
})

test('questions that find the line full are refused', async (t) => {
  const questions = await open(t)
  const asked = await Promise.allSettled(
    Array.from({ length: 22 }, () => questions.ask(project, [{ path: 'a.md', text: '# A\n' }])),
  )
  const refused = asked.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 1)
})
