// `docent webhook list|create|show|update|secret|test|delete|deliveries|redeliver`: manages the webhooks of a project over the API.

import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { ShownWebhook } from '../../http/resources/webhooks/contract.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import type { Delivery, DeliveryPage } from '../../notifications/webhooks/deliveries.ts'
import type { Api } from '../api/api.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { type Output, printFields, printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = ProjectOption & { readonly json?: true }
type Fields = Options & { readonly event?: readonly string[]; readonly endsAt?: string }
type UpdateOptions = Fields & { readonly url?: string; readonly enable?: true; readonly disable?: true }

export function defineWebhook(webhook: Command, context: CommandContext): void {
  const add: Add = (name, about) =>
    addProjectOption(webhook.command(name).description(about)).option('--json', 'print JSON')
  addRecords(add, context)
  addChanges(add, context)
  addDeliveries(add, context)
  addTest(add, context)
}

/** How long a test event may take, and between two looks. */
const mostWaitedMs = 20_000
const lookingMs = 250

type Add = (usage: string, about: string) => Command

const help = `
The types of events are job.completed, job.failed, job.needs_input, pull_request.opened, pull_request.merged,
pull_request.closed, pull_request.waiting, automation.paused and automation.failed.
  docent webhook create https://example.com/hooks/docent --event job.completed job.failed
  docent webhook create https://hooks.slack.com/services/… --slack`

function addFields(command: Command): Command {
  return command
    .option('--event <type...>', 'the types of events that it gets; default for a new one: all')
    .option('--ends-at <time>', 'nothing is sent from then on, such as 2027-02-18T08:00:00Z')
    .addHelpText('after', help)
}

function addRecords(add: Add, context: CommandContext): void {
  const { output } = context
  add('list', 'list the webhooks of a project').action(async (options: Options) => {
    const webhooks = await withProject(context, options, listAll)
    if (options.json) return output.print(JSON.stringify(webhooks))
    const rows = webhooks.map((one) => [
      one.id,
      plainText(shorten(one.url, 60)),
      one.format,
      stateOf(one),
      one.deliveredAt === null ? 'never' : toMinute(one.deliveredAt),
    ])
    printTable(output, ['ID', 'ADDRESS', 'FORMAT', 'STATE', 'LAST DELIVERED'], rows)
  })
  addFields(add('create <url>', 'create a webhook, and print the secret that signs its requests'))
    .option('--slack', 'the address is that of an incoming webhook of Slack')
    .action(async (url: string, options: Fields & { readonly slack?: true }) => {
      const { event: events, endsAt, slack } = options
      const body = { url, events, endsAt, format: slack ? 'slack' : 'standard' }
      print(
        output,
        (await withProject(context, options, (api, id) => api.send('POST', pathOf(id), body))).body,
        options,
      )
    })
  add('show <webhook>', 'show a webhook, by its id or address').action(async (wanted: string, options: Options) => {
    print(output, (await withWebhook(context, options, wanted, (api, path) => api.send('GET', path))).body, options)
  })
  add('delete <webhook>', 'delete a webhook and the list of its deliveries').action(
    async (wanted: string, options: Options) => {
      await withWebhook(context, options, wanted, (api, path) => api.send('DELETE', path))
      output.print(options.json ? JSON.stringify({ deleted: true }) : `Deleted the webhook ${plainText(wanted)}.`)
    },
  )
}

function addChanges(add: Add, context: CommandContext): void {
  addFields(add('update <webhook>', 'change the given options of a webhook and nothing else'))
    .option('--url <url>', 'another address')
    .addOption(new Option('--enable', 'send events again, from now on').conflicts('disable'))
    .option('--disable', 'send nothing; events that wait are not sent')
    .action(async (wanted: string, options: UpdateOptions) => {
      const { url, event: events, endsAt, enable, disable } = options
      const enabled = enable ? true : disable ? false : undefined
      const change = { url, events, endsAt, enabled }
      if (Object.values(change).every((one) => one === undefined)) throw usage('Say what to change.')
      const send = (api: Api, path: string) => api.send('PATCH', path, change)
      print(context.output, (await withWebhook(context, options, wanted, send)).body, options)
    })
  add('secret <webhook>', 'replace the secret that signs its requests, and print the new one').action(
    async (wanted: string, options: Options) => {
      const { body } = await withWebhook(context, options, wanted, (api, path) => api.send('POST', `${path}/secret`))
      if (options.json) context.output.print(body)
      else printSecret(context.output, JSON.parse(body) as ShownWebhook)
    },
  )
}

