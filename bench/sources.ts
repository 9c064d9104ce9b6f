// Measures what a source costs a run: the time until its files can be read, cold (a new mirror), after twenty more commits, and
// warm, and the disk; in turn with the floor, `git fetch --depth 1`, and with a fetch of the whole branch. With all files, and
// with those in one folder. Then the history, a log, a change and a search. Run it with
// `node bench/sources.ts BARE_REPOSITORY:FOLDER… [--rounds 3] [--make]`: `--make` adds a repository of 2 GB, most of it in the
// history. The repositories are not changed; each is served by a copy that borrows its objects.

import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { openGit } from '../src/git/git.ts'
import type { Git, IsVisible } from '../src/git/types.ts'
import { createLog } from '../src/lib/observability/log.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, make: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
const folder = await temporaryFolder('sources')
const signal = () => AbortSignal.timeout(600_000)
const all: IsVisible = () => true

for (const given of positionals) {
  const [repository = '', paths = 'src'] = given.split(':')
  await measure(serve(repository), paths)
}
if (values.make) await measure(serve(await makeRepository()), 'src')
await removeFolder(folder)

type Served = { readonly name: string; readonly directory: string; readonly head: string; readonly earlier: string }

async function measure(served: Served, paths: string): Promise<void> {
  const { name, directory, head } = served
  const files = run(directory, ['ls-tree', '-r', '--name-only', head]).split('\n')
  const isVisible: IsVisible = (path) => path.startsWith(`${paths}/`)
  console.log(
    `${name}: ${run(directory, ['rev-list', '--count', head])} commits, ${files.length} files, ${files.filter(isVisible).length} in ${paths}/`,
  )
  for (let round = 1; round <= rounds; round += 1) {
    const tip = floor(directory, ['--depth=1'])
    if (!tip) throw new Error('The newest commit is not complete.')
    const whole = floor(directory, [])
    const every = await measureSource(served, all)
    const some = await measureSource(served, isVisible)
    const ratio = (ms: number) => `${seconds(ms)} s (${(ms / tip.ms).toFixed(2)})`
    const ofWhole = whole ? `${ratio(whole.ms)}, ${megabytes(whole.bytes)} MB` : 'not here'
    console.log(`  round ${round}: depth 1 ${seconds(tip.ms)} s, ${megabytes(tip.bytes)} MB; whole ${ofWhole}`)
    for (const [label, found] of [
      ['all', every],
      [paths, some],
    ] as const) {
      console.log(
        `    ${label}: cold ${ratio(found.cold)}, ${megabytes(found.coldBytes)} MB; 20 commits later ${ratio(found.later)}; ` +
          `warm ${ratio(found.warm)}; history ${seconds(found.history)} s, ${megabytes(found.bytes)} MB; ` +
          `log ${found.log} ms, change ${found.change} ms, search ${found.search} ms`,
      )
    }
  }
  run(directory, ['update-ref', 'refs/heads/main', head])
}

