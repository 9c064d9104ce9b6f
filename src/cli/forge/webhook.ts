// `docent forge webhook list|create|secret|delete`: manages the webhooks that forges send deliveries to, over the API.

import { Argument, type Command } from 'commander'
import { hookedForges } from '../../forge/deliveries/address.ts'
import type { ShownForgeWebhook } from '../../http/resources/forge-webhooks/contract.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { type Output, printFields, printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = ProjectOption & { readonly json?: true }

const help = `
Enter the address and the secret at the forge: docs/guides/forges.md has the steps.
  docent forge webhook create gitlab --project Docs`

export function defineForgeWebhook(webhook: Command, context: CommandContext): void {
  const { output } = context
  const add = (name: string, about: string) =>
    addProjectOption(webhook.command(name).description(about)).option('--json', 'print JSON')
  add('list', 'list the webhooks of forges of a project, and when a delivery came').action(async (options: Options) => {
    const { body } = await withProject(context, options, (api, id) => api.send('GET', pathOf(id)))
    const { forgeWebhooks } = JSON.parse(body) as { readonly forgeWebhooks: readonly ShownForgeWebhook[] }
    if (options.json) return output.print(JSON.stringify(forgeWebhooks))
    const rows = forgeWebhooks.map((one) => [one.id, one.forge, toMinute(one.deliveredAt), refusedOf(one), one.url])
    printTable(output, ['ID', 'FORGE', 'LAST DELIVERY', 'REFUSED', 'ADDRESS'], rows)
  })
  add('create', 'create a webhook, and print its address and secret')
    .addArgument(new Argument('<forge>', 'the kind of the forge; Forgejo is gitea').choices([...hookedForges]))
    .addHelpText('after', help)
    .action(async (forge: string, options: Options) => {
      print(
        output,
        (await withProject(context, options, (api, id) => api.send('POST', pathOf(id), { forge }))).body,
        options,
      )
    })
  add('secret <webhook>', 'replace the secret of a webhook, named by its id, and print the new one').action(
    async (id: string, options: Options) => {
      const send = withProject(context, options, (api, project) => api.send('POST', `${pathOf(project, id)}/secret`))
      print(output, (await send).body, options)
    },
  )
  add('delete <webhook>', 'delete a webhook, named by its id').action(async (id: string, options: Options) => {
    await withProject(context, options, (api, project) => api.send('DELETE', pathOf(project, id)))
    output.print(
      options.json
        ? JSON.stringify({ deleted: true })
        : `Deleted the webhook ${plainText(id)}. Delete it at the forge, too.`,
    )
  })
}

function toMinute(time: string | null): string {
  return time === null ? 'never' : `${time.slice(0, 16).replace('T', ' ')}Z`
}

function refusedOf({ refused, refusedAt }: ShownForgeWebhook): string {
  return refused === 0 ? '0' : `${refused}, last ${toMinute(refusedAt)}`
}

function print(output: Output, body: string, { json }: Options): void {
  if (json) return output.print(body)
  const { id, forge, url, secret } = JSON.parse(body) as ShownForgeWebhook
  printFields(output, { id, forge, url, ...(secret === null ? {} : { secret }) })
  output.print('Enter the address and the secret at the forge now: the secret is not shown again.')
}

function pathOf(projectId: string, id?: string): string {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/forge-webhooks`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}
