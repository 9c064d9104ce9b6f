// `docent automation list|kinds|create|show|set|secret|run|runs|pause|resume|delete`: manages the automations of a project over the API.

import { type Command, Option } from 'commander'
import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { readPrompt } from '../job/prompt.ts'
import { createLimitParser, type Limits } from '../limit-option.ts'
import { printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'
import { printKinds, switchOption, type Switches } from './kinds.ts'
import { addRuns } from './runs.ts'
import { print, printEvents, stateOf } from './show.ts'
import { changedTrigger, chosenTrigger, newTrigger, type TriggerOptions } from './trigger.ts'
import { type AddCommand, type AutomationOptions, pathOf, withAutomation } from './with-automation.ts'

type Options = AutomationOptions
type Fields = Options &
  TriggerOptions & {
    readonly instructions?: string
    readonly source?: readonly string[]
    readonly scope?: readonly string[]
    readonly model?: string
    readonly budget?: Limits
    readonly cap?: Limits
    readonly option?: Switches
    readonly update?: string
    readonly mergeWithoutChecks?: true
    readonly grouping?: string
    readonly endsAt?: string
    readonly since?: string
  }
const resettable = [
  'options',
  'sources',
  'scope',
  'model',
  'budgets',
  'update',
  'mergeWithoutChecks',
  'grouping',
  'caps',
  'endsAt',
] as const
type SetOptions = Fields & {
  readonly name?: string
  readonly schedule: boolean
  readonly reset?: readonly (typeof resettable)[number][]
}

const budgets = ['turns', 'tokens', 'seconds', 'changedFiles', 'changedBytes', 'costUsd']
const caps = ['runsPerDay', 'costUsdPerDay']
const groupings = ['one', 'each']

export function defineAutomation(automation: Command, context: CommandContext): void {
  const add: AddCommand = (usage, about) =>
    addProjectOption(automation.command(usage).description(about)).option('--json', 'print JSON')
  addRecords(add, context)
  addChanges(add, context)
  addSecret(add, context)
  addRuns(add, context)
}

const help = `
The times of a schedule are five fields: minute, hour, day of the month, month, day of the week; at least 15 minutes apart.
  docent automation create --kind fix-broken-links    # ready-made: on Mondays
  docent automation create 'Fix links' --cron '0 3 * * 1' --instructions 'Fix the links that lead nowhere.' --scope docs/
  docent automation create 'Release' --event --instructions @release.txt   # an address, and a secret that signs events
  docent automation create 'Follow the API' --code api --path 'src/**' --instructions 'Update the pages that the change concerns.'
  docent automation create 'Changelog' --instructions @changelog.txt --update draft   # started with \`docent automation run\``

function addFields(command: Command): Command {
  return command
    .option('--cron <fields>', "when it starts by itself: '0 3 * * 1' is Monday at 3 o'clock")
    .option('--time-zone <zone>', 'IANA name for --cron, such as Europe/Berlin; default: the time zone of the project')
    .option('--event', 'requests to its own address start it')
    .option('--docs', 'commits that reach the base branch of the docs start it')
    .option(
      '--code [source]',
      'commits of a source start it; without a name, those of this repository; with --cron, together',
    )
    .option('--path <glob...>', 'globs of the files that count for --docs and --code; default: all')
    .option(
      '--since <commit>',
      'the tag, commit or date after which --docs and --code begin; default: the newest commit',
    )
    .addOption(switchOption())
    .option('--source <name...>', 'sources that its jobs need; default: all of the project')
    .option('--scope <glob...>', 'globs of the paths that its jobs may change; default: all that the project allows')
    .option('--model <model>', 'provider/model; one that the project allows')
    .addOption(limits('--budget', `budgets of a run, repeatable: ${budgets.join(', ')}`, budgets))
    .addOption(limits('--cap', `what it may start in a day, repeatable: ${caps.join(', ')}`, caps))
    .addOption(
      new Option(
        '--update <how>',
        'how changes are proposed; default: pull_request; merge: merged when nothing needs a person',
      ).choices(['pull_request', 'draft', 'merge']),
    )
    .option('--merge-without-checks', 'with --update merge: also a commit without any check of the forge')
    .addOption(
      new Option(
        '--grouping <how>',
        'one: runs share a pull request; each: one for each run; default: each, or that of the kind',
      ).choices(groupings),
    )
    .option('--ends-at <time>', 'nothing starts from then on, such as 2027-02-18T08:00:00Z')
}

function limits(flag: string, help: string, names: readonly string[]): Option {
  return new Option(`${flag} <name=number>`, help).argParser(createLimitParser(names))
}

function toBody(options: Fields): object {
  const { option, source, scope, model, budget, cap, update, mergeWithoutChecks, grouping, endsAt, since } = options
  return {
    options: option,
    sources: source,
    scope,
    model,
    budgets: budget,
    caps: cap,
    update,
    mergeWithoutChecks,
    grouping,
    endsAt,
    since,
  }
}

type NewOptions = Fields & { readonly kind?: string; readonly paused?: true }

async function toNewBody(name: string | undefined, options: NewOptions, context: CommandContext): Promise<object> {
  const { kind, instructions } = options
  if (kind === undefined && (name === undefined || instructions === undefined))
    throw usage('Give a name and --instructions, or the --kind of a ready-made automation.')
  const trigger = kind === undefined ? newTrigger(options) : chosenTrigger(options)
  const text = instructions === undefined ? undefined : await readPrompt({ prompt: instructions }, context)
  return { kind, name, trigger, instructions: text, ...toBody(options), enabled: options.paused !== true }
}

function addRecords(add: AddCommand, context: CommandContext): void {
  const { output } = context
  add('list', 'list the automations of a project').action(async (options: Options) => {
    const { body } = await withProject(context, options, (api, id) => api.send('GET', pathOf(id)))
    const { automations } = JSON.parse(body) as { readonly automations: readonly ShownAutomation[] }
    if (options.json) return output.print(JSON.stringify(automations))
    const rows = automations.map((one) => [one.id, plainText(shorten(one.name, 40)), ...stateOf(one)])
    printTable(output, ['ID', 'AUTOMATION', 'STARTED BY', 'NEXT RUN', 'LAST RUN'], rows)
  })
  addFields(
    add(
      'create [name]',
      'create an automation: started by a schedule, by commits of the docs or of code, by requests, or only by people and keys',
    ),
  )
    .option('--kind <kind>', 'a ready-made one, of `docent automation kinds`; it has a name, times and instructions')
    .option(
      '--instructions <text>',
      'the prompt of its jobs, or an addition to a kind; - reads standard input, @file a file',
    )
    .option('--paused', 'start nothing until it is resumed')
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: NewOptions) => {
      const body = await toNewBody(name, options, context)
      const made = await withProject(context, options, (api, id) => api.send('POST', pathOf(id), body))
      print(output, made.body, options)
    })
  add('kinds', 'list the ready-made automations, and what the project lacks for each').action(
    async (options: Options) => {
      const { body } = await withProject(context, options, (api, id) =>
        api.send('GET', pathOf(id, undefined, 'automation-kinds')),
      )
      printKinds(output, body, options)
    },
  )
  add('show <automation>', 'show an automation, by its id or name').action(async (wanted: string, options: Options) => {
    const { body } = await withAutomation(context, options, wanted, (api, path) => api.send('GET', path))
    print(output, body, options)
  })
  add('delete <automation>', 'delete an automation and the list of its runs; their jobs and pull requests stay').action(
    async (wanted: string, options: Options) => {
      await withAutomation(context, options, wanted, (api, path) => api.send('DELETE', path))
      output.print(options.json ? JSON.stringify({ deleted: true }) : `Deleted the automation ${plainText(wanted)}.`)
    },
  )
}

