// All texts use the names of `src/lib/release/names.ts`, and the last question before a release finds one that does not, and a name
// that belongs to others. Its registry here is a loopback server, asked by the real npm.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { image, packages, repository } from '../../src/lib/release/names.ts'
import { version } from '../../src/service/version.ts'
import { checkPlaces, judge } from '../../scripts/release/names/places.ts'
import { askRegistry } from '../../scripts/release/names/registry.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = { packages, repository, image }

test('every text uses the names of the file of names', () => {
  const { files, mentions, faults } = checkPlaces(root, { names, version })
  assert.deepEqual(faults, [])
  assert.ok(files > 1_000 && mentions > 30)
})

test('another name in the file of names leads to each text that has the one before', () => {
  const other = {
    packages: {
      service: 'handbook',
      analytics: '@handbook/analytics',
      check: '@handbook/check',
      client: '@handbook/client',
    },
    repository: 'https://github.com/handbook/handbook',
    image: 'ghcr.io/handbook/handbook',
  }
  const { faults } = checkPlaces(root, { names: other, version: '9.9.9' })
  const paths = new Set(faults.map(({ path }) => path))
  const expected = [
    '.github/ISSUE_TEMPLATE/config.yml',
    'Dockerfile',
    'SECURITY.md',
    'client/README.md',
    'client/package.json',
    'docs/guides/packages.md',
    'docs/guides/page-views.md',
    'integrations/github/check/action.yml',
    'integrations/gitlab/check.yml',
    'package.json',
  ]
  assert.deepEqual(
    expected.filter((path) => !paths.has(path)),
    [],
  )
})

const planted: readonly (readonly [text: string, found: string | undefined])[] = [
  [`uses ${packages.check}@${version}`, undefined],
  [`uses ${packages.check}@0.0.9`, `${packages.check}@0.0.9`],
  ['npx @docent-labs/check .', '@docent-labs/check'],
  ['import a from "@docent/unknown"', '@docent/unknown'],
  ['npm install --global docent-server', 'npm install --global docent-server'],
  ['npm install --global docent', undefined],
  ['npm install --prefix docent-check x', undefined],
  ['npm i ./docent-checker-0.1.0.tgz', 'docent-checker-0.1.0.tgz'],
  [`npm i ./docent-check-${version}.tgz`, undefined],
  ['npm i ./docent-check-0.0.9.tgz', 'docent-check-0.0.9.tgz'],
  ['git clone https://github.com/acme/docent', 'https://github.com/acme/docent'],
  [`git clone ${repository}.git`, undefined],
  ['uses: acme/docent/integrations/github/check@v1', 'uses: acme/docent'],
  ['docker run docker.io/acme/docent:1', 'docker.io/acme/docent:1'],
  [`docker run ${image}:${version}`, undefined],
  [`docker run ${image}:0.0.9`, `${image}:0.0.9`],
  ['https://github.com/OWNER/docent', 'https://github.com/OWNER/docent'],
  ['docker pull ghcr.io/<owner>/docs', 'ghcr.io/<owner>/'],
  ['the app https://github.com/apps/docent-acme, and @docent, please', undefined],
]

test('names, versions and placeholders of others are found with their line', () => {
  for (const [text, found] of planted) {
    const [fault] = judge('docs/a.md', `# A\n\n${text}\n`, { names, version }).faults
    assert.deepEqual([fault?.found, fault?.line], [found, found && 3], text)
  }
})

/** Responds as a registry does. Undefined: it has no such package. */
async function startRegistry(t: TestContext, packuments: Readonly<Record<string, object>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1))
    const found = packuments[name]
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: 'Not found' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const packument = (name: string, url: string) => {
  const one = { name, version: '0.1.0', repository: { type: 'git', url }, dist: {} }
  return { name, 'dist-tags': { latest: '0.1.0' }, versions: { '0.1.0': one } }
}

test('the registry says which names are free, ours or taken; silence is neither', async (t) => {
  const cache = await temporaryFolder('npm')
  t.after(() => removeFolder(cache))
  const registry = await startRegistry(t, {
    npm: packument('npm', 'git+https://github.com/npm/cli.git'),
    ours: packument('ours', `git+${repository}.git`),
    '@other/check': packument('@other/check', 'git+https://github.com/other/check.git'),
  })
  const asked = (address: string, of: readonly string[]) => {
    return askRegistry(of, repository, { ...process.env, npm_config_registry: address, npm_config_cache: cache })
  }
  assert.deepEqual(Object.fromEntries(await asked(registry, ['free', 'ours', '@other/check'])), {
    free: { kind: 'free' },
    ours: { kind: 'ours', versions: ['0.1.0'] },
    '@other/check': { kind: 'taken', repository: 'git+https://github.com/other/check.git' },
  })
  const empty = await startRegistry(t, {})
  assert.deepEqual((await asked(empty, ['free'])).get('free'), { kind: 'unknown', reason: 'it does not even know npm' })
  const silent = (await asked('http://127.0.0.1:9/', ['free'])).get('free')
  assert.ok(silent?.kind === 'unknown' && silent.reason.includes('ECONNREFUSED'), JSON.stringify(silent))
})
