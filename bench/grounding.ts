// How often grounding is wrong about commits of people, and how much of what was planted into others it finds. Run it with
// `node bench/grounding.ts FOLDER [--seed 1] [--commits 500] [--planted 100] [--half newer] [--list]`; `grounding/repositories.ts`
// says what the folder has. The older half of each history is for tuning, the newer one for the figures.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { docsCommits, judgeCommit, openCommit } from './grounding/history.ts'
import { openClone, openRunner, repositories } from './grounding/repositories.ts'
import { plant, plantKinds } from './grounding/plant.ts'
import { createRandom } from './planted/random.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    planted: { type: 'string', default: '100' },
    commits: { type: 'string', default: '500' },
    half: { type: 'string', default: 'newer' },
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Name the folder of the clones.')
const half = values.half === 'older' ? 'older' : 'newer'
const home = await mkdtemp(join(tmpdir(), 'docent-grounding-'))
const runner = openRunner(home)
const wheres = ['inline', 'prose', 'block'] as const
const total = { commits: 0, withAny: 0, ms: [] as number[] }
const plants: Record<
  string,
  { planted: number; listed: number; unknown: number; 'true one listed': number; 'no place': number }
> = {}
const rows: Record<string, { judged: number; missing: number; unknown: number }> = {}

const chosen = repositories.filter(({ name }) => values.only === undefined || name.includes(values.only))
for (const repository of chosen) {
  const clone = openClone(folder, repository, runner)
  const random = createRandom(Number(values.seed))
  const wanted = Math.ceil(Number(values.commits) / chosen.length)
  const own = repository.name.split('/')
  let [taken, withAny, planted] = [0, 0, 0]
  const wantedPlanted = Math.ceil(Number(values.planted) / chosen.length)
  for (const commit of random.shuffled(await docsCommits(clone, repository, half))) {
    if (taken === wanted) break
    const began = performance.now()
    const opened = await openCommit(clone, commit)
    const judged = await judgeCommit(opened, own)
    if (!judged.some(({ claim }) => claim.where === 'inline')) continue
    total.ms.push(performance.now() - began)
    taken += 1
    for (const { claim, verdict } of judged) {
      const key = `${claim.where} ${claim.need.kind}`
      const row = (rows[key] ??= { judged: 0, missing: 0, unknown: 0 })
      if (verdict === 'unknown') row.unknown += 1
      else row.judged += 1
      if (verdict === 'missing') row.missing += 1
      if (verdict === 'missing' && values.list)
        console.log(
          `${repository.name}@${commit.id.slice(0, 8)} ${claim.path}:${claim.line} ${key}: ${claim.term} ${claim.need.kind === 'value' ? claim.need.names[0] : ''}`,
        )
    }
    if (planted < wantedPlanted) {
      planted += 1
      const names = judged.flatMap(({ claim, verdict }) =>
        claim.where === 'inline' && claim.need.kind === 'name' && verdict === 'found' ? [claim] : [],
      )
      for (const kind of plantKinds) {
        const made = await plant(kind, { clone, repository, commit, change: opened.change, names, random })
        const row = (plants[kind] ??= { planted: 0, listed: 0, unknown: 0, 'true one listed': 0, 'no place': 0 })
        if (!made) {
          row['no place'] += 1
          continue
        }
        const isIt = (one: (typeof judged)[number]) => one.claim.path === made.path && one.claim.term === made.term
        const after = await judgeCommit({ ...opened, change: made.change }, own)
        const listed = after.some((one) => isIt(one) && one.verdict === 'missing')
        row.planted += 1
        if (listed) row.listed += 1
        else if (after.some((one) => isIt(one) && one.verdict === 'unknown')) row.unknown += 1
        if (!listed && values.list)
          console.log(
            `${repository.name}@${commit.id.slice(0, 8)} not listed, ${kind}: ${made.term} in ${made.path}:${made.line}`,
          )
        if (!made.control) continue
        const known = new Set(judged.map(({ claim }) => JSON.stringify(claim)))
        const control = await judgeCommit({ ...opened, change: made.control }, own)
        if (control.some(({ claim, verdict }) => verdict === 'missing' && !known.has(JSON.stringify(claim)))) {
          row['true one listed'] += 1
          if (values.list)
            console.log(
              `${repository.name}@${commit.id.slice(0, 8)} true one listed: ${JSON.stringify(control.find(({ claim, verdict }) => verdict === 'missing' && !known.has(JSON.stringify(claim)))?.claim.need)}`,
            )
        }
      }
    }
    if (judged.some(({ claim, verdict }) => claim.where !== 'block' && verdict === 'missing')) withAny += 1
  }
  total.commits += taken
  total.withAny += withAny
  console.log(`${repository.name}: ${taken} commits, ${withAny} with any`)
}
await runner.close()
await rm(home, { recursive: true })
console.table(rows)
console.table(plants)
const sum = (where: string, what: 'judged' | 'missing') =>
  Object.entries(rows).reduce((all, [key, row]) => all + (key.startsWith(where) ? row[what] : 0), 0)
for (const where of wheres)
  console.log(
    `${where}: ${sum(where, 'missing')} of ${sum(where, 'judged')} (${((sum(where, 'missing') / sum(where, 'judged')) * 100).toFixed(1)} %)`,
  )
console.log(
  `commits with any outside blocks: ${total.withAny} of ${total.commits} (${((total.withAny / total.commits) * 100).toFixed(1)} %)`,
)
const ms = total.ms.toSorted((a, b) => a - b)
console.log(
  `ms a commit: median ${ms[Math.floor(ms.length / 2)]?.toFixed(0)}, 95 % ${ms[Math.floor(ms.length * 0.95)]?.toFixed(0)}, most ${ms.at(-1)?.toFixed(0)}`,
)
