// The completion script in bash itself.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { runCommand } from '../support/command.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const run = promisify(execFile)
let folder: string

before(async () => {
  folder = await temporaryFolder('completion')
  await writeFile(join(folder, 'plan.md'), '')
  const { stdout } = await runCommand(['completion', 'bash'], {})
  await writeFile(join(folder, 'script'), stdout)
})
after(() => removeFolder(folder))

/** Returns the offers for the last word. */
async function bash(...words: readonly string[]): Promise<readonly string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ')
  const script = `. ${join(folder, 'script')}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _docent; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-c', script], { cwd: folder })
  return stdout.split('\n').filter(Boolean)
}

test('bash offers commands, options, choices and files', async () => {
  assert.ok((await bash('docent', '')).includes('serve'))
  assert.deepEqual(await bash('docent', 'doc'), ['doctor'])
  assert.deepEqual((await bash('docent', 'key', '')).filter((word) => !word.startsWith('-')).slice(0, 2), [
    'create',
    'list',
  ])
  assert.ok((await bash('docent', 'job', 'create', '--')).includes('--prompt'))
  assert.deepEqual(await bash('docent', 'key', 'create', '--scope', 'w'), ['write'])
  assert.deepEqual(await bash('docent', 'job', 'create', '--file', 'pl'), ['plan.md'])
  assert.deepEqual(await bash('docent', 'job', 'create', '--project', ''), [])
  assert.deepEqual(await bash('docent', 'job', 'create', '--json', '--wat'), ['--watch'])
  assert.deepEqual(await bash('docent', 'completion', 'b'), ['bash'])
})

test('every command and option of the help is offered', async () => {
  const { stdout } = await runCommand(['--help'], {})
  const commands = [...(stdout.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name,
  )
  const offered = await bash('docent', '')
  for (const command of commands.filter((name) => name !== 'help')) assert.ok(offered.includes(command ?? ''), command)
})
