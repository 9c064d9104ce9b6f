// The completion scripts in the shells themselves, as far as they are installed here.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { runCommand } from '../support/command.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const run = promisify(execFile)
const shells = ['bash', 'zsh', 'fish'] as const
const isThere = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0
let folder: string

before(async () => {
  folder = await temporaryFolder('completion')
  await writeFile(join(folder, 'plan.md'), '')
  for (const shell of shells) {
    const { stdout } = await runCommand(['completion', shell], {})
    await writeFile(join(folder, shell), stdout)
  }
})
after(() => removeFolder(folder))

type Offer = (...words: readonly string[]) => Promise<readonly string[]>

/** Returns the offers for the last word. */
const bash: Offer = async (...words) => {
  const typed = words.map((word) => `'${word}'`).join(' ')
  const script = `. ${join(folder, 'bash')}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _docent; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['-c', script], { cwd: folder })
  return stdout.split('\n').filter(Boolean)
}

/** The functions of its line editor print what they were given, which it would match with the last word. */
const zsh: Offer = async (...words) => {
  const typed = words.map((word) => `'${word}'`).join(' ')
  const editor = `compdef() { }; compadd() { shift; print -l -- "$@" }; _files() { print -l -- * }`
  const script = `${editor}; . ${join(folder, 'zsh')}; words=(${typed}); CURRENT=${words.length}; _docent`
  const { stdout } = await run('zsh', ['-f', '-c', script], { cwd: folder })
  return stdout.split('\n').filter((word) => word !== '' && word.startsWith(words.at(-1) ?? ''))
}

const fish: Offer = async (...words) => {
  const script = `source ${join(folder, 'fish')}; complete -C '${words.join(' ')}'`
  const { stdout } = await run('fish', ['--no-config', '-c', script], { cwd: folder })
  return stdout.split('\n').filter(Boolean)
}

for (const [shell, offer] of Object.entries({ zsh, fish }))
  test(`${shell} offers commands, options, choices and files`, { skip: !isThere(shell) }, async () => {
    assert.ok((await offer('docent', '')).includes('serve'))
    assert.deepEqual(await offer('docent', 'doc'), ['doctor'])
    assert.deepEqual(await offer('docent', 'key', 'create', '--scope', 'w'), ['write'])
    assert.deepEqual(await offer('docent', 'job', 'create', '--file', 'pl'), ['plan.md'])
    assert.deepEqual(await offer('docent', 'job', 'create', '--project', ''), [])
    assert.deepEqual(await offer('docent', 'job', 'create', '--json', '--wat'), ['--watch'])
  })

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

test('the scripts of all shells have the same commands and options', async () => {
  const texts = await Promise.all(shells.map((shell) => readFile(join(folder, shell), 'utf8')))
  const flags = new Set(texts[0]?.match(/(?<= )--[a-z-]+/g))
  assert.ok(flags.has('--prompt') && flags.has('--watch'))
  for (const [at, text] of texts.entries())
    for (const flag of flags)
      assert.ok(text.includes(at === 2 ? ` -l ${flag.slice(2)}` : ` ${flag}`), `${shells[at]} ${flag}`)
})

test('every command and option of the help is offered', async () => {
  const { stdout } = await runCommand(['--help'], {})
  const commands = [...(stdout.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name,
  )
  const offered = await bash('docent', '')
  for (const command of commands.filter((name) => name !== 'help')) assert.ok(offered.includes(command ?? ''), command)
})
