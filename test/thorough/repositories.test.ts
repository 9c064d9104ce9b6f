// The built-in model on whole repositories: the example site, 1,500 pages made by a script, and documentation that
// nobody here wrote (the pages that the `ai` package ships).

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makePages, pagePath } from '../support/pages.ts'
import { git, show } from '../support/repository.ts'
import { startService, type TestService } from '../support/service.ts'

const foreign = fileURLToPath(new URL('../../node_modules/ai/docs', import.meta.url))
const example = fileURLToPath(new URL('../../examples/docs', import.meta.url))

async function withService(content: Parameters<typeof startService>[0], work: (running: TestService) => Promise<void>) {
  const running = await startService(content)
  try {
    await work(running)
  } finally {
    await running.close()
  }
}

async function run({ client }: TestService, prompt: string) {
  const job = await client.ended((await client.create(prompt)).id)
  assert.equal(job.status, 'completed', job.error?.message)
  assert.equal(job.usage.costUsd, 0)
  return { ...job, ref: job.source.ref ?? '' }
}

/** The changed lines of a branch, each with its sign. */
async function changedLines(repository: string, ref: string): Promise<readonly string[]> {
  const diff = await git(repository, 'diff', '--unified=0', '--no-renames', `main..${ref}`)
  return diff.split('\n').filter((line) => /^[+-](?![+-]{2})/.test(line))
}

test('a term is renamed in the prose of the example site, and code stays as it is', async () => {
  await withService(example, async (running) => {
    const job = await run(running, 'Rename "Acme CLI" to "Acme Command"')
    const lines = await changedLines(running.repository, job.ref)
    assert.ok(lines.length > 80)
    assert.ok(
      lines.every((line) => line.startsWith('-') || /Acme Command|acme-command/.test(line)),
      'only the term changed',
    )
    const quickstart = await show(running.repository, job.ref, 'quickstart.mdx')
    assert.match(quickstart, /Acme Command/)
    assert.match(quickstart, /```[\s\S]*Acme CLI[\s\S]*```/)
    const crlf = await git(running.repository, 'cat-file', 'blob', `${job.ref}:cli/troubleshooting.md`)
    assert.ok(!/[^\r]\n/.test(crlf), 'a page with CRLF keeps it on every line')
  })
})

test('several instructions in one prompt are done in order, as one commit', async () => {
  await withService(example, async (running) => {
    const job = await run(
      running,
      [
        '- Move guides/rollbacks.mdx to guides/rollback.mdx',
        '- Set the description of guides/rollback.mdx to "Go back: to the release before"',
        '- Delete guides/webhooks.mdx and the links to it',
      ].join('\n'),
    )
    const { repository } = running
    assert.match(
      await show(repository, job.ref, 'guides/rollback.mdx'),
      /description: ['"]Go back: to the release before['"]/,
    )
    const left = await git(repository, 'grep', '-h', '-e', 'guides/rollbacks', '-e', 'webhooks)', job.ref)
    const redirect = '{ "source": "/guides/rollbacks", "destination": "/guides/rollback" }'
    assert.equal(left.trim(), redirect, 'no link is left behind, and the old address leads to the new one')
    assert.equal(await git(repository, 'rev-list', '--count', `main..${job.ref}`), '1')
  })
})

test('an instruction that is not understood fails with a list of what works', async () => {
  await withService({ 'index.md': '# Home\n' }, async ({ client }) => {
    const job = await client.ended((await client.create('Write a tutorial about webhooks')).id)
    assert.equal(job.error?.code, 'model_not_configured')
    assert.match(job.error.message, /DOCENT_MODEL=anthropic/)
  })
})

test('a job on 1,500 pages edits the three that it should', async () => {
  await withService(makePages(1_500), async (running) => {
    const job = await run(running, 'Rename "Acme CLI" to "Acme Command"')
    const changed = (await git(running.repository, 'diff', '--name-only', `main..${job.ref}`)).split('\n')
    assert.deepEqual(changed.toSorted(), Array.from({ length: 3 }, (_, i) => pagePath(i * 500)).toSorted())
    const moved = await run(running, `Move ${pagePath(1)} to pages/section-0/first.md`)
    assert.match(await show(running.repository, moved.ref, pagePath(0)), /\(\/pages\/section-0\/first\)/)
  })
})

test('a job on foreign pages renames the term in prose only', async () => {
  const names = (await readdir(foreign, { recursive: true })).filter((name) => name.endsWith('.mdx'))
  const pages: Record<string, string> = {}
  for (const name of names) pages[name] = await readFile(join(foreign, name), 'utf8')
  assert.ok(names.length > 100, `${names.length} pages`)
  await withService(pages, async (running) => {
    const job = await run(running, 'Replace "AI Gateway" with "Model Gateway" in prose only')
    const lines = await changedLines(running.repository, job.ref)
    const text = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n')
    assert.ok(lines.length > 20)
    // The term may span a line break, and then only its first line is in the diff.
    const undone = text('+')
      .replaceAll(/\bModel(?= Gateway|$)/gm, 'AI')
      .replaceAll('model-gateway', 'ai-gateway')
    assert.equal(undone, text('-'))
  })
})
