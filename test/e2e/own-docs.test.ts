// The documentation of Docent passes its own check, as the site that `docs/site` makes of it.

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { runCommand } from '../support/command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Report = {
  readonly sites: readonly { readonly kind: string; readonly config?: string }[]
  readonly findings: readonly { readonly path: string; readonly line: number; readonly target: string }[]
  readonly coverage: {
    readonly judged: number
    readonly notJudged: readonly { readonly reason: string; readonly count: number; readonly example: string }[]
  }
}

test('docent check finds nothing in the documentation of Docent, and judges all of it', async () => {
  // The example is another site, with a broken link on purpose.
  const { stdout, stderr } = await runCommand(
    ['check', root, '--json', '--no-cache', '--ignore', 'link=examples/docs'],
    {},
  )
  const { sites, findings, coverage } = JSON.parse(stdout) as Report
  assert.deepEqual(findings, [], stderr)
  assert.ok(sites.some(({ kind, config }) => kind === 'vitepress' && config === 'docs/site/.vitepress/config.ts'))
  assert.deepEqual(
    coverage.notJudged.filter(({ example }) => !example.startsWith('examples/docs/')),
    [],
  )
  assert.ok(coverage.judged > 700, String(coverage.judged))
})
