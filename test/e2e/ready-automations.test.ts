// A user turns on ready-made automations on the command line, and the built-in model does them: broken links, and names and
// values that the product has changed since.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { runCommand } from '../support/command.ts'
import { type ServedRepository, servedRepository } from '../support/git-source.ts'
import { type OneService, startOneService } from '../support/one-service.ts'

const docs = {
  'docs/use.md':
    '# Use\n\nSet `--max-lines`:\n\n```sh\nacme run --max-lines 5\n```\n\nA request is sent again: `--retries` (default `3`).\n',
  'docs/news.md': '# News\n\nSince 2.0, `--max-rows` replaces `--max-lines`.\n',
  'docs/webhooks.md': '# Webhooks\n\nSee [how to use it](./uses.md) and [the guide](./guide.md).\n\n![A](./logo.jpg)\n',
  'docs/logo.png': 'png',
}
const options = (name: string, retries: number) =>
  `export const options = {\n  "${name}": number(100),\n  "retries": number(${retries}),\n}\n`

suite('ready-made automations on the command line', () => {
  const cleanups: (() => unknown)[] = []
  let t: OneService
  let api: ServedRepository
  before(async () => {
    const cleanup = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) }
    const file = 'src/options.ts'
    api = await servedRepository(cleanup, { [file]: options('max-lines', 3) })
    t = await startOneService(docs, { DOCENT_PRIVATE_REPOSITORY_HOSTS: api.server.host })
    // After the pages, which would be right otherwise.
    api.remote.commit('main', { [file]: options('max-rows', 5) })
  })
  after(async () => {
    await t.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  const docent = (...args: readonly string[]) => runCommand(args, t.environment)
  async function ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await docent(...args)
    assert.deepEqual([code, stderr], [0, ''], stdout)
    return stdout
  }
  /** Returns the job of a new run, when it has ended. */
  async function run(name: string) {
    const { jobId } = JSON.parse(await ok('automation', 'run', name, '--json')) as AutomationRun
    return await t.client.ended(jobId ?? '')
  }
  const pullOf = async (jobId: string) => (await t.client.pulls()).find((pull) => pull.jobId === jobId)

  test('broken links are fixed where the check knows the target, and others are listed', async () => {
    const made = await ok('automation', 'create', '--kind', 'fix-broken-links')
    assert.match(made, /^name +Fix broken links$/m)
    assert.match(made, /^trigger +0 6 \* \* MON \(time zone of the project\)$/m)
    assert.match(made, /^instructions +those of its kind$/m)
    const job = await run('Fix broken links')
    assert.equal(job.outcome, 'pull_request', JSON.stringify(job.error))
    const diff = await t.client.diff(job.id)
    assert.match(diff, /^\+See \[how to use it\]\(\.\/use\.md\) and \[the guide\]\(\.\/guide\.md\)\.$/m)
    assert.match(diff, /^\+!\[A\]\(\.\/logo\.png\)$/m)
    const pull = await pullOf(job.id)
    assert.equal(pull?.title, 'Fix broken links: Fix 1 broken link, fix 1 broken image')
    assert.match(pull.body, /docs\/webhooks\.md:3 links to \.\/guide\.md, which does not exist/)
  })

  test('stale terms need a source, and are replaced where the page speaks of the present', async () => {
    const kinds = await ok('automation', 'kinds')
    assert.match(kinds, /^fix-broken-links +Fix broken links +0 6 \* \* MON +yes$/m)
    assert.match(kinds, /^stale-terms +.* no: it needs a source of the product/m)
    const refused = await docent('automation', 'create', '--kind', 'stale-terms')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /`kind` needs a source of the product .* `docent source add`/)
    await ok('source', 'add', 'api', '--repository', api.server.address)
    await ok('automation', 'create', 'Stale', '--kind', 'stale-terms', '--cron', '0 4 * * *')
    const job = await run('Stale')
    assert.equal(job.outcome, 'pull_request', JSON.stringify(job.error))
    const diff = await t.client.diff(job.id)
    assert.match(diff, /^\+Set `--max-rows`:$/m)
    assert.match(diff, /^\+acme run --max-rows 5$/m)
    assert.match(diff, /^\+A request is sent again: `--retries` \(default `5`\)\.$/m)
    assert.doesNotMatch(diff, /news\.md/)
    const pull = await pullOf(job.id)
    assert.equal(pull?.title, 'Stale: Fix 3 stale mentions')
    assert.match(pull.body, /`--max-lines` → `--max-rows`/)
  })

  test('options that do not fit together are refused before anything is sent', async () => {
    for (const args of [['Own'], ['--instructions', 'Fix.'], []]) {
      const { code, stderr } = await docent('automation', 'create', ...args)
      assert.deepEqual([code, /Give a name and --instructions, or the --kind/.test(stderr)], [2, true], stderr)
    }
    const unknown = await docent('automation', 'create', '--kind', 'poems')
    assert.match(unknown.stderr, /`kind` must be one of custom, update-from-code/)
  })
})
