// The container image without a container engine: its file systems are built with the steps of the Dockerfile. Then the service
// runs in them as the image's user, with a root that nobody can write, is healthy by the image's own check, and stops.
// TEST_IMAGE_BASE=debian builds on Debian's own packages instead of this machine's system, and measures every layer.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { enterAsUser, mountReadOnly, type Stage, toBuild } from './build.ts'
import { composeDebian } from './debian.ts'
import { createContextFilter, parseDockerfile } from './dockerfile.ts'
import { expectSizes, measure } from './sizes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const isWhole = process.env['TEST_IMAGE_BASE'] === 'debian'

/** The files that a container engine would be given. */
async function copyContext(into: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 1 << 24 })
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

/** Who it is, and which files it can write. */
const lookAround = `
  echo "user $(id -u):$(id -g) $(id -un)"
  for place in / /opt/docent /usr/local/bin /var/tmp /etc; do touch $place/written 2>/dev/null && echo "writes $place"; done
  touch /data/written /tmp/written && rm /data/written && echo "writes /data and /tmp"
  test -z "$(find /opt/docent -name node_modules -prune -o -name '*.ts' -print)" && echo 'no sources'`

/** Starts the image's command with other arguments, waits until its own check passes, runs commands, and stops it. */
function runService(name: string, stage: Stage, args: readonly string[], inside: readonly (readonly string[])[]) {
  const { script, root: place } = mountReadOnly(stage, name)
  const run = (command: readonly string[]) => enterAsUser(place, stage, command)
  return `${script}
    ${run([...stage.entrypoint, ...args])} > /run/docent-image/${name}.out &
    service=$!
    healthy=no
    for _ in $(seq 240); do
      if ${run(stage.healthcheck)}; then healthy=yes; break; fi
      kill -0 $service 2>/dev/null || break
      sleep 0.5
    done
    echo "${name} healthy $healthy"
    ${inside.map(run).join('\n')}
    kill -TERM $service 2>/dev/null || true
    code=0; wait $service || code=$?
    echo "${name} exit $code"
    sed 's/^/${name}: /' /run/docent-image/${name}.out`
}

test('the image runs the packages as a user without rights, on a root to read only', async (t) => {
  const folder = await temporaryFolder('image')
  t.after(() => removeFolder(folder))
  const context = join(folder, 'context')
  await copyContext(context)
  const debian = isWhole ? join(folder, 'debian') : undefined
  if (debian !== undefined) await composeDebian(debian)
  const instructions = parseDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))
  const { script, stages } = toBuild(instructions, { context, node: process.execPath, debian })
  const [slim, whole] = [stages.get('slim') ?? assert.fail(), [...stages.values()].at(-1) ?? assert.fail()]
  const total = `for _ in $(seq 240); do grep -q 'project delete' /run/docent-image/demo.out && break; sleep 0.5; done`
  const checked = [
    script,
    ...whole.layers.map((layer) => measure(layer, isWhole)),
    runService('slim', slim, slim.cmd, [
      ['sh', '-c', lookAround],
      ['docent', 'project', 'list', '--json'],
      ['node', '-e', lookAtPage],
    ]),
    runService('demo', whole, ['demo'], []).replace('kill -TERM', `${total}; kill -TERM`),
    // Without the engine, stored page views would be ignored.
    runService('refused', slim, slim.cmd, []),
  ].join('\n')
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', checked])
  t.after(() => child.kill('SIGKILL'))
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const lines = out.trim().split('\n')
  const all = `${out}\n${errors}`
  assert.match(out, /^slim: docent listens on http:\/\/0\.0\.0\.0:4100$/m, all)
  assert.match(out, /^demo: .*The check again: it passes/m, all)
  assert.match(out, /^demo: +total +[1-9]\d\d /m, all)
  assert.match(errors, /has page views\. Page views need an engine/, all)
  const layers = lines.filter((line) => line.startsWith('layer\t'))
  const others = lines.filter((line) => !/^(?:(?:slim|demo|refused): |layer\t)/.test(line))
  assert.deepEqual(
    others,
    [
      'slim healthy yes',
      'user 1000:1000 docent',
      'writes /data and /tmp',
      'no sources',
      '[]',
      'dashboard 200 br',
      'slim exit 0',
      'demo healthy yes',
      'demo exit 0',
      'refused healthy no',
      'refused exit 2',
    ],
    all,
  )
  await expectSizes(layers, isWhole)
})
