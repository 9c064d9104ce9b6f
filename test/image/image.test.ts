// The container image without a container engine: its file system is built with the steps of the Dockerfile, the
// service starts in it as the image's user, is healthy by the image's own check, and stops at the image's signal.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { toBuild } from './build.ts'
import { createContextFilter, parseDockerfile } from './dockerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files that a container engine would be given. */
async function copyContext(into: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 1 << 24 })
  const isInContext = createContextFilter(await readFile(join(root, '.dockerignore'), 'utf8'))
  for (const file of stdout.split('\0').filter((path) => path !== '' && isInContext(path))) {
    await mkdir(dirname(join(into, file)), { recursive: true })
    await copyFile(join(root, file), join(into, file))
  }
}

/** The page of the dashboard, and the script that it names, in the form that the build compressed. */
const lookAtPage = `
  const get = (path, headers) => fetch('http://127.0.0.1:4100' + path, { headers })
  get('/', { Accept: 'text/html' }).then((page) => page.text()).then(async (text) => {
    const script = await get(/src="([^"]+)"/.exec(text)[1], { 'Accept-Encoding': 'br' })
    console.log('dashboard', script.status, script.headers.get('Content-Encoding'))
  })`

test('the image runs the service as a user other than root, and stops it', async (t) => {
  const folder = await temporaryFolder('image')
  t.after(() => removeFolder(folder))
  const context = join(folder, 'context')
  await copyContext(context)
  const instructions = parseDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))
  const { script, image } = toBuild(instructions, { context, disk: join(folder, 'disk'), node: process.execPath })
  const checked = `${script}
    ${image.enter(['sh', '-c', 'echo "uid $(id -u)"; touch /opt/docent/written 2>/dev/null && echo "code is writable" || true'])}
    ${image.enter(image.entrypoint)} &
    service=$!
    healthy=no
    for _ in $(seq 120); do
      if ${image.enter(image.healthcheck)}; then healthy=yes; break; fi
      sleep 0.5
    done
    echo "healthy $healthy"
    ${image.enter(['docent', 'project', 'list', '--json'])}
    ${image.enter(['node', '-e', lookAtPage])}
    kill -TERM $service
    wait $service
    echo "exit $?"`
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', checked])
  t.after(() => child.kill('SIGKILL'))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const lines = out.trim().split('\n')
  assert.match(lines.find((line) => line.startsWith('docent listens')) ?? errors, /on http:\/\/0\.0\.0\.0:4100/)
  const others = lines.filter((line) => !/^(?:docent listens|There is no account yet)/.test(line))
  assert.deepEqual(others, ['uid 1000', 'healthy yes', '[]', 'dashboard 200 br', 'exit 0'], errors)
})

test('an instruction that the build does not know is refused', () => {
  assert.throws(() => parseDockerfile('FROM node:24-x\nADD a b\n'), /ADD is not known/)
  assert.throws(() => parseDockerfile('FROM node:24-x\nCOPY --chown=node a b\n'), /an option of COPY/)
})

test('the build context holds the sources, and neither tests nor data', async () => {
  const isInContext = createContextFilter(await readFile(join(root, '.dockerignore'), 'utf8'))
  const held = [
    'bin/docent.cjs',
    'src/main.ts',
    'src/jobs/job.test.ts',
    'tracker/script.js',
    'tracker/browser.d.ts',
    'dashboard/src/main.tsx',
    'dashboard/index.html',
    'dashboard/src/api/failure.test.ts',
    'dashboard/dist/0/index.html',
    'dashboard/node_modules/a.js',
    'data/lock.db',
    '.env',
  ]
  assert.deepEqual(held.filter(isInContext), [
    'bin/docent.cjs',
    'src/main.ts',
    'tracker/script.js',
    'dashboard/src/main.tsx',
    'dashboard/index.html',
  ])
})

test('the compose files publish the port on loopback and keep all data in volumes', async () => {
  const read = async (name: string) => parse(await readFile(join(root, name), 'utf8')) as Compose
  const alone = await read('compose.yaml')
  assert.deepEqual(alone.services['docent']?.ports, ['127.0.0.1:4100:4100'])
  assert.deepEqual(alone.services['docent']?.volumes, ['data:/data'])
  const added = await read('compose.postgres.yaml')
  assert.match(added.services['docent']?.environment?.['DATABASE_URL'] ?? '', /@postgres:5432\/docent$/)
  for (const { services, volumes } of [alone, added]) {
    const used = Object.values(services).flatMap((service) => (service.volumes ?? []).map((one) => one.split(':')[0]))
    assert.deepEqual(used, Object.keys(volumes))
  }
})

type Compose = {
  readonly volumes: Readonly<Record<string, null>>
  readonly services: Readonly<
    Record<
      string,
      {
        readonly ports?: readonly string[]
        readonly volumes?: readonly string[]
        readonly environment?: Readonly<Record<string, string>>
      }
    >
  >
}
