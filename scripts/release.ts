// Makes a release of this checkout. `npm run release -- --help` says how.

import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { image, packages, repository } from '../src/lib/release/names.ts'
import { version } from '../src/service/version.ts'
import { pack } from './packages/pack.ts'
import { type Command, publishCommands, tagCommand, toText } from './release/commands.ts'
import { type Packaged, readPackages, writeFiles } from './release/files.ts'
import { checkNames } from './release/names/check-names.ts'
import { checkPlaces } from './release/names/places.ts'
import { newestSection, notesOf } from './release/notes.ts'
import { findObstacles, isTagged } from './release/obstacles.ts'
import { publish } from './release/publish.ts'
import { differing, readVersions } from './release/versions.ts'

const help = `Makes a release of this checkout: checks, packages, bills of materials, digests, notes, tag.

  npm run release -- --dry-run       does everything except .ci/run, the tag and what follows; lists what would stop it
  npm run release -- --check-names   the last question: do all texts use the names of
                                     src/lib/release/names.ts, and are the names free or ours?
  npm run release -- --publish       the release: runs .ci/run, asks the last question, tags and publishes.
                                     After a failure, run it again: it skips what is done.

  --into FOLDER     where the files are written (default: packages)
  --packed FOLDER   uses the packages in this folder, which \`npm run pack\` made, and writes beside them
  --checked         with --publish: .ci/run has passed for this commit

The files: a tarball and a bill of materials (CycloneDX) for each package, SHA256SUMS, and NOTES.md from CHANGELOG.md.
A release needs git, npm with a login, docker with buildx, and gh with a login.
`

const root = fileURLToPath(new URL('..', import.meta.url))
const names = { packages, repository, image }
const say = (line: string) => console.log(line)

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'dry-run': { type: 'boolean' },
      'check-names': { type: 'boolean' },
      publish: { type: 'boolean' },
      checked: { type: 'boolean' },
      into: { type: 'string' },
      packed: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return said(0, help)
  const modes = [values['dry-run'], values['check-names'], values.publish].filter(Boolean)
  if (modes.length !== 1) return said(2, `Choose one of --dry-run, --check-names and --publish.\n\n${help}`)
  if (values['check-names']) return (await checkNames({ root, names, version, say })).isFree ? 0 : 1
  const isDry = values['dry-run'] === true
  if (!agree() || !isReady(isDry)) return 1
  if (!isDry && !values.checked) run(['.ci/run'])
  const folder = resolve(values.packed ?? values.into ?? join(root, 'packages'))
  return release(folder, { isDry, isPacked: values.packed !== undefined })
}

function said(code: number, text: string): number {
  const stream = code === 0 ? process.stdout : process.stderr
  stream.write(text)
  return code
}

/** False: the places that say the version differ. */
function agree(): boolean {
  const places = readVersions(root)
  for (const { place, version: other } of differing(places)) say(`✖ ${place} says ${other ?? 'no version'}`)
  if (differing(places).length > 0) say('All places must have one version: change them, and run `npm install`.')
  else say(`✔ ${places.length} places say ${version}`)
  return differing(places).length === 0
}

/** False: something stops the release. A dry run only lists it. */
function isReady(isDry: boolean): boolean {
  const obstacles = findObstacles(root, version)
  for (const { what, remedy } of obstacles) say(`${isDry ? '! would stop:' : '✖'} ${what} ${remedy}`)
  const { files, faults } = checkPlaces(root, { names, version })
  for (const { path, line, found, wanted } of faults) say(`✖ ${path}:${line} has ${found}, expected ${wanted}`)
  if (faults.length === 0) say(`✔ ${files} texts use the names of src/lib/release/names.ts`)
  return faults.length === 0 && (isDry || obstacles.length === 0)
}

type How = { readonly isDry: boolean; readonly isPacked: boolean }

async function release(folder: string, { isDry, isPacked }: How): Promise<number> {
  if (!isPacked) {
    say('… packages')
    run(['npm', 'run', '--silent', 'build'])
    await pack(folder)
  }
  const packaged = await readPackages(folder)
  if (!areAll(packaged, isDry)) return 1
  const section = newestSection(await readFile(join(root, 'CHANGELOG.md'), 'utf8'))
  if (!section) return said(1, 'CHANGELOG.md has no section.\n')
  const files = await writeFiles(folder, packaged, notesOf(section, repository))
  for (const file of files) say(`✔ ${relative(process.cwd(), file)}`)
  const commands = publishCommands({ version, names, folder, packages: packaged, files })
  return isDry ? showCommands(commands) : publishAll(commands, packaged)
}

/** False: they are not the packages of this release. */
function areAll(packaged: readonly Packaged[], isDry: boolean): boolean {
  const known: readonly string[] = Object.values(packages)
  const lacking = known.filter((name) => !packaged.some((one) => one.name === name))
  const others = packaged.filter((one) => one.version !== version || !known.includes(one.name))
  for (const name of lacking) say(`${isDry ? '! would stop:' : '✖'} There is no package ${name}.`)
  for (const one of others) say(`✖ ${one.name} ${one.version} is no package of release ${version}`)
  return others.length === 0 && (isDry || lacking.length === 0)
}

function showCommands(commands: readonly Command[]): number {
  say('A release would now run .ci/run, ask `--check-names`, and run:')
  for (const command of [tagCommand({ version }), ...commands]) say(`  ${toText(command)}`)
  return 0
}

async function publishAll(commands: readonly Command[], packaged: readonly Packaged[]): Promise<number> {
  const { isFree: isOurs, standings } = await checkNames({ root, names, version, say })
  if (!isOurs) return 1
  publish({ version, commands, packages: packaged, isTagged: isTagged(root, version), standings, say, run })
  say(`✔ ${version} is released. Next: raise the version, and begin a section in CHANGELOG.md.`)
  return 0
}

/** Throws when it fails. */
function run(command: Command): void {
  say(`$ ${toText(command)}`)
  const [program, ...args] = command
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  return said(1, `${error instanceof Error ? error.message : String(error)}\n`)
})