function addDeliveries(add: Add, context: CommandContext): void {
  const { output } = context
  add('deliveries <webhook>', 'list what was sent to a webhook, the newest first')
    .addOption(new Option('--status <status>', 'only these').choices(['waiting', 'delivered', 'failed']))
    .option('--limit <number>', 'deliveries on a page, 1 to 100', '20')
    .option('--cursor <cursor>', 'the nextCursor of the page before')
    .action(
      async (wanted: string, options: Options & Readonly<Partial<Record<'status' | 'limit' | 'cursor', string>>>) => {
        const { status, limit = '20', cursor } = options
        const given = {
          limit,
          ...(status === undefined ? {} : { status }),
          ...(cursor === undefined ? {} : { cursor }),
        }
        const query = new URLSearchParams(given).toString()
        const send = (api: Api, path: string) => api.send('GET', `${path}/deliveries?${query}`)
        const { body } = await withWebhook(context, options, wanted, send)
        if (options.json) return output.print(body)
        const { deliveries, nextCursor } = JSON.parse(body) as DeliveryPage
        printTable(
          output,
          ['ID', 'HAPPENED', 'EVENT', 'STATUS', 'CODE', 'ATTEMPTS', 'NEXT ATTEMPT OR REASON'],
          deliveries.map(toRow),
        )
        if (nextCursor !== null) output.warn(`More: --cursor ${nextCursor}`)
      },
    )
  add('redeliver <webhook> <delivery>', 'send a delivery again, with the same id and body').action(
    async (wanted: string, delivery: string, options: Options) => {
      const send = (api: Api, path: string) =>
        api.send('POST', `${path}/deliveries/${encodeURIComponent(delivery)}/redeliver`)
      const { body } = await withWebhook(context, options, wanted, send)
      const { type, eventId } = JSON.parse(body) as Delivery
      output.print(options.json ? body : `${type} is sent again: webhook-id ${eventId}.`)
    },
  )
}

function addTest(add: Add, context: CommandContext): void {
  const { output, stop } = context
  add('test <webhook>', 'send a test event to a webhook, and wait for the response').action(
    async (wanted: string, options: Options) => {
      const sent = await withWebhook(context, options, wanted, async (api, path) => {
        const added = JSON.parse((await api.send('POST', `${path}/test`)).body) as Delivery
        for (let waited = 0; waited < mostWaitedMs; waited += lookingMs) {
          const { body } = await api.send('GET', `${path}/deliveries?limit=100`)
          const found = (JSON.parse(body) as DeliveryPage).deliveries.find(({ id }) => id === added.id)
          if (found && found.status !== 'waiting') return found
          await delay(lookingMs, undefined, { signal: stop })
        }
        return added
      })
      if (options.json) output.print(JSON.stringify(sent))
      const { status, responseCode, milliseconds, error } = sent
      if (status === 'delivered') {
        if (!options.json) output.print(`It arrived: ${responseCode} in ${milliseconds} ms.`)
        return
      }
      const why = status === 'waiting' ? 'other events are sent to it first' : plainText(error ?? 'it failed')
      throw new CommandFailure('failed', 'unavailable', `The test event did not arrive: ${why}.`)
    },
  )
}

function toRow(one: Delivery): readonly string[] {
  const next = one.nextAttemptAt === null ? '' : toMinute(one.nextAttemptAt)
  const why = one.status === 'delivered' ? '' : (one.error ?? '')
  return [
    one.id,
    toMinute(one.createdAt),
    one.type,
    one.status,
    one.responseCode === null ? '-' : String(one.responseCode),
    String(one.attempts),
    plainText(shorten([next, why].filter((text) => text !== '').join(': '), 100)),
  ]
}

function stateOf({ enabled, disabledBecause, endsAt }: ShownWebhook): string {
  if (!enabled) return disabledBecause === null ? 'off' : 'disabled'
  return endsAt !== null && new Date(endsAt) <= new Date() ? 'ended' : 'on'
}

function toMinute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')}Z`
}

function print(output: Output, body: string, { json }: Options): void {
  if (json) return output.print(body)
  const shown = JSON.parse(body) as ShownWebhook
  const { secret: _, disabledBecause, events, ...rest } = shown
  printFields(output, {
    ...rest,
    events: events.join(', '),
    ...(disabledBecause === null ? {} : { disabledBecause }),
    endsAt: rest.endsAt ?? 'never',
    deliveredAt: rest.deliveredAt ?? 'never',
  })
  printSecret(output, shown)
}

function printSecret(output: Output, { secret }: ShownWebhook): void {
  if (secret === null) return
  output.print(
    `Secret: ${secret}\nStore it now: it is not shown again. It signs the requests, as Standard Webhooks defines it.`,
  )
}

async function listAll(api: Api, projectId: string): Promise<readonly ShownWebhook[]> {
  const { body } = await api.send('GET', pathOf(projectId))
  return (JSON.parse(body) as { readonly webhooks: readonly ShownWebhook[] }).webhooks
}

/** With the path of the webhook, which is named by its id or by its address. */
function withWebhook<T>(
  context: CommandContext,
  options: Options,
  wanted: string,
  work: (api: Api, path: string) => Promise<T>,
): Promise<T> {
  return withProject(context, options, async (api, projectId) =>
    work(api, pathOf(projectId, await findId(api, projectId, wanted))),
  )
}

async function findId(api: Api, projectId: string, wanted: string): Promise<string> {
  if (/^whk_[a-z0-9]{20}$/.test(wanted)) return wanted
  const webhooks = await listAll(api, projectId)
  const [found, ...others] = webhooks.filter(({ url }) => url === wanted)
  if (found && others.length === 0) return found.id
  if (found) throw usage(`Several webhooks have the address ${plainText(wanted)}: name one by its id.`)
  const known = webhooks.map(({ id, url }) => `\n  ${id}  ${plainText(url)}`).join('')
  const has = known === '' ? 'It has no webhook yet: docent webhook create --help' : `Its webhooks are:${known}`
  throw new Failure('not_found', `The project has no webhook ${plainText(wanted)}. ${has}`)
}

function pathOf(projectId: string, id?: string): string {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/webhooks`
  return id === undefined ? path : `${path}/${id}`
}
