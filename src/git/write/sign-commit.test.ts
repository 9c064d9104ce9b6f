import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import { createSigningKey, fingerprintOf, publicLineOf, signContent } from './ssh-signature.ts'

const author = { name: 'Ada', email: 'ada@example.com' }
const edit = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: '100644' as const })

async function arrange(t: TestContext) {
  const directory = temporaryFolder(t)
  const key = createSigningKey()
  const signed: string[] = []
  const signatureOf = (id: string, content: Uint8Array) => {
    signed.push(id)
    return Promise.resolve(signContent(key, content))
  }
  const { remote, repository } = await testRepository(t, { directory, signatureOf })
  const parent = remote.commit('main', { 'a.md': 'a' })
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const signers = join(directory, 'signers')
  writeFileSync(signers, `${author.email} ${publicLineOf(key, 'docent')}\n`)
  const mirror = join(directory, 'prj_test.git')
  /** G: git verified the signature with the allowed key; N: it has no signature. */
  const verdict = (commit: string) =>
    plainGit(mirror, ['-c', `gpg.ssh.allowedSignersFile=${signers}`, 'log', '-1', '--format=%G?', commit])
  return { remote, repository, parent, mirror, verdict, signed }
}

test('git verifies the commit, the merge and the commit that was applied elsewhere', async (t) => {
  const { remote, repository, parent, mirror, verdict, signed } = await arrange(t)
  const input = { parent, edits: [edit('b.md', 'b')], message: 'Add b\n\nBecause.\n', date: new Date(1e12), author }
  const commit = await repository.commit(input)
  assert.equal(await repository.commit(input), commit, 'made again, it is the same')
  assert.equal(verdict(commit), 'G')
  assert.equal(
    plainGit(mirror, ['log', '-1', '--format=%s|%b|%an <%ae>', commit]),
    'Add b|Because.\n|Ada <ada@example.com>',
  )
  const onto = remote.commit('main', { 'c.md': 'c' })
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const applied = await repository.transplant(commit, onto)
  assert(applied.kind === 'clean')
  assert.equal(verdict(applied.commit), 'G')
  assert.equal((await repository.commitFacts(applied.commit)).message, 'Add b\n\nBecause.\n')
  const merged = await repository.merge(
    { into: commit, from: onto, message: 'Merge', date: new Date(1e12), author },
    signal(),
  )
  assert(merged.kind === 'clean')
  assert.equal(verdict(merged.commit), 'G')
  assert.deepEqual(new Set(signed), new Set(['prj_test']))
})

test('a draft, which names no author, is not signed', async (t) => {
  const { repository, parent, verdict } = await arrange(t)
  const draft = await repository.commit({ parent, edits: [edit('b.md', 'b')], message: 'Draft', date: new Date(0) })
  assert.equal(verdict(draft), 'N')
})

test('ssh-keygen accepts a signature in its own namespace only', (t) => {
  const folder = temporaryFolder(t)
  const key = createSigningKey()
  const text = Buffer.from('0123456789abcdef')
  writeFileSync(join(folder, 'text.sig'), `${signContent(key, text, 'gitea')}\n`)
  const check = (namespace: string) =>
    execFileSync('ssh-keygen', ['-Y', 'check-novalidate', '-n', namespace, '-s', join(folder, 'text.sig')], {
      input: text,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  assert.match(check('gitea').toString(), /Good "gitea" signature/)
  assert.throws(() => check('git'))
})

test('a key has the fingerprint and the form that ssh-keygen gives it', (t) => {
  const key = createSigningKey()
  const path = join(temporaryFolder(t), 'key.pub')
  writeFileSync(path, `${publicLineOf(key, 'docent')}\n`)
  const shown = execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' })
  assert.equal(shown.trim(), `256 ${fingerprintOf(key)} docent (ED25519)`)
  assert.equal(signContent(key, Buffer.from('x')), signContent(key, Buffer.from('x')))
  const lines = signContent(key, createHash('sha512').digest()).split('\n')
  assert.ok(lines.every((line) => line.length <= 70))
})
