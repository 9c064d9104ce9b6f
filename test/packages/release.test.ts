// A release up to its tag, from the packages of this checkout: its digests, bills of materials, notes and commands.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { image, packages as names, repository } from '../../src/lib/release/names.ts'
import { version } from '../../src/service/version.ts'
import { type AllPacked, packOnce } from './packed.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

let packed: AllPacked
let output: string
before(async () => {
  packed = await packOnce()
  const args = [join(root, 'scripts/release.ts'), '--dry-run', '--packed', packed.folder]
  output = (await run(process.execPath, args, { cwd: root })).stdout
})

const readJson = async <T>(path: string) => JSON.parse(await readFile(path, 'utf8')) as T

test('a dry run of a release writes digests that agree with its files', async () => {
  const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: packed.folder })
  const files = packed.packages.flatMap(({ tarball, sbom }) => [basename(tarball), basename(sbom)])
  assert.deepEqual(stdout.trim().split('\n').toSorted(), files.map((name) => `${name}: OK`).toSorted())
})

test('a dry run of a release prints the commands that publish each package once', () => {
  assert.match(output, new RegExp(`^  git tag --annotate v${version} `, 'm'))
  assert.match(output, new RegExp(`^  docker buildx build .*--tag=${image}:${version} .*--push \\.$`, 'm'))
  const published = [...output.matchAll(/^ {2}npm publish (\S+) --access public$/gm)].map(([, path = '']) => path)
  assert.deepEqual(published.toSorted(), packed.packages.map(({ tarball }) => tarball).toSorted())
  assert.equal(published.at(-1), packed.packages.find(({ name }) => name === 'service')?.tarball)
})

test('the notes of a release are the section of the changelog, with whole addresses', async () => {
  const notes = await readFile(join(packed.folder, 'NOTES.md'), 'utf8')
  assert.match(notes, /^The first release|^#|^-/m)
  assert.ok(notes.includes(`](${repository}/blob/v${version}/docs/`))
  assert.doesNotMatch(notes, /\]\(docs\/|^## \[/m)
})

test('each package names the code host, and one of the names that are published', async () => {
  const known: readonly string[] = Object.values(names)
  for (const { folder } of packed.packages) {
    const { name, repository: own } = await readJson<{ name: string; repository: { url: string } }>(
      join(folder, 'package.json'),
    )
    assert.ok(known.includes(name), name)
    assert.equal(own.url, `git+${repository}.git`)
  }
})

type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly scope: 'required' | 'optional'
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly externalReferences?: readonly unknown[]
}
type Sbom = {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

test('each package has a bill of materials of exactly what it brings or contains', async () => {
  const sboms = new Map<string, Sbom>()
  for (const { name, folder, sbom: path } of packed.packages) {
    const sbom = await readJson<Sbom>(path)
    sboms.set(name, sbom)
    assert.deepEqual([sbom.bomFormat, sbom.specVersion], ['CycloneDX', '1.5'])
    const { name: published } = await readJson<{ name: string }>(join(folder, 'package.json'))
    assert.deepEqual([sbom.metadata.component.name, sbom.metadata.component.version], [published, version])
    const refs = new Set([sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']))
    for (const { ref, dependsOn } of sbom.dependencies) for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one))
    for (const one of sbom.components) {
      assert.ok(one.purl.startsWith('pkg:npm/') && one.purl.endsWith(`@${one.version}`), one.purl)
      // The lock has no digests of the builds for other platforms.
      const isKnown = one.scope === 'optional' && one.hashes === undefined
      assert.ok(isKnown || /^[0-9a-f]{128}$/.test(one.hashes?.[0]?.content ?? ''), one.name)
      assert.deepEqual(one.externalReferences, [], 'no address of a registry')
    }
  }
  const namesIn = (name: string) => sboms.get(name)?.components.map((one) => one.name) ?? assert.fail(name)
  const service = packed.packages.find(({ name }) => name === 'service')?.folder ?? assert.fail()
  const shrinkwrap = await readJson<{ packages: object }>(join(service, 'npm-shrinkwrap.json'))
  assert.equal(namesIn('service').length, Object.keys(shrinkwrap.packages).length - 1)
  assert.ok(namesIn('analytics').includes('chdb') && !namesIn('service').includes('chdb'))
  assert.ok(namesIn('check').includes('yaml') && !namesIn('check').includes('pg'))
})
