// Measures the first job on a repository that the service has never seen: the time from POST to the first request to the
// model, to the end of the run, and until the history is there, the peak of the memory, and a second job that is created
// while the history arrives. In turn with the floor: `git fetch --depth 1` of the same branch, and a whole fetch. Every
// round has a new project, so a new mirror. Run it with `npm run bench`, or
// `node --liftoff-only bench/first-job.ts [bare repository] [rounds]`. Without a repository, it makes one of 2,000 pages
// with 300 commits.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig } from '../src/config/config.ts'
import { addCommit } from '../test/support/bare-repository.ts'
import { countAnswers, startModelServer } from '../test/support/model-server.ts'
import { makePages, pagePath } from '../test/support/pages.ts'
import { createRepository, git } from '../test/support/repository.ts'
import { createClient, startService } from '../test/support/service.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

const given = process.argv[2]
const rounds = Number(process.argv[3] ?? 3)
const folder = await temporaryFolder('first-job')
const repository = given ?? (await makeRepository())
const branch = (await git(repository, 'symbolic-ref', '--short', 'HEAD')).trim()
console.log(`${repository}: ${await git(repository, 'rev-list', '--count', branch)} commits`)

const seconds = (ms: number) => (ms / 1_000).toFixed(2).padStart(6)

/** By job, the time of its first request. */
const asked: number[] = []
const model = await startModelServer((messages) => {
  const answers = countAnswers(messages)
  if (answers === 0) asked.push(performance.now())
  if (answers === 0) return { calls: [{ name: 'write_file', input: { path: 'bench-note.md', content: '# A note\n' } }] }
  return { calls: [{ name: 'finish', input: { title: 'A note', summary: 'One page.' } }] }
})
const service = await startService(
  { 'index.md': '# Home\n' },
  { DOCENT_MODEL: 'compatible/scripted', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl },
)

for (let round = 1; round <= rounds; round += 1) {
  const floor = { tip: fetchFrom(['--depth=1']), whole: fetchFrom([]) }
  const client = await createClient(service.environment, service.addresses, `file://${repository}`)
  const from = { asked: asked.length, at: performance.now() }
  const job = await client.create('Add a note')
  const first = (await askedAt(from.asked)) - from.at
  const ending = client.ended(job.id).then((ended) => ({ ended, at: performance.now() }))
  const secondFrom = performance.now()
  const other = await client.create('Add a note')
  const second = (await askedAt(from.asked + 1)) - secondFrom
  console.log(
    `round ${round}: first request ${seconds(first)} s = ${(first / floor.tip).toFixed(1)} × depth 1 (${seconds(floor.tip)} s); ` +
      `whole fetch ${seconds(floor.whole)} s; second job ${seconds(second)} s`,
  )
  const history = (await historyAt(client.projectId)) - from.at
  const { ended, at } = await ending
  if (ended.outcome !== 'pull_request') throw new Error(`the job went wrong: ${JSON.stringify(ended.error)}`)
  const end = at - from.at
  await client.ended(other.id)
  const peak = peakMb()
  while ((await client.job(job.id)).checks?.remaining === null) await delay(50)
  console.log(
    `         history ${seconds(history)} s; end of the job ${seconds(end)} s; peak of this process ${peak} MB, ` +
      `${peakMb()} MB after the rest was checked`,
  )
}
await service.close()
await model.close()
await removeFolder(folder)

function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024)
}

async function askedAt(index: number): Promise<number> {
  for (;;) {
    const at = asked[index]
    if (at !== undefined) return at
    await delay(5)
  }
}

/** Waits until the mirror is no longer shallow. Revisions without shallow mirrors have it at once. */
async function historyAt(projectId: string): Promise<number> {
  const mirror = join(parseConfig(service.environment).dataDir, 'mirrors', `${projectId}.git`)
  while (existsSync(join(mirror, 'shallow'))) await delay(20)
  return performance.now()
}

/** Returns milliseconds. */
function fetchFrom(flags: readonly string[]): number {
  const start = performance.now()
  const mirror = join(folder, `floor-${start}.git`)
  execFileSync('git', ['init', '--quiet', '--bare', mirror])
  const refspec = `+refs/heads/${branch}:refs/heads/${branch}`
  const args = ['fetch', '--quiet', '--no-tags', ...flags, `file://${repository}`, refspec]
  execFileSync('git', ['--git-dir', mirror, ...args], { stdio: 'ignore' })
  return performance.now() - start
}

async function makeRepository(): Promise<string> {
  const bare = createRepository(folder, makePages(2_000))
  const person = 'Person <person@example.com> 1700000000 +0000'
  for (let n = 0; n < 300; n += 1) {
    const files = Object.fromEntries(
      [0, 1, 2].map((i) => [pagePath((n * 7 + i * 601) % 2_000), `# Page\n\nRound ${n}.\n`]),
    )
    addCommit(bare, { branch: 'main', files, message: `Round ${n}`, person })
  }
  await git(bare, 'gc', '--quiet')
  return bare
}
