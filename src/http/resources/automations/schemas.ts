// Automations and their runs, as requests and responses have them.

import { z } from '@hono/zod-openapi'
import { type Automation, groupings, noCaps, triggerTypes, updateModes } from '../../../automations/automation.ts'
import type { ShownPosition } from '../../../automations/positions/show.ts'
import { automationKinds, optionNames } from '../../../automations/ready/kinds.ts'
import { type AutomationRun, runStatuses, type RunTrigger } from '../../../automations/runs/run.ts'
import { maxPromptCharacters } from '../../../jobs/job.ts'
import { boolean, list, string, time } from '../../contract/fields.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { expiry, integerParameter, text } from '../../contract/text.ts'
import { usageSchema } from '../jobs/schemas.ts'
import { exactLimits, shownLimits } from '../projects/schemas.ts'

const words = {
  name: 'Unique in the project. Pull requests name it.',
  cron: 'Five fields: minute, hour, day of the month, month, day of the week; at least 15 minutes between two runs. A time that does not exist on a day runs at the end of the gap, a repeated one once.',
  timeZone: 'An IANA time zone, such as Europe/Berlin; null for that of the project.',
  paths: 'Globs of the files that count; empty for all.',
  source: 'The name of the source; null for the repository of the project itself.',
  when: '`merge`: each commit that reaches the branch starts a run, or waits for the next one. Five fields of cron: all that have waited start one together.',
  since:
    'Only for `docs` and `code`: a tag, a commit, a date or `last-tag` after which it begins. Default: the newest commit, so that what comes next counts. A change begins there again.',
  instructions:
    'The prompt of its jobs. A ready-made one has its own, which come with each release: these are added to them, and may be empty.',
  options: 'The options of the kind, each on or off; empty for a kind without options. One of them stays on.',
  sources: 'The names of the sources that its jobs need; null for all of the project.',
  scope: 'Globs of the paths that its jobs may change; empty for all that the project allows.',
  model: 'One that the project allows, as `provider/model`; null for the model of the project.',
  budgets: 'Limits of one run; null for those of the project. The smaller of both applies.',
  update:
    'How a change is proposed: as a `pull_request`, as the project opens them, or as a `draft` in any case. `merge`: the service itself merges the pull request when nothing needs a person (`merging` of the job says what it waits for); not for an automation that reads what outsiders write.',
  mergeWithoutChecks:
    'With `merge`: whether a commit is merged on which no check of the forge appears within ten minutes. Default: false.',
  caps: 'How much it may start in a day of the project’s time zone: runs, and US dollars of the runs of that day; null: no cap of its own. No job does a run beyond a cap, and the run says why.',
  enabled: 'Whether it starts runs.',
  endsAt: 'Nothing starts from then on; null: never.',
  kind: '`custom`: it does what its instructions say. Otherwise the name of a ready-made one, whose name, trigger and instructions are its defaults. It never changes.',
  grouping:
    '`one`: a run continues the job of the open pull request, until that has 20 pages, 10 runs, 14 days or an approval; the text of the pull request lists what each run contributed. `each`: every run has a job and a pull request of its own.',
}

const runTrigger = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('schedule'), slot: time('The time that the schedule names.') }),
    z.object({
      type: z.literal('event'),
      id: string('As the sender gave it in `webhook-id`; null: it gave no id.').nullable(),
      name: string('The name of the key; null: the event was signed.').nullable(),
    }),
    z.object({ type: z.literal('person'), name: string('The name of the person or key.') }),
    z.object({ type: z.literal('docs') }),
    z.object({ type: z.literal('code') }),
  ])
  .openapi('RunTrigger') satisfies z.ZodType<RunTrigger>

/** A title, so that it may be null elsewhere. */
export const runSchema = schemaOf<AutomationRun>()(
  z
    .object({
      id: z.string(),
      status: namedEnum('RunStatus', runStatuses).openapi({
        description:
          '`queued` and `running`: it waits, or its job works on it. `review_needed`: its pull request is open, or it asks a question. `accepted`, `closed`: its pull request was merged or closed. `nothing_to_do`: it changed nothing. `failed`: it failed or could not begin. `skipped`: another run waited already and does its work, or no commit concerned the docs. `capped`: a cap of the day was reached.',
      }),
      trigger: runTrigger,
      ranges: list(
        z.object({
          repository: z.string(),
          from: string('The commit before the first one; null: it is the first commit of the repository.').nullable(),
          to: string('The last commit.'),
        }),
        'The commits that it was given, if the automation follows a branch.',
      ),
      jobId: string('The job that does it; null: it waits, or no job does.').nullable(),
      prLink: string('The pull request that has its change; null without a change.').nullable(),
      reason: string(
        'Why it failed, was skipped or capped, changed nothing, began a pull request although one was open, or waits although it is to be merged; null otherwise.',
      ).nullable(),
      usage: usageSchema.nullable().openapi({ description: 'The usage of the run alone; null without a job.' }),
      givenPages: z.int().openapi({
        description: 'How many pages it was given because readers fail on them; `…/failures` says what became of them.',
      }),
      createdAt: time(),
      endedAt: time('null: it has not ended.').nullable(),
    })
    .openapi({ title: 'AutomationRun' }),
)