function addChanges(add: AddCommand, context: CommandContext): void {
  addFields(add('set <automation>', 'change the given options of an automation and nothing else'))
    .option('--name <name>', 'another name')
    .option('--instructions <text>', 'other instructions; - reads standard input, @file a file')
    .option('--no-schedule', 'people and keys start it from now on, and nothing else', true)
    .addOption(new Option('--reset <setting...>', 'settings to reset to their defaults').choices(resettable))
    .action(async (wanted: string, options: SetOptions) => {
      const { name, instructions, reset = [] } = options
      const text = instructions === undefined ? undefined : await readPrompt({ prompt: instructions }, context)
      const defaults = Object.fromEntries(reset.map((setting) => [setting, null]))
      const { body } = await withAutomation(context, options, wanted, async (api, path) => {
        const trigger = await changedTrigger(api, path, options)
        return api.send('PATCH', path, { name, trigger, instructions: text, ...toBody(options), ...defaults })
      })
      print(context.output, body, options)
    })
  for (const [usage, about, enabled] of [
    ['pause', 'start no more runs; one in progress continues', false],
    ['resume', 'start runs again, from now on', true],
  ] as const) {
    add(`${usage} <automation>`, about).action(async (wanted: string, options: Options) => {
      const { body } = await withAutomation(context, options, wanted, (api, path) =>
        api.send('PATCH', path, { enabled }),
      )
      print(context.output, body, options)
    })
  }
}

function addSecret(add: AddCommand, context: CommandContext): void {
  add('secret <automation>', 'replace the secret that signs its events, and print the new one').action(
    async (wanted: string, options: Options) => {
      const { body } = await withAutomation(context, options, wanted, (api, path) => api.send('POST', `${path}/secret`))
      if (options.json) context.output.print(body)
      else printEvents(context.output, JSON.parse(body) as ShownAutomation)
    },
  )
}
