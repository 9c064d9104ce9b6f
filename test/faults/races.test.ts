// Races with people: they merge, squash, close, reopen, retarget, rename, rewrite and delete at random points of a job, while
// requests fail and processes die, on GitHub (token and App), GitLab and Gitea. In a campaign nobody acts, and a request in twelve
// fails, in fifteen ways. A thorough run has many seeds on each forge, RACES_FROM is the first; on GitHub, every second one is with
// an App.

import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { Environment } from '../../src/config/environment.ts'
import { engineSettings } from '../support/engine.ts'
import { startForge } from '../support/forge/forge.ts'
import type { Kind } from '../support/forge/world.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { rounds, sampled } from '../support/rounds.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { sharedPage } from './races/people.ts'
import { type RaceReport, runRace, startKillable } from './races/race.ts'

const first = Number(process.env['RACES_FROM'] ?? 1)
const kinds: readonly Kind[] = ['github', 'gitlab', 'gitea']

let folder: string
let model: ModelServer
let environment: Environment
before(async () => {
  folder = await temporaryFolder('races')
  model = await startModelServer(() => ({ text: 'unscripted' }))
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'silent',
    DOCENT_CREATES_PER_HOUR: '100000',
    DOCENT_FORGE_READS_PER_HOUR: '100000',
    DOCENT_MESSAGES_PER_HOUR: '100000',
    DOCENT_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
    DOCENT_MODEL: 'compatible/scripted',
    DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
    ...(await engineSettings()),
  }
})
after(async () => {
  await model.close()
  await removeFolder(folder)
})

for (const kind of sampled(kinds)) {
  test(`on ${kind}, nothing is lost, doubled or untrue whatever people do`, async (t) => {
    await run(t, kind, rounds(1))
  })
}

for (const kind of sampled(kinds, 1)) {
  test(`on ${kind}, faults that pass end few runs, and blame nobody`, async (t) => {
    const reports = await run(t, kind, rounds(1), true)
    const ends = reports.flatMap((report) => report.ends)
    assert.ok(reports.every(({ faults }) => faults > 0))
    assert.deepEqual(
      reports.flatMap(({ missing }) => missing),
      [],
      'the credential lacks nothing',
    )
    assert.deepEqual(
      ends.filter((end) => !passing.has(end)),
      [],
      'nobody is blamed',
    )
    const runs = reports.reduce((all, report) => all + report.runs, 0)
    assert.ok(ends.length <= Math.max(1, runs * 0.02), `${ends.length} of ${runs} runs needed a message`)
  })
}

/** Ends of runs that say no more than that the forge did not answer. */
const passing = new Set(['forge_unavailable', 'forge_rate_limited', 'repository_unreachable', 'attempts_exhausted'])

async function run(t: TestContext, kind: Kind, count: number, isCampaign = false): Promise<readonly RaceReport[]> {
  const reports: RaceReport[] = []
  const files = { 'index.md': '# Home\n', 'shared.md': sharedPage() }
  const forges = await Promise.all(Array.from({ length: count }, () => startForge(t, { kind, files })))
  const hosts = forges.map(({ host }) => host).join()
  const service = await startKillable({ ...environment, DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
  t.after(() => service.kill())
  for (const [at, forge] of forges.entries()) {
    const seed = first + at
    await t.test(`seed ${seed}`, async (t) => {
      const report = await runRace({ seed, forge, service, model, isCampaign })
      reports.push(report)
      t.diagnostic(sum([report]))
    })
  }
  t.diagnostic(sum(reports))
  return reports
}

function sum(reports: readonly RaceReport[]): string {
  const acts = reports.reduce((all, report) => all + report.acts.length, 0)
  const [runs, faults, kills] = (['runs', 'faults', 'kills'] as const).map((of) =>
    reports.reduce((all, report) => all + report[of], 0),
  )
  const ends = Object.entries(
    Object.groupBy(
      reports.flatMap((report) => report.ends),
      (end) => end,
    ),
  )
  const ended = ends.map(([end, all = []]) => `${all.length} ${end}`).join(', ')
  return `${reports.length} races, ${runs} messages, ${acts} acts, ${faults} faults, ${kills} kills; ended in between: ${ended}`
}