export const runPageSchema = z
  .object({
    runs: list(runSchema, 'The newest first.'),
    nextCursor: string('Pass it as `cursor` to get the next page; null on the last page.').nullable(),
  })
  .openapi('AutomationRuns')

export const runListQuery = z.object({
  limit: integerParameter({ min: 1, max: 100, fallback: 20, description: 'The number of runs on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
})

/** `heldBack`: why nothing is due although it is enabled. `secret`: only when it is made. */
export type ShownAutomation = Automation & {
  readonly heldBack: string | null
  readonly eventAddress: string | null
  readonly secret: string | null
  /** null: it follows no branch. */
  readonly position: ShownPosition | null
  readonly lastRun: AutomationRun | null
}

export const shownTrigger = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('schedule'),
      cron: string('Five fields.'),
      timeZone: string(words.timeZone).nullable(),
    }),
    z.object({ type: z.literal('docs'), paths: list(z.string(), words.paths) }),
    z.object({
      type: z.literal('code'),
      source: string(words.source).nullable(),
      paths: list(z.string(), words.paths),
      when: string(words.when),
    }),
    z.object({ type: z.literal('event') }),
    z.object({ type: z.literal('person') }),
  ])
  .openapi('AutomationTrigger')

const example = {
  id: 'aut_0123456789abcdefghij',
  name: 'Fix broken links',
  kind: 'custom',
  trigger: { type: 'schedule', cron: '0 3 * * 1', timeZone: null },
  instructions: 'Fix the links that lead nowhere.',
  options: {},
  sources: null,
  scope: ['docs/'],
  model: null,
  budgets: { turns: 50, tokens: null, seconds: null, changedFiles: null, changedBytes: null, costUsd: null },
  update: 'pull_request',
  mergeWithoutChecks: false,
  grouping: 'each',
  caps: { ...noCaps, runsPerDay: 3 },
  enabled: true,
  endsAt: null,
  nextRunAt: '2026-11-30T03:02:11.000Z',
  heldBack: null,
  pausedBecause: null,
  eventAddress: null,
  secret: null,
  position: null,
  lastRun: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
} satisfies ShownAutomation

export const automationSchema = schemaOf<ShownAutomation>()(
  z
    .object({
      id: z.string(),
      name: string(words.name),
      kind: namedEnum('AutomationKind', automationKinds).openapi({ description: words.kind }),
      trigger: shownTrigger,
      instructions: string(words.instructions),
      options: z.record(z.string(), z.boolean()).openapi({ description: words.options }),
      sources: z.array(z.string()).readonly().nullable().openapi({ description: words.sources }),
      scope: z.array(z.string()).readonly().openapi({ description: words.scope }),
      model: string(words.model).nullable(),
      budgets: shownLimits('budget').openapi({ description: words.budgets }),
      update: namedEnum('AutomationUpdate', updateModes).openapi({ description: words.update }),
      mergeWithoutChecks: boolean(words.mergeWithoutChecks),
      grouping: namedEnum('AutomationGrouping', groupings).openapi({ description: words.grouping }),
      caps: shownLimits('automationCaps').openapi({ description: words.caps }),
      enabled: boolean(words.enabled),
      endsAt: time(words.endsAt).nullable(),
      nextRunAt: time(
        'When the next run is due: the time of the schedule, and up to five minutes that follow from the id. null: nothing is due.',
      ).nullable(),
      heldBack: string('Why nothing is due although it is enabled and has a schedule; null otherwise.').nullable(),
      pausedBecause: string('Why it paused itself; null if it is on, or a person paused it.').nullable(),
      eventAddress: string('Where events are sent; null for other triggers.').nullable(),
      secret: string('Signs events. Only in the response to the request that made it; null otherwise.').nullable(),
      position: z
        .object({
          repository: z.string(),
          branch: string('null: nobody has looked yet.').nullable(),
          commit: string('The newest commit that was seen; null: nobody has looked yet.').nullable(),
          lookedAt: time('null: nobody has looked yet.').nullable(),
          waiting: z.int().openapi({ description: 'How many commits wait for a run.' }),
          setAside: z.int().openapi({ description: 'How many commits no run takes before a person asks for it.' }),
          note: string(
            'A fact that people should know, such as that the branch was rewritten; null otherwise.',
          ).nullable(),
          error: string('Why the last look failed; null: it did not.').nullable(),
        })
        .nullable()
        .openapi({ description: 'How far it has come on the branch that it follows; null: it follows no branch.' }),
      lastRun: runSchema.nullable().openapi({ description: 'The newest run; null: it never ran.' }),
      createdAt: time(),
      updatedAt: time(),
    })
    .openapi('Automation', { example }),
)

