// "Connect GitHub" by command line alone, from no credential to a merged pull request, and the same for the other hosts.
// The commands are those of docs/guides/forges.md.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { serve } from '../../src/service/service.ts'
import { engineSettings } from '../support/engine.ts'
import { type CommandResult, runCommand } from '../support/command.ts'
import { isAtOneAddress } from '../support/forge/connected-service.ts'
import { type TestForge, startForge } from '../support/forge/forge.ts'
import type { Kind } from '../support/forge/world.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { sampled } from '../support/rounds.ts'

type Docent = (args: string, readInput?: string) => Promise<CommandResult>
type Connected = { readonly forge: TestForge; readonly docent: Docent; readonly environment: Environment }

/** A service without projects, beside a forge with a private repository. */
async function start(t: Cleanup, kind: Kind): Promise<Connected> {
  const forge = await startForge(t, { kind, files: { 'index.md': '# Acme CLI\n\nUse the Acme CLI.\n' } })
  const folder = await temporaryFolder('connect')
  const environment: Environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_PRIVATE_REPOSITORY_HOSTS: forge.host,
    ...(await engineSettings()),
  }
  const service = await serve(parseConfig(environment))
  t.after(async () => {
    await service.stop()
    await removeFolder(folder)
  })
  const docent: Docent = (args, input) => {
    const words = (args.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
    return runCommand(words, environment, input === undefined ? {} : { readInput: () => Promise.resolve(input) })
  }
  return { forge, docent, environment }
}

async function ok(result: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await result
  assert.equal(code, 0, `${stdout}${stderr}`)
  return stdout
}

const email = 'ada@acme.example'

/** As a log, a table or the configuration of git could have it. */
function spellingsOf(token: string): readonly string[] {
  const users = ['x-access-token', 'oauth2', 'docent', 'x-token-auth', 'x-bitbucket-api-token-auth', email, '']
  const basic = users.map((user) => Buffer.from(`${user}:${token}`).toString('base64'))
  return [token, encodeURIComponent(token), ...basic, token.slice(0, 30), token.slice(-30)]
}

/** The files below a folder that have one of the texts: database, mirrors, remotes, settings. */
function filesWith(folder: string, texts: readonly string[]): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return paths.filter((path) => {
    const content = readFileSync(path)
    return texts.some((text) => content.includes(text))
  })
}

const instruction = `Rename "Acme CLI" to "Acme Command"`

async function onlyJob(docent: Docent): Promise<JobResponse> {
  const { jobs } = JSON.parse(await ok(docent('job list --project Docs --json'))) as { jobs: readonly JobResponse[] }
  const [job] = jobs
  assert(job && jobs.length === 1)
  return job
}

/** A job that ends in a pull request on the forge, which a person then merges. */
async function work({ forge, docent }: Connected): Promise<void> {
  await ok(docent(`job create --prompt '${instruction}' --project Docs --watch`))
  const job = await onlyJob(docent)
  assert.deepEqual([job.status, job.outcome], ['completed', 'pull_request'], JSON.stringify(job.error))
  const [pull] = forge.pulls
  assert.equal(job.pullRequest?.number, pull?.number)
  assert.equal(new URL(job.prLink ?? '').origin, forge.web)
  assert.equal(forge.pulls.length, 1)
  assert.equal(forge.remote.head(pull?.branch ?? ''), pull?.head)
  forge.merge(pull?.number ?? 0)
  assert.match(forge.remote.git(['show', 'main:index.md']), /Acme Command/)
}

/** An API token of Bitbucket comes with an address. */
const hosts: readonly { readonly kind: Kind; readonly email?: string }[] = [
  { kind: 'github' },
  { kind: 'gitlab' },
  { kind: 'gitea' },
  { kind: 'bitbucket' },
  { kind: 'bitbucket', email },
  { kind: 'azure' },
]

for (const { kind, ...user } of sampled(hosts, 1)) {
  /** The own hosts of Bitbucket and Azure DevOps tell what they are; the loopback does not. */
  const optionsOf = (forge: TestForge) => {
    const named = isAtOneAddress(forge) ? `--forge ${kind} --api-url ${forge.api}` : ''
    return user.email === undefined ? named : `${named} --user ${user.email}`
  }
  suite(`${kind} ${user.email ?? ''}`.trim(), () => {
    test('from no credential to a merged pull request, with a token', async (t) => {
      const connected = await start(t, kind)
      const { forge, docent, environment } = connected
      const token = forge.createToken({ lifeMs: 90 * 86_400_000, ...user }).value
      const created = await ok(docent(`project create --name Docs --repository ${forge.repository}`))
      assert.match(created, /Jobs of this project will fail/)
      const set = await ok(docent(`project credential set Docs ${optionsOf(forge)} --token-file -`, `${token}\n`))
      assert.doesNotMatch(set, new RegExp(token))
      assert.match(set, new RegExp(`^forge +${kind}$`, 'm'))
      await ok(docent('forge check --project Docs --write'))
      assert.deepEqual(
        forge.pulls.map(({ state }) => state),
        ['closed'],
      )
      forge.pulls.length = 0
      await work(connected)
      const data = environment['DOCENT_DATA_DIR'] ?? ''
      assert.deepEqual(filesWith(data, [forge.repository]).length > 0, true, 'the search finds what is stored')
      assert.deepEqual(filesWith(data, spellingsOf(token)), [])
      assert(
        !forge.pulls.some(({ body, title }) => spellingsOf(token).some((text) => `${title}${body}`.includes(text))),
      )
    })

    test('a token without the right to open pull requests is refused before the model', async (t) => {
      const { forge, docent } = await start(t, kind)
      await ok(docent(`project create --name Docs --repository ${forge.repository}`))
      const token = forge.createToken({ rights: ['read'], ...user }).value
      await docent(`project credential set Docs ${optionsOf(forge)} --token-file -`, token)
      const checked = await docent('forge check --project Docs')
      assert.equal(checked.code, 1)
      assert.match(checked.stderr, /push/)
      const ran = await docent(`job create --prompt '${instruction}' --project Docs --watch`)
      assert.equal(ran.code, 3)
      const { error, usage } = await onlyJob(docent)
      assert.match(error?.code ?? '', /forge_right_missing|repository_unauthorized/)
      assert.equal(usage.turns, 0)
      assert.equal(forge.pulls.length, 0)
    })
  })
}
