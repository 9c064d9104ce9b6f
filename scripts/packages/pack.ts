// Makes the packages that are published, each in a folder, as a tarball, and with a bill of materials (SBOM) beside it:
//   node scripts/packages/pack.ts [folder [name…]]
// The service and the command line are bundled without the packages that they need, with the built dashboard; the engine of page views
// is a package beside it, because it is four times as large; `docent check` is bundled into a package without dependencies; the
// client is compiled, with its types.

import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBuild, hashSources } from '../../src/service/dashboard-build.ts'
import { packages, repository } from '../../src/lib/release/names.ts'
import { bundle } from './bundle.ts'
import { bundleCheck } from './bundle-check.ts'
import { writeClient } from './client.ts'
import { type SbomManifest, writeSbom } from './sbom.ts'
import { type Lock, toShrinkwrap } from './shrinkwrap.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The engine of page views, which `@docent/analytics` brings. */
const engine = 'chdb'

export type Packed = {
  readonly name: string
  readonly folder: string
  readonly tarball: string
  /** In CycloneDX, named like the tarball. */
  readonly sbom: string
}

/** The code host, as npm shows it. */
const published = {
  repository: { type: 'git', url: `git+${repository}.git` },
  bugs: `${repository}/issues`,
  homepage: `${repository}#readme`,
}

const makers = {
  service: writeService,
  analytics: writeAnalytics,
  check: writeCheck,
  client: (folder: string, { version }: Manifest) => writeClient(root, folder, version),
} as const

/** Without names, all of them. Throws when the dashboard is not built, or for another name. */
export async function pack(into: string, names: readonly string[] = Object.keys(makers)): Promise<readonly Packed[]> {
  const unknown = names.find((name) => !Object.hasOwn(makers, name))
  if (unknown !== undefined) throw new Error(`There is no package ${unknown}: ${Object.keys(makers).join(', ')}.`)
  await rm(into, { recursive: true, force: true })
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  const packed: Packed[] = []
  for (const [name, write] of Object.entries(makers).filter(([name]) => names.includes(name))) {
    const folder = join(into, name)
    await mkdir(folder, { recursive: true })
    const bundled = await write(folder, manifest)
    await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    const own = { ...(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as SbomManifest), ...published }
    await writeJson(join(folder, 'package.json'), own)
    const tarball = await packFolder(folder, into)
    const sbom = tarball.replace(/\.tgz$/, '.cdx.json')
    await writeSbom(sbom, own, await readLock(), bundled ?? undefined)
    packed.push({ name, folder, tarball, sbom })
  }
  return packed
}

type Manifest = {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

async function writeService(folder: string, manifest: Manifest): Promise<void> {
  const build = findBuild(hashSources())
  if (build === undefined) throw new Error('The dashboard is not built: run `npm run build`.')
  const { [engine]: _engine, ...dependencies } = manifest.dependencies
  const { version, description, license, engines } = manifest
  const bin = { docent: 'bin/docent.cjs' }
  const own = { name: packages.service, version, description, license, type: 'module', bin, engines, dependencies }
  await writeJson(join(folder, 'package.json'), own)
  await writeJson(join(folder, 'npm-shrinkwrap.json'), toShrinkwrap(await readLock(), own))
  const [from, into] = [join(root, 'src'), join(folder, 'src')]
  await bundle({ from, into, entries: { main: join(from, 'main.ts') }, withPackages: false })
  await copyFiles(from, into)
  for (const part of ['README.md', 'tracker/script.js', 'examples/docs']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await cp(build, join(folder, 'dashboard/dist', basename(build)), { recursive: true })
  await copyStart('docent.cjs', '../src/main.ts', '../src/main.js', folder)
}

/** The files that the sources read. */
async function copyFiles(from: string, into: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of entries.filter((one) => one.isFile() && !one.name.endsWith('.ts'))) {
    await cp(join(parentPath, name), join(into, relative(from, parentPath), name))
  }
}

/** The start of a command, which imports another file in a package than in a checkout. */
async function copyStart(name: string, from: string, to: string, folder: string): Promise<void> {
  const text = await readFile(join(root, 'bin/docent.cjs'), 'utf8')
  if (!text.includes(`import('${from}')`)) throw new Error(`bin/docent.cjs does not import ${from}.`)
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin', name), text.replace(from, to))
  await chmod(join(folder, 'bin', name), 0o755)
}

/** `docent` finds the engine through this package. */
async function writeAnalytics(folder: string, { version, license, dependencies }: Manifest): Promise<void> {
  const description =
    'The engine that stores page views for Docent. It has no build for Windows, or for Linux with musl.'
  const needed = { [engine]: dependencies[engine] }
  await writeJson(join(folder, 'package.json'), {
    name: packages.analytics,
    version,
    description,
    license,
    dependencies: needed,
  })
  await writeFile(
    join(folder, 'README.md'),
    `# ${packages.analytics}\n\n${description} Install it beside \`${packages.service}\`.\n`,
  )
}

/** Returns where the packages are that it contains. */
async function writeCheck(folder: string, { version, license, engines }: Manifest): Promise<readonly string[]> {
  const description = 'Checks a folder of documentation: links, navigation, frontmatter, syntax.'
  const bin = { 'docent-check': 'bin/docent-check.cjs' }
  await writeJson(join(folder, 'package.json'), {
    name: packages.check,
    version,
    description,
    license,
    type: 'module',
    bin,
    engines,
  })
  await cp(join(root, 'docs/guides/check.md'), join(folder, 'README.md'))
  const bundled = await bundleCheck(root, join(folder, 'dist'))
  await copyStart('docent-check.cjs', '../src/main.ts', '../dist/main.js', folder)
  return bundled
}

async function readLock(): Promise<Lock> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** Makes a tarball of a folder with a package, beside it. */
export async function packFolder(folder: string, into: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', into], { cwd: folder })
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }]
  return join(into, packed.filename)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [into = join(root, 'packages'), ...names] = process.argv.slice(2)
  for (const { name, tarball } of await pack(resolve(into), names.length === 0 ? undefined : names)) {
    console.log(name, tarball)
  }
}
