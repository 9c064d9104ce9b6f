// `bin/docent.cjs`: which Node.js it starts, with an old one as seen from process.versions.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string }

function run(args: readonly string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  execFile(process.execPath, [...args], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }))
  return promise
}

/** A module that makes a process believe that it is Node.js 20. */
async function writeOldNode(t: TestContext): Promise<{ readonly folder: string; readonly oldNode: string }> {
  const folder = await temporaryFolder('launcher')
  t.after(() => removeFolder(folder))
  const oldNode = join(folder, 'old-node.cjs')
  const versions = "{ ...process.versions, node: '20.20.2' }"
  await writeFile(oldNode, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  return { folder, oldNode }
}

test('a Node.js that is new enough runs docent itself', async () => {
  assert.match((await run([launcher, '--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal((await run([launcher, 'serv'])).code, 2)
})

test('an old Node.js starts the one among the dependencies and hands on its exit code', async (t) => {
  const { oldNode } = await writeOldNode(t)
  assert.match((await run(['--require', oldNode, launcher, '--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal((await run(['--require', oldNode, launcher, 'serv'])).code, 2)
})

test('an old Node.js without another one is refused in one sentence', async (t) => {
  const { folder, oldNode } = await writeOldNode(t)
  const alone = join(folder, 'bin', 'docent.cjs')
  await mkdir(join(folder, 'bin'))
  await copyFile(launcher, alone)
  const { code, stdout, stderr } = await run(['--require', oldNode, alone, 'serve'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^docent needs Node\.js 24\.12 or newer, but this is 20\.20\.2: [^\n]+ `npm ci` [^\n]+\n$/)
})