export const automationsSchema = z
  .object({ automations: list(automationSchema, 'The automations by name.') })
  .openapi('Automations')

const globs = z.array(text({ max: 500, description: 'A glob.', example: 'docs/' }))
const followed = globs.max(100, 'must have at most 100 globs').default([]).openapi({ description: words.paths })

const trigger = z
  .discriminatedUnion(
    'type',
    [
      exactObject({
        type: z.literal('schedule'),
        cron: text({ max: 200, description: words.cron, example: '0 3 * * 1' }),
        timeZone: text({ max: 100, description: words.timeZone, example: 'Europe/Berlin' }).nullable().default(null),
      }),
      exactObject({ type: z.literal('docs'), paths: followed }),
      exactObject({
        type: z.literal('code'),
        source: text({ max: 40, description: words.source, example: 'api' }).nullable().default(null),
        paths: followed,
        when: text({ max: 200, description: words.when, example: 'merge' }).default('merge'),
      }),
      exactObject({ type: z.literal('event') }),
      exactObject({ type: z.literal('person') }),
    ],
    { error: `must be one of ${triggerTypes.join(', ')}` },
  )
  .openapi('NewAutomationTrigger', {
    description:
      'A `schedule` starts it, commits that reach the branch of the `docs` or of `code`, an `event` that is sent to its address, or only a `person` (or a key).',
  })

const names = z.array(text({ max: 40, description: 'The name of a source.', example: 'api' }))

const fields = {
  kind: namedEnum('AutomationKind', automationKinds).optional().openapi({ description: words.kind }),
  name: text({ max: 100, description: words.name, example: 'Fix broken links' })
    .refine((name) => !/\p{Cc}/u.test(name) && name.trim() === name, {
      message: 'must be one line without spaces around it',
    })
    .optional(),
  trigger: trigger.optional(),
  since: text({ max: 200, description: words.since, example: 'v1.2' }).optional(),
  instructions: text({
    max: maxPromptCharacters,
    description: words.instructions,
    example: example.instructions,
    mayBeEmpty: true,
  }).optional(),
  options: exactObject(Object.fromEntries(optionNames.map((name) => [name, z.boolean().optional()])))
    .nullable()
    .optional()
    .openapi({ title: 'AutomationOptions', description: words.options }),
  sources: names.max(20, 'must have at most 20 names').nullable().optional().openapi({ description: words.sources }),
  scope: globs.max(100, 'must have at most 100 globs').nullable().optional().openapi({ description: words.scope }),
  model: text({ max: 200, description: words.model, example: 'docent/rules' }).nullable().optional(),
  budgets: exactLimits('budget').nullable().optional().openapi({ title: 'BudgetsChange', description: words.budgets }),
  update: namedEnum('AutomationUpdate', updateModes).nullable().optional().openapi({ description: words.update }),
  mergeWithoutChecks: z.boolean().nullable().optional().openapi({ description: words.mergeWithoutChecks }),
  grouping: namedEnum('AutomationGrouping', groupings).nullable().optional().openapi({ description: words.grouping }),
  caps: exactLimits('automationCaps').nullable().optional().openapi({ title: 'CapsChange', description: words.caps }),
  enabled: z.boolean().optional().openapi({ description: words.enabled }),
  endsAt: expiry.optional().openapi({
    description: `${words.endsAt} Default for a new one: the end of the key that makes it, which it cannot outlast.`,
  }),
}

export const newAutomationSchema = exactObject(fields).openapi('NewAutomation', {
  description: 'A ready-made one needs its `kind` alone; a custom one its `name`, `trigger` and `instructions`.',
  example: {
    name: 'Fix broken links',
    trigger: { type: 'schedule', cron: '0 3 * * 1' },
    instructions: example.instructions,
    scope: ['docs/'],
    caps: { runsPerDay: 3 },
  },
})

export const automationChangeSchema = exactObject(fields).openapi('AutomationChange', { example: { enabled: false } })

/** `jobId`: null if the run has no job. */
export const triggeredSchema = schemaOf<{
  readonly schemaId: string
  readonly instanceId: string
  readonly jobId: string | null
}>()(
  z
    .object({
      schemaId: string('The id of the automation.'),
      instanceId: string('The id of its run.'),
      jobId: string('The job; null if the run was skipped, capped or failed, as its `reason` explains.').nullable(),
    })
    .openapi('TriggeredRun', {
      example: { schemaId: example.id, instanceId: 'aru_0123456789abcdefghij', jobId: 'job_0123456789abcdefghij' },
    }),
)
