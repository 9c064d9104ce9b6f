// Measures what the service adds to a job: the time from POST to the first request to the model, and the host time of a
// run that edits ten of 5,000 pages, without the model's own time. Compares it with the same work by bare git commands,
// in turn. The result is the ratio. Run it with `npm run bench`, or `node --liftoff-only bench/job.ts [pages] [rounds]`.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { makePages, pagePath } from '../test/support/pages.ts'
import { countAnswers, type Scripted, startModelServer } from '../test/support/model-server.ts'
import { startService } from '../test/support/service.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { git } from '../test/support/repository.ts'

const pageCount = Number(process.argv[2] ?? 5_000)
const rounds = Number(process.argv[3] ?? 15)
const edited = Array.from({ length: 10 }, (_, i) => pagePath(i * Math.floor(pageCount / 10)))

const times = { posted: 0, asked: 0, recorded: 0, model: 0 }
/** Resolved at the end of the run. Requests that ask whether it ended would be work of the same process. */
let ended = Promise.withResolvers<void>()
let round = 0

/** Scripts the model: search, read ten pages, edit ten pages, finish. */
function answer(answers: number): Scripted {
  const calls = (name: string, input: (path: string) => object) => ({
    calls: edited.map((path) => ({ name, input: input(path) })),
  })
  if (answers === 0) return { calls: [{ name: 'search', input: { pattern: 'Acme CLI' } }] }
  if (answers === 1) return calls('read_file', (path) => ({ path }))
  if (answers === 2) {
    return calls('edit_file', (path) => ({
      path,
      edits: [{ oldText: 'about the Acme CLI', newText: `about round ${round}` }],
    }))
  }
  return { calls: [{ name: 'finish', input: { title: `Round ${round}`, summary: 'Ten pages.' } }] }
}

const model = await startModelServer((messages) => {
  if (countAnswers(messages) === 0) times.asked = performance.now()
  return answer(countAnswers(messages))
})
console.log(`${pageCount} pages, ten edited, ${rounds} rounds after a first one`)
const service = await startService(
  makePages(pageCount),
  { DOCENT_MODEL: 'compatible/scripted', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl },
  {
    reached: (point) => {
      if (point === 'recorded') {
        times.recorded = performance.now()
        ended.resolve()
      }
      return Promise.resolve()
    },
  },
)
const plumbing = await temporaryFolder('plumbing')
const mirror = join(plumbing, 'mirror.git')
await git(plumbing, 'init', '--quiet', '--bare', mirror)

const rows: { readonly first: number; readonly host: number; readonly floor: number }[] = []
for (round = 0; round <= rounds; round += 1) {
  const modelBefore = model.busyMs()
  times.posted = performance.now()
  ended = Promise.withResolvers()
  const { id } = await service.client.create(`round ${round}`)
  // A run that fails does not get there.
  await Promise.race([ended.promise, delay(60_000, undefined, { ref: false })])
  const job = await service.client.ended(id)
  if (job.outcome !== 'pull_request') throw new Error(`the job went wrong: ${JSON.stringify(job.error)}`)
  const host = times.recorded - times.posted - (model.busyMs() - modelBefore)
  rows.push({ first: times.asked - times.posted, host, floor: runPlumbing() })
}
report()
await service.close()
await model.close()
await removeFolder(plumbing)

/** Does only the git work of such a run, one process per step, as a script would. */
function runPlumbing(): number {
  const start = performance.now()
  const run = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['--git-dir', mirror, ...args], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  const remote = service.repository
  run(['ls-remote', '--symref', remote, 'HEAD', 'refs/heads/main', 'refs/heads/docent/x'])
  run(['fetch', '--quiet', '--no-tags', remote, '+refs/heads/main:refs/heads/main'])
  const base = run(['rev-parse', 'refs/heads/main']).trim()
  run(['ls-tree', '-r', '-z', '-l', base])
  run(['grep', '-n', '-z', '-F', '-e', 'Acme CLI', base])
  const contents = edited.map((path) => run(['cat-file', 'blob', `${base}:${path}`]))
  const branch = `refs/heads/plumbing/${round}`
  const changes = edited.map((path, i) => {
    const text = (contents[i] ?? '').replace('about the Acme CLI', `about plumbing ${round}`)
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  const message = `Round ${round}`
  const who = 'Docent <docent@localhost> 1700000000 +0000'
  const head = `commit ${branch}\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}\nfrom ${base}\n`
  run(['fast-import', '--quiet', '--force'], `${head}${changes.join('')}\n`)
  run(['merge-base', '--is-ancestor', base, branch])
  run(['push', '--quiet', remote, `${branch}:${branch}`])
  run(['merge-base', base, branch])
  return performance.now() - start
}

function report(): void {
  const [cold, ...warm] = rows
  const show = (name: string, of: (row: (typeof rows)[number]) => number) => {
    const sorted = warm.map(of).toSorted((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1).padStart(8)
    console.log(
      `${name.padEnd(44)} median ${at(0.5)}  min ${at(0)}  max ${at(1)}   first ${(cold ? of(cold) : 0).toFixed(1)}`,
    )
  }
  show('POST to the first model request, ms', (row) => row.first)
  show('host time of the run, ms', (row) => row.host)
  show('the git work by bare plumbing, ms', (row) => row.floor)
  show('host time / bare plumbing', (row) => row.host / row.floor)
  // The first run reads every page for its check. Bare git fetches as much in its first round.
  if (cold)
    console.log(`first run, beyond bare plumbing: ${((cold.host - cold.floor) / pageCount).toFixed(2)} ms a page`)
}
