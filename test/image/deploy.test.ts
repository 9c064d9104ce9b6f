// The files that run the image elsewhere: every setting, port, path, volume and name in them is one that the code has, and
// the manifests fit the types and schemas of Kubernetes.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { healthRoute, readyRoute } from '../../src/http/resources/meta/contract.ts'
import { image, repository } from '../../src/lib/release/names.ts'
import { version } from '../../src/service/version.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { toBuild } from './build.ts'
import { createContextFilter, type Instruction, parseDockerfile } from './dockerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFile(join(root, path), 'utf8')
const instructions = parseDockerfile(await read('Dockerfile'))
const { stages } = toBuild(instructions, { context: '/context', node: '/node', debian: undefined })
const own = [...stages.values()].at(-1) ?? assert.fail()
const port = own.env['DOCENT_PORT'] ?? assert.fail()
/** With the engine for page views, and without it. */
const images = [`${image}:${version}`, `${image}:${version}-slim`]
/** A stop takes up to 30 seconds. */
const stopSeconds = 40

const textOf = (kind: Instruction['kind']) =>
  instructions.flatMap((one) => (one.kind === kind && 'text' in one ? [one.text] : []))

test('an instruction that the build does not know is refused', () => {
  assert.throws(() => parseDockerfile('FROM node:24-x\nADD a b\n'), /ADD is not known/)
  assert.throws(() => parseDockerfile('FROM node:24-x\nCOPY --chown=node a b\n'), /an option of COPY/)
  const from = parseDockerfile('FROM debian:latest\nRUN true\n')
  assert.throws(() => toBuild(from, { context: '/', node: '/', debian: undefined }), /base image is not known/)
})

test('the build context holds the sources of packages, and neither tests nor data', async () => {
  const isInContext = createContextFilter(await read('.dockerignore'))
  const held = [
    'bin/docent.cjs',
    'src/main.ts',
    'scripts/packages/pack.ts',
    'tracker/script.js',
    'dashboard/index.html',
  ]
  const left = [
    'src/jobs/job.test.ts',
    'tracker/browser.d.ts',
    'dashboard/src/api/failure.test.ts',
    'dashboard/dist/0/index.html',
    'dashboard/node_modules/a.js',
    'data/lock.db',
    '.env',
  ]
  assert.deepEqual([...held, ...left].filter(isInContext), held)
})

test('the image says what it is, and names its user by number', async () => {
  const { license } = JSON.parse(await read('package.json')) as { license: string }
  const labels = { source: repository, licenses: license, version }
  for (const [name, value] of Object.entries(labels)) {
    assert.equal(own.labels[`org.opencontainers.image.${name}`], value, name)
  }
  assert.match(own.user, /^[1-9]\d*:[1-9]\d*$/)
  assert.deepEqual([own.volumes, textOf('expose'), textOf('stopsignal')], [['/data'], [port], ['SIGTERM']])
  assert.match(own.healthcheck.join(' '), new RegExp(`DOCENT_PORT \\+ '${readyRoute.path}'`))
  const config = parseConfig(own.env)
  assert.deepEqual([config.dataDir, config.port, config.host], ['/data', Number(port), '0.0.0.0'])
})

type Container = {
  readonly image: string
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly stop_grace_period?: string
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Environment
  readonly healthcheck?: object
  readonly build?: string | { readonly target: string }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}
type Compose = {
  readonly volumes: Readonly<Record<string, null>>
  readonly services: Readonly<Record<string, Container>>
}

/** The file with the values that people set. */
async function readCompose(name: string): Promise<Compose> {
  const text = await read(name)
  const given = (variable: string) => (variable === 'DOCENT_SECRET_KEY' ? 'A'.repeat(43).concat('=') : 'aSecret1')
  const filled = text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, variable: string, kind?: string, rest = '') =>
    kind === '-' ? rest : variable === 'DOCENT_PUBLIC_URL' ? 'https://docent.example.com' : given(variable),
  )
  return parse(filled) as Compose
}

