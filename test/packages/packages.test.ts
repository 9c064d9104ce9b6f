// The packages as people install them: from their tarballs into empty folders, with the `npm` and the Node.js of this machine's
// user. Nothing of the checkout is used.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { packages as names } from '../../src/lib/release/names.ts'
import { version } from '../../src/service/version.ts'
import type { Packed } from '../../scripts/packages/pack.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { packOnce } from './packed.ts'

const run = promisify(execFile)
const started = new Set<ChildProcess>()
const examples = fileURLToPath(new URL('../../examples/docs', import.meta.url))
const PATH = `${dirname(execPath)}:${process.env['PATH']}`

let folder: string
let packed: readonly Packed[]
before(async () => {
  folder = await temporaryFolder('packages')
  packed = (await packOnce()).packages
})
after(async () => {
  for (const child of started) child.kill('SIGKILL')
  await removeFolder(folder)
})

const tarballOf = (name: string) => packed.find((one) => one.name === name)?.tarball ?? assert.fail(name)

/** Installs packages into a folder beside those that it has. */
async function install(into: string, ...names: readonly string[]): Promise<void> {
  await mkdir(into, { recursive: true })
  const flags = ['--prefix', into, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...flags, ...names.map(tarballOf)], { cwd: into, env: { ...process.env, PATH } })
}

