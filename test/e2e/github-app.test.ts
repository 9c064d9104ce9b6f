// A user creates the GitHub App of the service from the command line, installs it, and connects a project with it. The
// browser and GitHub are the loopback forge.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Installation } from '../../src/forge/github/app-api.ts'
import type { ForgeApp } from '../../src/projects/forge-apps/forge-app.ts'
import { parseConfig } from '../../src/config/config.ts'
import { serve } from '../../src/service/service.ts'
import type { Environment } from '../../src/config/environment.ts'
import { engineSettings } from '../support/engine.ts'
import { type CommandResult, runCommand } from '../support/command.ts'
import { startForge } from '../support/forge/forge.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let environment: Environment
before(async () => {
  folder = await temporaryFolder('github-app')
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    ...(await engineSettings()),
  }
})
after(() => removeFolder(folder))

const docent = (args: readonly string[], input = '', printed?: (line: string) => void) =>
  runCommand(args, environment, { readInput: () => Promise.resolve(input), ...(printed ? { printed } : {}) })

async function start(t: Cleanup) {
  const forge = await startForge(t, { kind: 'github', switches: { isPrivate: true } })
  environment = { ...environment, DOCENT_PRIVATE_REPOSITORY_HOSTS: forge.host }
  const service = await serve(parseConfig(environment))
  t.after(() => service.stop())
  return forge
}

/** Opens the page, presses the button, presses the one of GitHub, and follows the way back. Returns the last page. */
async function clickThrough(printed: string): Promise<string> {
  const page = await (await fetch(/http\S+\/github\/new\?state=\S+/.exec(printed)?.[0] ?? '')).text()
  const action = decode(/action="([^"]+)"/.exec(page)?.[1])
  const manifest = decode(/name="manifest" value="([^"]+)"/.exec(page)?.[1])
  return (await fetch(action, { method: 'POST', body: new URLSearchParams({ manifest }) })).text()
}

const decode = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const parse = ({ code, stdout, stderr }: CommandResult): unknown => {
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}

suite('docent github', () => {
  test('create-app leads from no App to a project that can open pull requests', async (t) => {
    const forge = await start(t)
    const pages: Promise<string>[] = []
    const create = ['github', 'create-app', '--url', forge.web, '--organization', 'acme']
    const made = await docent(create, '', (line) => {
      if (line.includes('/github/new?state=')) pages.push(clickThrough(line))
    })
    assert.equal(made.code, 0, made.stderr)
    assert.match((await Promise.all(pages)).join(''), /The GitHub App exists/)
    assert.match(made.stderr, /^Waiting until the App exists/)
    const install = /^ {2}(http\S+\/installations\/new)$/m.exec(made.stdout)?.[1] ?? ''
    const installed = await (await fetch(install)).text()
    const [installation] = parse(await docent(['github', 'installations', '--json'])) as readonly Installation[]
    assert.equal(installation?.account, 'acme')
    assert.ok(installed.includes(`docent project credential set PROJECT --installation ${installation.id}`))
    const table = await docent(['github', 'installations'])
    assert.match(table.stdout, new RegExp(`^${installation.id} +acme +selected +active +${forge.web}$`, 'm'))

    const project = ['project', 'create', '--name', 'Docs', '--repository', forge.repository, '--json']
    const { projectId } = parse(await docent(project)) as { projectId: string }
    const set = await docent(['project', 'credential', 'set', projectId, '--installation', String(installation.id)])
    assert.match(set.stdout, /✔ read\n✔ push\n✔ pull requests/, set.stderr)
    assert.match((await docent(['github', 'apps'])).stdout, / acme +Docs +http/)
    const proof = await docent(['forge', 'check', '--project', projectId, '--write'])
    assert.equal(proof.code, 0, proof.stdout + proof.stderr)

    const job = ['job', 'create', '--project', projectId, '--prompt', 'Rename "Home" to "Start"', '--watch']
    const done = await docent(job)
    assert.equal(done.code, 0, done.stdout + done.stderr)
    const pull = forge.pulls.find(({ state }) => state === 'open')
    assert.ok(pull)
    assert.ok(done.stdout.includes(`${forge.web}/acme/docs/pull/${pull.number}`), done.stdout)
    assert.equal(forge.remote.git(['log', '-1', '--format=%an <%cn>', pull.branch]), 'docent-acme[bot] <GitHub>')
    assert.equal(forge.remote.git(['for-each-ref', '--format=%(refname)', 'refs/docent']), '')
    for (const { stdout, stderr } of [made, table, set, proof, done]) {
      assert.ok(!/PRIVATE KEY|ghs_/.test(stdout + stderr))
    }
  })

  test('set-app takes a key from a file or standard input; delete-app forgets it', async (t) => {
    const forge = await start(t)
    for (const { id } of parse(await docent(['github', 'apps', '--json'])) as readonly ForgeApp[]) {
      assert.match((await docent(['github', 'delete-app', id])).stdout, /Delete the App at GitHub, too/)
    }
    assert.match((await docent(['github', 'installations'])).stderr, /docent github create-app/)
    const app = forge.createApp({ name: 'Own', permissions: { contents: 'write', metadata: 'read' } })
    const file = join(folder, 'own.pem')
    await writeFile(file, app.privateKey)
    const set = (key: string) =>
      docent(
        ['github', 'set-app', '--url', forge.web, '--app-id', String(app.id), '--private-key-file', key],
        app.privateKey,
      )
    for (const key of [file, '-']) assert.match((await set(key)).stdout, /The App Own exists/)
    assert.match((await set(join(folder, 'nowhere'))).stderr, /private key cannot be read/)
    const [stored] = parse(await docent(['github', 'apps', '--json'])) as readonly ForgeApp[]
    assert.equal(stored?.appId, app.id)
    assert.match((await docent(['github', 'apps'])).stdout, new RegExp(`^${stored.id} +Own +${app.id} +acme`, 'm'))
    const lacking = await docent(['github', 'installations'])
    assert.match(lacking.stderr, /Give the App `pull_requests: write`/)
    assert.match(lacking.stdout, new RegExp(`^${app.installationId} +acme`, 'm'))
    const again = await docent(['github', 'create-app', '--url', forge.web])
    assert.match(again.stderr, new RegExp(`docent github delete-app ${stored.id}`))
    assert.match((await docent(['github', 'set-app', '--app-id', 'x', '--private-key-file', file])).stderr, /a number/)
  })
})
