// The commands of the guide that anyone can run without a network, on the history that comes with Docent: they print what it says.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/git-remote.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = '/tmp/acme-wrap'

test('the guide of sources prints what its offline commands print', async (t) => {
  const folder = temporaryFolder(t)
  const guide = readFileSync(`${root}/docs/guides/sources.md`, 'utf8')
  const [section = ''] = guide.split('## Try it offline\n')[1]?.split('\nWith a service') ?? []
  const blocks = [...section.matchAll(/^```(sh)?\n(.*?)^```$/gms)].map(([, kind, text = '']) => ({ kind, text }))
  let printed = ''
  let compared = 0
  for (const { kind, text } of blocks) {
    if (kind === 'sh') {
      for (const line of text.trimEnd().split('\n')) printed = await run(line.replaceAll(place, `${folder}/acme-wrap`))
    } else {
      assert.equal(printed, text)
      compared += 1
    }
  }
  assert.equal(compared, 3)
})

async function run(line: string): Promise<string> {
  const [program, ...args] = line.split(' ')
  if (program !== 'docent') return execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' })
  const { stdout, stderr } = await runCommand(args, {})
  assert.doesNotMatch(stderr, /not |error/i)
  return stdout
}