test('the containers of the compose files have what the image needs', async () => {
  for (const [name, at] of [
    ['compose.yaml', 0],
    ['compose.server.yaml', 1],
  ] as const) {
    const { services, volumes } = await readCompose(name)
    const docent = services['docent'] ?? assert.fail()
    assert.equal(docent.image, images[at], name)
    const target = typeof docent.build === 'object' ? docent.build.target : [...stages.keys()].at(-1)
    assert.equal(target, ['analytics', 'slim'][at], name)
    assert.deepEqual([docent.read_only, docent.tmpfs], [true, ['/tmp']], name)
    assert.equal(docent.stop_grace_period, `${stopSeconds}s`, name)
    parseConfig({ ...own.env, ...docent.environment })
    const mounts = Object.values(services).flatMap((one) => (one.volumes ?? []).map((mount) => mount.split(':')))
    assert.ok(docent.volumes?.some((mount) => mount.split(':').at(-1) === own.volumes[0]))
    const isPath = (source: string) => /^[./]/.test(source)
    const named = mounts.flatMap(([source = '', to]) => (to === undefined || isPath(source) ? [] : [source]))
    assert.deepEqual(named.toSorted(), Object.keys(volumes).toSorted(), name)
    for (const [source = '', to] of mounts) if (to && isPath(source)) await stat(join(root, source))
    for (const [on, { condition }] of Object.values(services).flatMap((one) => Object.entries(one.depends_on ?? {}))) {
      assert.equal(condition, 'service_healthy')
      assert.ok(services[on]?.healthcheck ?? on === 'docent', on)
    }
  }
})

test('only a proxy, or this machine, reaches the service of a compose file', async () => {
  const [alone, server] = [await readCompose('compose.yaml'), await readCompose('compose.server.yaml')]
  const published = (compose: Compose) =>
    Object.entries(compose.services).flatMap(([name, { ports = [] }]) => ports.map((one) => `${name} ${one}`))
  assert.deepEqual(published(alone), [`docent 127.0.0.1:${port}:${port}`])
  assert.deepEqual(published(server), ['caddy 80:80', 'caddy 443:443', 'caddy 443:443/udp'])
  const caddyfile = await read('deploy/Caddyfile')
  assert.match(caddyfile, new RegExp(`^\\t\\tdynamic a docent ${port}$`, 'm'))
  assert.match(caddyfile, /^\trespond \/metrics 404$/m)
  const variables = Array.from(caddyfile.matchAll(/\{\$(\w+)\}/g), ([, name]) => name)
  assert.deepEqual(variables, Object.keys(server.services['caddy']?.environment ?? {}))
  // The proxy that people reach is the only hop.
  assert.equal(server.services['docent']?.environment?.['DOCENT_TRUSTED_PROXIES'], '1')
})

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly replicas?: number
    readonly serviceName?: string
    readonly selector?: unknown
    readonly ports?: readonly { readonly targetPort?: string }[]
    readonly template?: { readonly metadata: Manifest['metadata']; readonly spec: Pod }
    readonly volumeClaimTemplates?: readonly Manifest[]
  }
}
type Pod = {
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly volumes: readonly { readonly name: string }[]
  readonly containers: readonly {
    readonly image: string
    readonly args?: readonly string[]
    readonly envFrom: readonly { readonly configMapRef?: { readonly name: string } }[]
    readonly env: readonly { readonly name: string; readonly value: string }[]
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
    readonly securityContext: Readonly<Record<string, unknown>>
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    readonly startupProbe: Probe
    readonly readinessProbe: Probe
    readonly livenessProbe: Probe
  }[]
}

const folder = 'deploy/kubernetes'
const models = { ConfigMap, Deployment, Ingress, Service, StatefulSet }
const modules: Readonly<Record<keyof typeof models, string>> = {
  ConfigMap: 'v1/ConfigMap',
  Deployment: 'apps/v1/Deployment',
  Ingress: 'networking.k8s.io/v1/Ingress',
  Service: 'v1/Service',
  StatefulSet: 'apps/v1/StatefulSet',
}
const readManifests = async (name: string) =>
  parseAllDocuments(await read(join(folder, name))).map((one) => one.toJS() as Manifest)
const manifests = new Map<string, readonly Manifest[]>()
for (const name of await readdir(join(root, folder))) manifests.set(name, await readManifests(name))
const all = [...manifests.values()].flat()

