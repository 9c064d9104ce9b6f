// Draws two hundred real edits, forty for each kind of site, from the history of public documentation: commits by people
// that change only pages, images and navigation. The same clones and seed give the same list. Run it with
// `node bench/edits/draw.ts FOLDER > bench/edits/edits.tsv`; `repositories.ts` says what the folder has.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Clones, type Drawn, openClones, repositories } from './repositories.ts'

type Commit = { readonly id: string; readonly paths: readonly string[] }

const perKind = 40
/** A commit with more files is a migration or a translation by a program. */
const mostPaths = 40
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the clones.')
const home = await mkdtemp(join(tmpdir(), 'docent-edits-'))
const clones = openClones(folder, home)
for (const repository of repositories) await draw(clones, repository)
await clones.runner.close()
await rm(home, { recursive: true })

async function draw(from: Clones, { kind, repository, folder: docs }: Drawn): Promise<void> {
  const share = perKind / repositories.filter((one) => one.kind === kind).length
  const random = createRandom(`${values.seed} ${repository}`)
  const commits = await listCommits(from, repository)
  const waiting = commits.filter(({ paths }) => paths.length <= mostPaths && paths.every((path) => isDocs(path, docs)))
  for (let drawn = 0; drawn < share && waiting.length > 0;) {
    const [commit] = waiting.splice(Math.floor(random() * waiting.length), 1)
    if (!commit || !(await changesOnlyNavigation(from, repository, commit))) continue
    console.log([kind, repository, commit.id, ...commit.paths].join('\t'))
    drawn += 1
  }
}

/** The commits of people with one parent, the newest first. */
async function listCommits(from: Clones, repository: string): Promise<readonly Commit[]> {
  const format = '--format=%x01%H%x00%an %ae%x00'
  const args = ['log', '--max-parents=1', '--min-parents=1', '--no-renames', '--name-only', '-z', format, 'HEAD']
  const { stdout } = await from.runner.run({ gitDir: from.gitDir(repository), args, maxBytes: 2 ** 30 })
  const commits = stdout.toString('utf8').split('\u0001').slice(1)
  return commits.flatMap((text) => {
    const [id = '', author = '', ...paths] = text.split('\0').map((one) => one.replace(/^\n/, ''))
    const isPerson = !/\bbot\b|\[bot\]|-bot|renovate|dependabot|github-actions|actions-user|weblate|crowdin/i.test(
      author,
    )
    const changed = paths.filter(Boolean)
    return isPerson && changed.some(isPage) ? [{ id, paths: changed }] : []
  })
}

function isDocs(path: string, docs: string): boolean {
  return path.startsWith(docs) && (isPage(path) || isImage(path) || isNavigation(path))
}

function isPage(path: string): boolean {
  if (/\.(?:md|mdx|markdown)$/i.test(path)) return true
  return /\.html$/i.test(path) && !/(?:^|\/)(?:_includes|_layouts|layouts|partials|theme|themes|overrides)\//.test(path)
}

function isImage(path: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path)
}

function isNavigation(path: string): boolean {
  return (
    /(?:^|\/)(?:[\w.-]*sidebars?[\w.-]*\.(?:js|ts|json|ya?ml)|mkdocs\.yml|_data\/[\w-]*(?:nav|docs|menu|toc)[\w-]*\.ya?ml)$/i.test(
      path,
    ) || /(?:^|\/)\.vitepress\/config(?:\/\w+)?\.[jt]s$/.test(path)
  )
}

/** Whether each changed line of a file of navigation only names an entry: its title, its address, its children. */
async function changesOnlyNavigation(from: Clones, repository: string, { id, paths }: Commit): Promise<boolean> {
  const files = paths.filter((path) => isNavigation(path))
  if (files.length === 0) return true
  const args = ['diff', '--no-renames', '--unified=0', `${id}^`, id, '--', ...files]
  const { stdout } = await from.runner.run({ gitDir: from.gitDir(repository), args })
  const lines = stdout.toString('utf8').split('\n')
  const changed = lines.filter((line) => /^[+-](?![+-]{2} )/.test(line)).map((line) => line.slice(1).trim())
  return changed.every((line) => isEntry(line))
}

function isEntry(line: string): boolean {
  const words = /^[\s\w'"`./,:[\]{}()#?&!+-]*$/
  if (line === '' || line.startsWith('//') || line.startsWith('#')) return true
  if (line.startsWith('- ') || /^[[\]{}(),;\s]*$/.test(line)) return true
  return (
    words.test(line) &&
    /^[{[\s]*(?:['"`]|text|link|items|label|type|id|title|url|href|collaps\w*|activeMatch|slug)/.test(line)
  )
}

/** Numbers from 0 to 1 that depend only on the seed. */
function createRandom(seed: string): () => number {
  let state = 0
  for (const character of seed) state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
