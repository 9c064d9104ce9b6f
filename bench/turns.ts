// Measures the host time of a turn as a run grows: from the end of a model's response to its next request, on a repository
// of 3,000 pages, in a run of 150 turns that each read one page and edit another. Prints the median of the first and of the
// last ten turns, and their ratio. Run it with `npm run bench`, or `node --liftoff-only bench/turns.ts [pages] [turns]`.

import { performance } from 'node:perf_hooks'
import { makePages, pagePath } from '../test/support/pages.ts'
import { countAnswers, type Scripted, startModelServer } from '../test/support/model-server.ts'
import { startService } from '../test/support/service.ts'

const pageCount = Number(process.argv[2] ?? 3_000)
const turns = Number(process.argv[3] ?? 150)

/** In milliseconds, by turn; what comes before the first request is not in it. */
const host: number[] = []
let responded = 0

function answer(turn: number): Scripted {
  if (turn === turns - 1) return { calls: [{ name: 'finish', input: { title: 'Pages', summary: 'Many pages.' } }] }
  const edits = [{ oldText: 'about the Acme CLI', newText: `about turn ${turn}` }]
  return {
    calls: [
      { name: 'read_file', input: { path: pagePath(turn + turns) } },
      { name: 'edit_file', input: { path: pagePath(turn), edits } },
    ],
  }
}

const model = await startModelServer((messages) => {
  const asked = performance.now()
  const turn = countAnswers(messages)
  if (turn > 0) host.push(asked - responded)
  // The response follows at once.
  responded = performance.now()
  return answer(turn)
})
const service = await startService(makePages(pageCount), {
  DOCENT_MODEL: 'compatible/scripted',
  DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
})
const { id } = await service.client.create('Edit many pages')
const job = await service.client.ended(id)
if (job.outcome !== 'pull_request') throw new Error(`The job is ${job.status}: ${job.error?.message ?? ''}`)

const edge = 10
const [first, last] = [median(host.slice(0, edge)), median(host.slice(-edge))]
console.log(`${pageCount} pages, ${turns} turns, host time of a turn`)
console.log(
  `first ten turns ${first.toFixed(0)} ms, last ten ${last.toFixed(0)} ms: ${(last / first).toFixed(1)} times`,
)
await service.close()
await model.close()

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