test('the manifests have values that Kubernetes takes', () => {
  for (const one of all) new models[one.kind as keyof typeof models](one as never).validate()
  const wrong = { ...all.find(({ kind }) => kind === 'StatefulSet'), spec: { replicas: 1 } }
  assert.throws(() => new StatefulSet(wrong as never).validate(), /selector/)
})

test('the manifests have no field that Kubernetes does not know', async (t) => {
  const into = await temporaryFolder('manifests')
  t.after(() => removeFolder(into))
  await symlink(join(root, 'node_modules'), join(into, 'node_modules'))
  const toLine = (one: Manifest, at: number) => {
    const type = `import('kubernetes-models/${modules[one.kind as keyof typeof models]}').I${one.kind}`
    return `export const m${at}: ${type} = ${JSON.stringify(one)}`
  }
  // A misspelt probe: the schemas alone accept it.
  const planted = toLine(all.find(({ kind }) => kind === 'StatefulSet') ?? assert.fail(), all.length)
  const lines = [...all.map(toLine), planted.replace('readinessProbe', 'readynessProbe')]
  await writeFile(join(into, 'manifests.ts'), lines.join('\n'))
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', 'manifests.ts']
  const { stdout } = await new Promise<{ stdout: string }>((done) => {
    execFile(join(root, 'node_modules/.bin/tsc'), args, { cwd: into }, (_, output) => done({ stdout: output }))
  })
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  assert.equal(errors.length, 1, stdout)
  assert.match(errors[0] ?? '', new RegExp(`^manifests\\.ts\\(${lines.length},.*readynessProbe"' does not exist`))
})

for (const [name, documents] of manifests) {
  const workload = documents.find(({ spec }) => spec?.template)
  if (workload === undefined) continue
  test(`the Pod of ${name} runs the image as it is built`, () => {
    const { template, serviceName, replicas } = workload.spec ?? {}
    const pod = template?.spec ?? assert.fail()
    const [container, ...more] = pod.containers
    assert.ok(container !== undefined && more.length === 0)
    const isSlim = container.image === images[1]
    assert.deepEqual([images.includes(container.image), replicas], [true, isSlim ? 2 : 1])
    const [uid, gid] = own.user.split(':').map(Number)
    const { runAsNonRoot, runAsUser, runAsGroup, fsGroup } = pod.securityContext
    assert.deepEqual([runAsNonRoot, runAsUser, runAsGroup, fsGroup], [true, uid, gid, gid])
    const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext
    assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities], [false, true, { drop: ['ALL'] }])
    assert.equal(pod.terminationGracePeriodSeconds, stopSeconds)
    assert.deepEqual(container.ports, [{ name: 'http', containerPort: Number(port) }])
    // A Service with the name `docent` sets DOCENT_PORT to an address in Pods with these links.
    assert.equal(pod.enableServiceLinks, false)
    const { startupProbe, readinessProbe, livenessProbe } = container
    const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => [httpGet.path, httpGet.port])
    assert.deepEqual(paths, [
      [readyRoute.path, 'http'],
      [readyRoute.path, 'http'],
      [healthRoute.path, 'http'],
    ])
    const config = documents.find(({ kind }) => kind === 'ConfigMap')
    assert.deepEqual(container.envFrom[0]?.configMapRef, { name: config?.metadata.name })
    const env = Object.fromEntries(container.env.map((one) => [one.name, one.value]))
    const { dataDir, publicUrl } = parseConfig({ ...own.env, ...config?.data, ...env })
    const mounts = container.volumeMounts.map((one) => one.mountPath)
    assert.deepEqual([mounts, dataDir], [['/data', '/tmp'], '/data/docent'])
    assert.equal(publicUrl, 'https://docent.example.com')
    const claims = (workload.spec?.volumeClaimTemplates ?? []).map((one) => one.metadata.name)
    const volumes = [...claims, ...pod.volumes.map((one) => one.name)].toSorted()
    assert.deepEqual(container.volumeMounts.map((one) => one.name).toSorted(), volumes)
    const services = documents.filter(({ kind }) => kind === 'Service')
    for (const { spec } of services) {
      assert.deepEqual(spec?.selector, template?.metadata.labels)
      assert.deepEqual(
        spec?.ports?.map((one) => one.targetPort),
        ['http'],
      )
    }
    assert.ok(serviceName === undefined || services.some(({ metadata }) => metadata.name === serviceName))
  })
}