/** The bytes of all files. */
async function sizeOf(of: string): Promise<number> {
  const entries = await readdir(of, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile())
  const sizes = await Promise.all(files.map(async (one) => (await stat(join(one.parentPath, one.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The guide says how large the packages are: their tarballs, and what they bring into an empty folder. */
async function expectSizes(
  name: string,
  found: { readonly packed: number; readonly installed: number },
): Promise<void> {
  const guide = await readFile(new URL('../../docs/guides/packages.md', import.meta.url), 'utf8')
  const [, packed = '', installed = ''] =
    new RegExp(`^\\| \`${name}\` .*\\| ([\\d.]+) MB \\| ([\\d.]+) MB \\|$`, 'm').exec(guide) ?? assert.fail(name)
  for (const [said, bytes] of [
    [packed, found.packed],
    [installed, found.installed],
  ] as const) {
    const isRight = Math.abs(bytes / 1e6 - Number(said)) <= Math.max(0.05 * Number(said), 0.01)
    assert.ok(isRight, `${name}: the guide says ${said} MB, but it is ${(bytes / 1e6).toFixed(2)} MB`)
  }
}

const packedSize = async (name: string) => (await stat(tarballOf(name))).size

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

async function command(file: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = folder): Promise<Ended> {
  try {
    return { code: 0, ...(await run(file, args, { env: { PATH, HOME: folder, ...env }, cwd })) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}

test('the package of the check needs no other package and finds what the command finds', async () => {
  const prefix = join(folder, 'check')
  await install(prefix, 'check')
  assert.deepEqual(
    (await readdir(join(prefix, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@docent'],
  )
  const docs = join(folder, 'docs')
  await cp(examples, docs, { recursive: true })
  // A page that only the whole parser of MDX understands.
  await writeFile(join(docs, 'open.mdx'), '# Open\n\n<Card title={`a ${1 + 1}`}>\n\n[gone](/gone)\n')
  const own = await command(join(prefix, 'node_modules/.bin/docent-check'), [docs, '--json'], {})
  assert.equal(own.code, 5, own.stderr)
  const checkout = await command(
    execPath,
    [fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url)), 'check', docs, '--json'],
    {},
  )
  assert.deepEqual(JSON.parse(own.stdout), JSON.parse(checkout.stdout))
  assert.match(own.stdout, /open\.mdx/)
  const installed = await sizeOf(join(prefix, 'node_modules/@docent'))
  await expectSizes('@docent/check', { packed: await packedSize('check'), installed })
})

test('the package of the client brings one other package, with its types', async () => {
  const prefix = join(folder, 'client')
  await install(prefix, 'client')
  const all = (await readdir(join(prefix, 'node_modules'))).filter((name) => !name.startsWith('.'))
  assert.deepEqual(all, ['@docent', 'openapi-fetch', 'openapi-typescript-helpers'])
  const code = `import { createClient } from '${names.client}/api'
    import { createRecorder } from '${names.client}'
    console.log(typeof createClient, typeof createRecorder)`
  const ran = await command(execPath, ['--input-type=module', '--eval', code], {}, prefix)
  assert.equal(ran.stdout, 'function function\n', ran.stderr)
  const installed = await sizeOf(join(prefix, 'node_modules'))
  await expectSizes(names.client, { packed: await packedSize('client'), installed })
})

type Step = {
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** A repository whose last commit breaks a link, and an `.npmrc` that names a registry which does not exist. */
async function brokenRepository(name: string): Promise<{ readonly repository: string; readonly base: string }> {
  const repository = join(folder, name)
  await cp(examples, join(repository, 'docs'), { recursive: true })
  await writeFile(join(repository, '.npmrc'), 'registry=http://127.0.0.1:9/\n')
  const git = async (...args: readonly string[]) =>
    (await run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: repository })).stdout
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message=Base')
  const base = (await git('rev-parse', 'HEAD')).trim()
  await writeFile(join(repository, 'docs/installation.mdx'), '# Installation\n\n[gone](/nowhere)\n')
  await git('commit', '--quiet', '--all', '--message=Break a link')
  return { repository, base }
}

test('the action for GitHub annotates what a pull request breaks', async () => {
  const text = await readFile(new URL('../../integrations/github/check/action.yml', import.meta.url), 'utf8')
  const action = parse(text) as {
    readonly inputs: { readonly package: { readonly default: string } }
    readonly runs: { readonly steps: readonly Step[] }
  }
  assert.equal(action.inputs.package.default, `${names.check}@${version}`)
  const { repository, base } = await brokenRepository('github')
  const temp = join(folder, 'github-temp')
  await mkdir(temp)
  const values: Readonly<Record<string, string>> = {
    'inputs.package': tarballOf('check'),
    'inputs.path': 'docs',
    'inputs.since': base,
    'runner.temp': temp,
  }
  const fill = (of: string) =>
    of.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_all, name: string) => values[name] ?? assert.fail(name))
  const ended: Ended[] = []
  for (const { run: script, env = {}, 'working-directory': at = repository } of action.runs.steps) {
    if (script === undefined) continue
    assert.doesNotMatch(script, /\$\{\{/, 'a script has no words of an event')
    const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
    ended.push(await command('bash', ['-eo', 'pipefail', '-c', script], filled, fill(at)))
  }
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 5],
    ended.map(({ stderr }) => stderr).join('\n'),
  )
  assert.match(ended[1]?.stdout ?? '', /^::warning file=docs\/installation\.mdx,line=3,title=link::Links to \/nowhere/m)
})

test('the template for GitLab writes a report of what a merge request breaks', async () => {
  const text = await readFile(new URL('../../integrations/gitlab/check.yml', import.meta.url), 'utf8')
  const job = (parse(text) as { 'docent-check': { variables: Record<string, string>; script: string[] } })[
    'docent-check'
  ]
  assert.equal(job.variables['DOCENT_CHECK_PACKAGE'], `${names.check}@${version}`)
  const { repository, base } = await brokenRepository('gitlab')
  const given = {
    DOCENT_CHECK_PACKAGE: tarballOf('check'),
    DOCENT_CHECK_PATH: 'docs',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
  }
  const env = { ...job.variables, ...given }
  const { code, stderr } = await command('bash', ['-e', '-c', job.script.join('\n')], env, repository)
  assert.equal(code, 5, stderr)
  const report = JSON.parse(
    await readFile(join(repository, 'gl-code-quality-report.json'), 'utf8'),
  ) as readonly object[]
  assert.ok(JSON.stringify(report).includes('"path":"docs/installation.mdx"'))
})

/** Starts a command and waits for a line that it prints. */
async function start(prefix: string, args: readonly string[], line: RegExp, env: NodeJS.ProcessEnv) {
  const child = spawn(join(prefix, 'node_modules/.bin/docent'), args, {
    env: { PATH, HOME: folder, ...env },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  started.add(child)
  const seen: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    seen.push(text)
    if (line.test(text)) return { child, seen }
  }
  throw new Error(`docent ${args.join(' ')} ended: ${seen.join('\n')}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

test('the packages run the demo, a job beyond a kill, an import and an erasure', async (t) => {
  const prefix = join(folder, 'service')
  await install(prefix, 'service')
  const ofService = await sizeOf(join(prefix, 'node_modules'))
  await expectSizes('docent', { packed: await packedSize('service'), installed: ofService })
  const data = { DOCENT_DATA_DIR: join(folder, 'data'), DOCENT_PORT: '0', DOCENT_LOG_LEVEL: 'error' }
  const docent = (args: readonly string[], env: NodeJS.ProcessEnv = data) =>
    command(join(prefix, 'node_modules/.bin/docent'), args, env)
  const json = async <T>(args: readonly string[]) => {
    const { code, stdout, stderr } = await docent([...args, '--json'])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as T
  }

  await t.test('without its engine the service works on jobs, and says what page views need', async () => {
    const one = { ...data, DOCENT_DATA_DIR: join(folder, 'without') }
    assert.match((await docent(['doctor'], one)).stdout, /page views: their engine is not installed/)
    const { child } = await start(prefix, ['serve'], /^docent listens/, one)
    await docent(['project', 'create', '--name', 'A', '--repository', 'https://example.com/a.git'], one)
    const { code, stderr } = await docent(['analytics', 'summary'], one)
    assert.equal(code, 4, stderr)
    assert.match(stderr, /npm install --global @docent\/analytics/)
    await end(child, 'SIGTERM')
    await mkdir(join(one.DOCENT_DATA_DIR, 'clickhouse', 'store'), { recursive: true })
    const refused = await docent(['serve'], one)
    assert.match(refused.stderr, /has page views\. Page views need an engine/)
    assert.equal(refused.code, 2)
  })

  await install(prefix, 'analytics')
  const installed = (await sizeOf(join(prefix, 'node_modules'))) - ofService
  await expectSizes('@docent/analytics', { packed: await packedSize('analytics'), installed })
  await t.test('the demo merges its change and counts its visitors', async () => {
    const { child, seen } = await start(prefix, ['demo'], /project delete/, data)
    const text = seen.join('\n')
    assert.match(text, /The check again: it passes/)
    // How many depends on the day.
    assert.match(text, /^ +total +[1-9]\d\d /m)
    await end(child, 'SIGKILL')
  })

  await t.test('a job that a kill interrupts ends with one pull request', async () => {
    const repository = join(folder, 'docs.git')
    const demo = (await readdir(data.DOCENT_DATA_DIR)).find((name) => name.startsWith('demo-')) ?? assert.fail()
    await cp(join(data.DOCENT_DATA_DIR, demo, 'docs.git'), repository, { recursive: true })
    const env = { ...data, DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true' }
    const first = await start(prefix, ['serve'], /^docent listens/, env)
    const { projectId } = await json<{ projectId: string }>([
      'project',
      'create',
      '--name',
      'B',
      '--repository',
      repository,
    ])
    const prompt = 'Replace "deploy" with "ship" in cli/deploy.mdx'
    const { id } = await json<{ id: string }>(['job', 'create', '--project', projectId, '--prompt', prompt])
    await end(first.child, 'SIGKILL')
    const { child } = await start(prefix, ['serve'], /^docent listens/, env)
    await docent(['job', 'watch', id])
    const { pulls } = await json<{ pulls: readonly unknown[] }>(['pull', 'list', '--project', projectId])
    assert.equal(pulls.length, 1)
    await writeFile(join(folder, 'access.log'), line('/a') + line('/b'))
    await json(['analytics', 'import', join(folder, 'access.log'), '--project', projectId])
    const count = async () => (await docent(['analytics', 'summary', '--project', projectId, '--json'])).stdout
    assert.match(await count(), /"path":"\/b"/)
    await json(['analytics', 'erase-imported', '--project', projectId, '--since', '2026-01-01', '--yes'])
    assert.doesNotMatch(await count(), /"path":"\/b"/)
    await end(child, 'SIGTERM')
  })
})

/** A line of an access log of now. */
function line(path: string): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+)/.exec(new Date().toUTCString()) ?? []
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
  return `203.0.113.7 - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" 200 512 "-" "${agent}"\n`
}