async function measureSource({ directory, head, earlier }: Served, isVisible: IsVisible) {
  const git = await open(join(folder, `mirrors-${performance.now()}`))
  const source = git.source('src_bench', `file://${directory}`)
  /** Until a run can read and search its files. */
  const start = async () => {
    const begin = performance.now()
    const { commit } = await source.fetch({ branch: 'main', isVisible }, signal())
    await source.pin(`run_${begin}`.replace('.', '_'), commit)
    await source.tree(commit, isVisible)
    return performance.now() - begin
  }
  const mirror = join(git.directory, 'src_bench.git')
  run(directory, ['update-ref', 'refs/heads/main', earlier])
  const cold = await start()
  const coldBytes = sizeOf(mirror)
  run(directory, ['update-ref', 'refs/heads/main', head])
  const later = await start()
  const warm = await start()
  const history = await timed(
    async () => void (await source.isAncestor('0'.repeat(40), head, signal()).catch(() => {})),
  )
  const log = await timed(() => source.log({ to: head, limit: 50, isVisible }, signal()))
  const asked = { from: earlier, to: head, isVisible, isGenerated: () => false, maxBytes: 1_000_000 }
  const change = await timed(() => source.showChange(asked, signal()))
  const tree = await source.tree(head, isVisible)
  const query = { pattern: 'deprecated', syntax: 'literal', ignoreCase: true, globs: [], limit: 100_000 } as const
  const search = await timed(() => tree.search(query, signal()))
  const bytes = sizeOf(mirror)
  await git.close()
  await removeFolder(git.directory)
  return {
    cold,
    coldBytes,
    later,
    warm,
    history,
    log: Math.round(log),
    change: Math.round(change),
    search: Math.round(search),
    bytes,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function open(directory: string): Promise<Git & { readonly directory: string }> {
  const limits = { maxRepositoryBytes: 1e10, maxRepositoryFiles: 100_000, maxFileBytes: 1_048_576, timeoutMs: 600_000 }
  const log = createLog('silent')
  const identity = { name: 'Bench', email: 'bench@example.com' }
  const git = await openGit({ directory, allowLocal: true, privateHosts: [], identity, log, ...limits })
  return { ...git, directory }
}

/** Undefined: the copy on this machine has not all of it. */
function floor(
  directory: string,
  flags: readonly string[],
): { readonly ms: number; readonly bytes: number } | undefined {
  const mirror = join(folder, `floor-${performance.now()}.git`)
  run(folder, ['init', '--quiet', '--bare', mirror])
  const begin = performance.now()
  try {
    run(mirror, ['fetch', '--quiet', '--no-tags', ...flags, `file://${directory}`, '+refs/heads/main:refs/heads/main'])
    return { ms: performance.now() - begin, bytes: sizeOf(mirror) }
  } catch {
    return undefined
  } finally {
    rmSync(mirror, { recursive: true })
  }
}

/** A copy whose branch main is the head of the repository. */
function serve(repository: string): Served {
  const name = basename(repository) === 'repo' ? basename(join(repository, '..')) : basename(repository)
  const directory = join(folder, `${name}.served.git`)
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', directory])
  const objects = run(repository, ['rev-parse', '--path-format=absolute', '--git-path', 'objects'])
  mkdirSync(join(directory, 'objects/info'), { recursive: true })
  writeFileSync(join(directory, 'objects/info/alternates'), `${objects}\n`)
  run(directory, ['config', 'uploadpack.allowFilter', 'true'])
  const head = run(repository, ['rev-parse', 'HEAD'])
  run(directory, ['update-ref', 'refs/heads/main', head])
  const earlier = run(directory, ['rev-list', '--first-parent', '--max-count=21', head]).split('\n').at(-1) ?? head
  return { name, directory, head, earlier }
}

/** 2,000 small files in `src`, and 40 versions of 50 files of 1 MB that do not compress. */
async function makeRepository(): Promise<string> {
  const directory = join(folder, 'made.git')
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', directory])
  const child = spawn('git', ['-c', 'core.compression=0', 'fast-import', '--quiet'], {
    cwd: directory,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const write = async (bytes: string | Buffer) => {
    if (!child.stdin.write(bytes)) await once(child.stdin, 'drain')
  }
  for (let version = 0; version < 40; version += 1) {
    await write(
      `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + version} +0000\ndata 7\nVersion\n`,
    )
    for (let n = 0; n < (version === 0 ? 2_000 : 20); n += 1) {
      const text = `export const value${n} = ${version} // deprecated\n`.repeat(20)
      await write(`M 100644 inline src/part-${n % 40}/file-${n}.ts\ndata ${text.length}\n${text}\n`)
    }
    for (let n = 0; n < 50; n += 1) {
      await write(`M 100644 inline assets/table-${n}.bin\ndata 1000000\n`)
      await write(noise(`${version} ${n}`))
      await write('\n')
    }
  }
  child.stdin.end()
  await once(child, 'close')
  return directory
}

/** A megabyte that does not compress, the same for the same seed. */
function noise(seed: string): Buffer {
  return createHash('shake256', { outputLength: 1_000_000 }).update(seed).digest()
}

function run(cwd: string, args: readonly string[]): string {
  const all = ['-c', 'safe.directory=*', '-c', 'gc.auto=0', ...args]
  return execFileSync('git', all, { cwd, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function sizeOf(directory: string): number {
  return Number(execFileSync('du', ['--summarize', '--bytes', directory], { encoding: 'utf8' }).split('\t')[0])
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(2)
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
