// A user connects a project with a git host over ssh from the command line, and a job ends in a pull request of Docent
// itself whose branch is at the host.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { serve } from '../../src/service/service.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { createRemote } from '../support/git-remote.ts'
import { createDataDir } from '../support/service.ts'
import { serveSsh } from '../support/ssh-server.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
before(async () => {
  folder = await temporaryFolder('ssh')
})
after(() => removeFolder(folder))

test('a key is set, proved, and used by a job', async (t) => {
  const remote = createRemote(t)
  remote.commit('main', { 'docs/a.md': '# Old title\n', 'README.md': 'x\n' })
  const server = await serveSsh(t, remote.directory)
  const environment: Environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_PRIVATE_REPOSITORY_HOSTS: server.host,
  }
  const service = await serve(parseConfig(environment))
  t.after(() => service.stop())
  const seen: string[] = []
  const docent = async (...args: readonly string[]) => {
    const ran = await runCommand(args, environment)
    seen.push(ran.stdout, ran.stderr)
    return ran
  }

  const repository = `ssh://git@${server.host}/o/r.git`
  const made = await docent('project', 'create', '--name', 'Docs', '--repository', repository, '--json')
  const { projectId, access } = JSON.parse(made.stdout) as { projectId: string; access: { problem: string } }
  assert.match(access.problem, /over ssh, and the project has no key/)
  const [key, hostKey] = [join(folder, 'key'), join(folder, 'host-key')]
  await writeFile(key, server.user.private)
  await writeFile(hostKey, `${server.host} ${server.hostKey}\n`)
  const set = ['project', 'credential', 'set', projectId, '--key-file', key]
  assert.equal((await docent(...set)).code, 2)
  const stored = await docent(...set, '--host-key-file', hostKey)
  assert.match(stored.stdout, /^kind +ssh$/m)
  assert.match(stored.stdout, /✔ read\n✔ push/)
  const proof = await docent('forge', 'check', '--project', projectId, '--write')
  assert.match(proof.stdout, /✔ push: .*\n- open: .*kept by Docent itself\n- close: .*\n✔ delete/)

  const job = ['job', 'create', '--project', projectId, '--watch', '--prompt', 'Replace "Old title" with "New title".']
  const done = await docent(...job)
  assert.equal(done.code, 0, done.stdout + done.stderr)
  const branch = remote.git(['for-each-ref', '--format=%(refname:short)', 'refs/heads/docent'])
  assert.match(branch, /^docent\/\S+$/)
  assert.equal(remote.git(['show', `${branch}:docs/a.md`]), '# New title')
  const secret = server.user.private.split('\n')[2] ?? ''
  assert.ok(secret.length > 40)
  for (const text of seen) assert.ok(!text.includes(secret))
})
