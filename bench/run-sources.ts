// Measures what three warm sources add to the host time of a run that edits one of 2,000 pages, without the model's own time.
// Runs with and without them take turns, over real HTTP; the result is the ratio. Run it with
// `node --liftoff-only bench/run-sources.ts [rounds]`.

import { performance } from 'node:perf_hooks'
import { openSocketApi } from '../src/cli/api/api.ts'
import { parseConfig } from '../src/config/config.ts'
import type { JobResponse } from '../src/jobs/response.ts'
import { createRemote } from '../test/support/git-remote.ts'
import { serveGit } from '../test/support/git-server.ts'
import { countAnswers, startModelServer } from '../test/support/model-server.ts'
import { makePages, pagePath } from '../test/support/pages.ts'
import { createClient, startService } from '../test/support/service.ts'
import { median } from './engines.ts'

const rounds = Number(process.argv[2] ?? 15)
const names = ['api', 'cli', 'web'] as const
const closing: (() => unknown)[] = []
const t = { after: (close: unknown) => void closing.push(close as () => unknown) }

let round = 0
let recorded = 0
const model = await startModelServer((messages) => {
  if (countAnswers(messages) === 0) {
    return { calls: [{ name: 'write_file', input: { path: pagePath(7), content: `# Round ${round}\n` } }] }
  }
  return { calls: [{ name: 'finish', input: { title: `Round ${round}`, summary: 'One page.' } }] }
})

const serve = async (files: Readonly<Record<string, string>>) => {
  const remote = createRemote(t)
  remote.commit('main', files)
  remote.git(['config', 'uploadpack.allowFilter', 'true'])
  return await serveGit(t, remote.directory)
}
const code = (name: string) =>
  Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [
      `src/${at % 60}/file-${at}.ts`,
      `export const ${name}${at} = ${at}\n`.repeat(40),
    ]),
  )
const docs = await serve(makePages(2_000) as Readonly<Record<string, string>>)
const sources = await Promise.all(names.map(async (name) => ({ name, server: await serve(code(name)) })))
const hosts = [docs, ...sources.map(({ server }) => server)].map(({ host }) => host).join()
const service = await startService(
  { 'index.md': '# Home\n' },
  {
    DOCENT_MODEL: 'compatible/scripted',
    DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
    DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts,
  },
  {
    reached: (point) => {
      if (point === 'recorded') recorded = performance.now()
      return Promise.resolve()
    },
  },
)
const client = await createClient(service.environment, service.addresses, docs.address)
const operator = openSocketApi(parseConfig(service.environment))
for (const { name, server } of sources) {
  await operator.send('POST', `/v1/projects/${client.projectId}/sources`, { name, repository: server.address })
}

async function run(context: readonly string[]): Promise<number> {
  round += 1
  const before = model.busyMs()
  const posted = performance.now()
  const body = { prompt: `round ${round}`, context }
  const { id } = await client.call<JobResponse>('POST', `/v2/agent/${client.projectId}/job`, body)
  const job = await client.ended(id)
  if (job.outcome !== 'pull_request') throw new Error(`the job went wrong: ${JSON.stringify(job.error)}`)
  return recorded - posted - (model.busyMs() - before)
}

const first = await run(names)
await run([])
const times = { without: [] as number[], with: [] as number[] }
for (let at = 0; at < rounds; at += 1) {
  times.without.push(await run([]))
  times.with.push(await run(names))
}
const [without, withSources] = [median(times.without), median(times.with)]
console.log(
  `host time of a run, medians of ${rounds}: ${without.toFixed(0)} ms, with three warm sources ${withSources.toFixed(0)} ms: ` +
    `${(withSources / without).toFixed(2)} times; the first run with them ${first.toFixed(0)} ms`,
)
await service.close()
await model.close()
for (const close of closing.toReversed()) await close()
