// `docent github …`: creates the GitHub App of the service or stores an existing one, and lists where it is installed.

import { type Command, InvalidArgumentError } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import { base62, randomString } from '../../lib/id.ts'
import { plainText, startOf } from '../../lib/plain-text.ts'
import type { BegunForgeApp } from '../../projects/forge-apps/create.ts'
import type { ForgeApp } from '../../projects/forge-apps/forge-app.ts'
import type { ForgeAppCheck } from '../../projects/forge-apps/forge-apps.ts'
import type { Api } from '../api/api.ts'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { paint, printTable } from '../output.ts'
import { readSecret } from '../read-input.ts'
import { waitForApp } from './wait.ts'

type Json = { readonly json?: true }
type CreateOptions = Json & { readonly organization?: string; readonly url: string; readonly name?: string }
type SetOptions = Json & { readonly appId: number; readonly privateKeyFile: string; readonly url: string }

const gitHub = 'https://github.com'
const path = '/v1/forge-apps'

export function defineGitHub(github: Command, context: CommandContext): void {
  addCreate(github, context)
  addSet(github, context)
  addApps(github, context)
  addInstallations(github, context)
  addDelete(github, context)
}

function addCreate(github: Command, context: CommandContext): void {
  github
    .command('create-app')
    .description('create the GitHub App of this service in a browser, and wait until it exists')
    .option('--organization <name>', 'the organization that will own the App (default: you)')
    .option('--url <address>', 'the address of GitHub Enterprise', gitHub)
    .option('--name <name>', 'the name of the App; you can change it at GitHub')
    .option('--json', 'print one JSON object with openUrl and do not wait')
    .action(async ({ json, organization, url, name }: CreateOptions) => {
      const body = { webUrl: url, organization: organization ?? null, name: name ?? nameFor(organization) }
      await withApi(
        context,
        async (api) => {
          const response = await api.send('POST', path, body)
          if (json) return context.output.print(response.body)
          const begun = JSON.parse(response.body) as BegunForgeApp
          context.output.print(`Open this address in a browser, and create the App there:\n  ${begun.openUrl}`)
          const find = async () => (await listApps(api)).find(({ id }) => id === begun.id)
          const app = await waitForApp({ ...context, clock: systemClock, find }, begun)
          if (app) printNext(context, app)
        },
        true,
      )
    })
}

/** GitHub requires a unique name of at most 34 characters. */
function nameFor(organization: string | undefined): string {
  return startOf(`Docent ${organization ?? randomString(base62, 6)}`, 34)
}

function printNext({ output }: CommandContext, { name, installUrl }: ForgeApp): void {
  output.print(`${paint(output, 'green', '✓')} The App ${plainText(name)} exists. Now choose its repositories:`)
  output.print(`  ${installUrl}`)
  output.print('Then connect a project with the installation that this lists:')
  output.print('  docent github installations')
  output.print('  docent project credential set PROJECT --installation ID')
}

function addSet(github: Command, context: CommandContext): void {
  github
    .command('set-app')
    .description('store an existing GitHub App, or its new private key')
    .requiredOption('--app-id <id>', 'the "App ID" on its settings page', toId)
    .requiredOption('--private-key-file <file>', 'its .pem file; - is standard input')
    .option('--url <address>', 'the address of GitHub Enterprise', gitHub)
    .option('--json', 'print one JSON object')
    .action(async ({ appId, privateKeyFile, url, json }: SetOptions) => {
      const body = { webUrl: url, appId, privateKey: await readSecret(privateKeyFile, 'private key', context) }
      const response = await withApi(context, (api) => api.send('PUT', path, body))
      if (json) context.output.print(response.body)
      else printNext(context, JSON.parse(response.body) as ForgeApp)
    })
}

function addApps(github: Command, context: CommandContext): void {
  github
    .command('apps')
    .description('list the GitHub Apps of this service, one per GitHub server')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Json) => {
      const apps = await withApi(context, listApps)
      if (json) return context.output.print(JSON.stringify(apps))
      const rows = apps.map((app) => [
        app.id,
        plainText(app.name),
        String(app.appId),
        app.owner ?? '',
        namesOf(app),
        app.pageUrl,
      ])
      printTable(context.output, ['APP', 'NAME', 'APP ID', 'OWNER', 'PROJECTS', 'PAGE'], rows)
      for (const { problem } of apps) if (problem !== null) context.output.warn(plainText(problem))
    })
}

function namesOf({ projects }: ForgeApp): string {
  return plainText(projects.map(({ name }) => name).join(', '))
}

function addInstallations(github: Command, context: CommandContext): void {
  github
    .command('installations')
    .description('list where the GitHub Apps are installed, and which permissions they lack')
    .option('--url <address>', 'only those of this GitHub server; default: all')
    .option('--json', 'print a JSON array')
    .action(async ({ json, url }: Json & { readonly url?: string }) => {
      const checked = await withApi(context, async (api) => {
        const isOf = (app: ForgeApp) => url === undefined || app.webUrl === url.replace(/\/+$/, '')
        const apps = (await listApps(api)).filter(isOf)
        return Promise.all(apps.map(async (app) => ({ app, ...(await checkApp(api, app.id)) })))
      })
      const all = checked.flatMap(({ app, installations }) => installations.map((one) => ({ ...one, app })))
      if (json)
        return context.output.print(JSON.stringify(all.map(({ app, ...one }) => ({ ...one, webUrl: app.webUrl }))))
      const rows = all.map(({ id, account, repositories, isSuspended, app }) => {
        return [String(id), plainText(account), repositories, isSuspended ? 'suspended' : 'active', app.webUrl]
      })
      printTable(context.output, ['INSTALLATION', 'ACCOUNT', 'REPOSITORIES', 'STATE', 'HOST'], rows)
      for (const { missing } of checked) for (const { remedy } of missing) context.output.warn(plainText(remedy))
      if (all.length > 0) return
      const next = checked.map(({ app }) => `Install the App: ${app.installUrl}`).join('\n')
      context.output.warn(next === '' ? 'There is no App yet: docent github create-app' : next)
    })
}

function addDelete(github: Command, context: CommandContext): void {
  github
    .command('delete-app <app>')
    .description('delete a GitHub App and its private key here; it stays on GitHub')
    .option('--json', 'print one JSON object with id')
    .action(async (id: string, { json }: Json) => {
      await withApi(context, (api) => api.send('DELETE', `${path}/${encodeURIComponent(id)}`))
      const words = `Deleted ${id}. Delete the App at GitHub, too.`
      context.output.print(json ? JSON.stringify({ id, deleted: true }) : words)
    })
}

async function listApps(api: Api): Promise<readonly ForgeApp[]> {
  return (JSON.parse((await api.send('GET', path)).body) as { readonly forgeApps: readonly ForgeApp[] }).forgeApps
}

async function checkApp(api: Api, id: string): Promise<ForgeAppCheck> {
  return JSON.parse((await api.send('POST', `${path}/${id}/check`)).body) as ForgeAppCheck
}

function toId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a number.')
}
