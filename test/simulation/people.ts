// People: they merge and push to the product and the docs, rewrite, tag, merge and close pull requests of automations, answer questions,
// ask for commits that were skipped, and pause automations.

import { updateAutomation } from '../../src/automations/automations.ts'
import { askForCommits } from '../../src/automations/ledger/ask.ts'
import { sendMessage } from '../../src/jobs/message.ts'
import { operator } from '../../src/projects/keys.ts'
import type { Random } from '../support/random.ts'
import type { Change, History } from './history.ts'
import { hiddenWord } from './triage-model.ts'
import type { Automation, Job } from './truth.ts'
import { areas, nameOf, type World } from './world.ts'

const limit = { name: 'creates', quota: 1_000_000 } as const
const by = { name: 'Ada', personId: undefined }

/** One merge on a random branch. */
export function mergeOne(world: World, random: Random): void {
  const [api, web] = world.sources
  const history = random.pick([api, api, web, world.docs])
  const number = world.nextNumber()
  const isMerge = random.chance(0.6)
  const change = history === world.docs ? changeDocs(random, number) : changeProduct(history, random, number)
  const merged = `Merge pull request #${number} from acme/topic\n\n${change.subject}`
  const [subject = '', , body = ''] = isMerge ? merged.split('\n') : [`${change.subject} (#${number})`]
  const isReplaced = random.chance(0.01) && history.all().length > 4
  if (isReplaced) history.rewind(1 + random.int(3))
  // The subject of a merge names no feature: what programs compare is the change.
  history.add({ ...change, subject: change.kind === 'hidden' ? `${subject} ${hiddenWord}` : subject, body, isMerge })
  if (random.chance(0.01)) history.tag(`v${number}`)
}

type Plain = Pick<Change, 'files' | 'kind' | 'subject'>

function changeDocs(random: Random, number: number): Plain {
  const path = random.pick(['docs/en/news.md', 'docs/de/news.md', 'docs/index.md'])
  return { kind: 'docs', files: { [path]: `# News\n\nNumber ${number}.\n` }, subject: 'docs: say what is new' }
}

export function changeProduct({ name }: History, random: Random, number: number): Plain {
  const kind = random.pick(['feature', 'feature', 'chore', 'chore', 'hidden'] as const)
  if (kind === 'chore')
    return { kind, files: { '.github/ci.yml': `on: push # ${number}\n` }, subject: 'ci: run on push' }
  if (kind === 'hidden') return { kind, files: { 'zz/q.bin': `${number}\n` }, subject: 'zz' }
  const area = random.pick(areas)
  const called = nameOf(name, area)
  const text = `export function ${called}(${called}Limit = ${number}) {\n  return ${called}Limit\n}\n`
  const folder = random.pick(['src/a', 'src/b'])
  return { kind, files: { [`${folder}/${area}.ts`]: text }, subject: `feat: change \`${called}Limit\` of ${called}` }
}

/** Each open pull request is merged or closed after some days. */
export async function decidePulls(world: World, random: Random): Promise<void> {
  const { db, truth } = world
  for (const [jobId, job] of truth.jobs) {
    const { pull } = job
    const isActive = truth.runs.some((run) => run.job === jobId && (run.end === undefined || run.isAnswered))
    if (pull?.state !== 'open' || isActive || !random.chance(0.12)) continue
    pull.state = random.chance(0.75) ? 'merged' : 'closed'
    await db.updateTable('jobs').set({ pull_state: pull.state }).where('id', '=', jobId).execute()
    if (pull.state === 'merged') publish(world, random, { jobId, job, number: pull.number })
  }
}

type Published = { readonly jobId: string; readonly job: Job; readonly number: number }

type Form = Pick<Change, 'body' | 'isMerge' | 'subject'>

/** As forges merge: with the number of the pull request in the subject, or with the commits as they are. */
function publish({ docs, truth }: World, random: Random, { jobId, number }: Published): void {
  const files = { [random.pick(['docs/en/auto.md', 'docs/de/auto.md'])]: `# By an automation\n\nNumber ${number}.\n` }
  const forms: readonly [Form, ...Form[]] = [
    { subject: `Merge pull request #${number} from acme/docent`, isMerge: true },
    { subject: `Say more (#${number})`, isMerge: false },
    { subject: 'Say more', body: `Docent-Job: ${jobId}/1`, isMerge: false },
  ]
  truth.publish(docs.add({ kind: 'published', files, job: jobId, ...random.pick<Form>(forms) }))
}

export async function answerQuestions({ context, projectId, truth }: World, random: Random): Promise<void> {
  for (const run of truth.runs.slice(-100)) {
    const isLast = truth.runs.findLast(({ job }) => job === run.job) === run
    if (run.end !== 'question' || run.isAnswered || !isLast || !random.chance(0.2)) continue
    run.isAnswered = true
    await sendMessage(
      context,
      { projectId, jobId: run.job, prompt: 'The first one.', at: context.clock.now() },
      undefined,
    )
  }
}

/** "Document it after all." */
export async function askForOne({ db, context, projectId, truth }: World, random: Random): Promise<void> {
  const judged = truth.automations.filter(({ isJudged, isOn }) => isJudged && isOn)
  const automation = judged[random.int(judged.length)]
  const commits = automation?.follows?.all().slice(-300) ?? []
  const commit = commits[random.int(commits.length)]
  if (!automation?.follows || !commit) return
  const mayBeAsked = (one: Automation) =>
    truth.statesOf(one, commit).every((state) => state === 'skipped' || state === 'rejected' || state === 'set_aside')
  if (!mayBeAsked(automation)) return
  const asked = { projectId, source: automation.follows.name, commits: [commit.id], by }
  const { value } = await askForCommits(context, asked, undefined, limit).catch((error: unknown) => {
    // Nobody has seen the commit yet.
    if ((error as { code?: string }).code === 'not_found') return { value: undefined }
    throw error
  })
  if (!value) return
  const row = await db
    .selectFrom('automation_runs')
    .select('automation_id')
    .where('id', '=', value.id)
    .executeTakeFirstOrThrow()
  const chosen = truth.automations.find(({ id }) => id === row.automation_id)
  if (chosen && mayBeAsked(chosen)) truth.ask(chosen, commit)
}

export async function pauseOrResume(world: World, random: Random): Promise<void> {
  const { automations } = world.truth
  const automation = automations[random.int(automations.length)]
  if (automation) await turn(world, automation, !automation.isOn)
}

export async function turn({ context, projectId }: World, automation: Automation, isOn: boolean): Promise<void> {
  automation.isOn = isOn
  if (isOn) automation.slots?.begin(context.clock.now())
  else automation.slots?.pause()
  await updateAutomation(context, operator, { projectId, id: automation.id }, { enabled: isOn })
}
