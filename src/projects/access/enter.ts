// Enters the credential of a project or a source: completes missing fields from the address of the repository, refuses impossible
// combinations, and stores it. The check that follows shows whether it works.

import { locate } from '../../forge/azure/azure.ts'
import { refuseToken } from '../../forge/bitbucket/bitbucket.ts'
import { createForgeClient, type ForgeClientOptions } from '../../forge/client.ts'
import { forgeKinds, type ForgeKind } from '../../forge/host.ts'
import type { Git } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { type CredentialsContext, type NewCredential, putCredential } from '../credentials.ts'
import { readOwner } from './owners.ts'
import { knownForge } from '../../forge/links/known-forge.ts'
import { type forgeNames, isSshOrigin, originOf, pathOf, usualApiUrl, webUrlOf } from '../places.ts'
import { createAppCommand } from '../forge-apps/commands.ts'
import { detectForge } from './detect.ts'

export type GivenCredential = {
  /** `git` is any host with a user and a password. Default: detected from the host. */
  readonly forge?: (typeof forgeNames)[number] | undefined
  readonly token?: string | undefined
  /** For `git`, and the e-mail address of an API token of Bitbucket. */
  readonly user?: string | undefined
  readonly installationId?: number | undefined
  readonly apiUrl?: string | undefined
  /** Only for a repository over ssh, both. */
  readonly privateKey?: string | undefined
  readonly hostKey?: string | undefined
}

export type EnterContext = CredentialsContext &
  Pick<ForgeClientOptions, 'privateHosts' | 'resolve'> & { readonly git: Pick<Git, 'checkKey'> }

/** Throws `not_found` and `invalid_input`. The messages never repeat the secret. */
export async function enterCredential(
  context: EnterContext,
  ownerId: string,
  given: GivenCredential,
  signal: AbortSignal,
): Promise<void> {
  const { repository } = await readOwner(context.db, ownerId)
  const origin = originOf(repository) ?? refuse('#', 'A repository on this machine needs no credential.')
  if (isSshOrigin(origin)) {
    await putCredential(context, ownerId, await toKey(context, given, origin))
    return
  }
  if (given.privateKey !== undefined || given.hostKey !== undefined) {
    refuse('#/privateKey', 'A key is for a repository over ssh: the address of this one needs a token.')
  }
  if ((given.token === undefined) === (given.installationId === undefined)) {
    refuse('#/token', 'Give either `token` or `installationId`.')
  }
  const credential = await complete(context, { given, origin, repository }, signal)
  await putCredential(context, ownerId, credential)
}

type Entry = { readonly given: GivenCredential; readonly origin: string; readonly repository: string }

async function complete(context: EnterContext, entry: Entry, signal: AbortSignal): Promise<NewCredential> {
  const { given, origin } = entry
  if (given.installationId !== undefined) return toInstallation(context, entry, given.installationId)
  const secret = checkSecret(given.token ?? '')
  const forge = given.forge ?? (await detect(context, origin, signal))
  if (forge === 'git') return toBasic(given, origin, secret)
  checkUser(forge, given, secret)
  const onlyHere = forge === 'bitbucket' || forge === 'azure' ? onlyCloud[forge] : undefined
  if (onlyHere !== undefined && knownForge(origin) !== forge && given.apiUrl === undefined) refuse('#/forge', onlyHere)
  const apiUrl = given.apiUrl === undefined ? usualApiUrl(forge, origin) : checkApiUrl(context, given.apiUrl)
  const user = given.user === undefined ? {} : { user: given.user }
  return { kind: 'token', forge, ...addressesOf(forge, apiUrl, entry), secret, ...user }
}

function checkUser(forge: ForgeKind, { user }: GivenCredential, secret: string): void {
  if (forge === 'bitbucket') {
    const refused = refuseToken(secret, user)
    if (refused) refuse(`#/${refused.field}`, refused.message)
    return
  }
  if (user !== undefined)
    refuse('#/user', '`user` is only for `git` and API tokens of Bitbucket: this token needs none.')
}

const onlyCloud = {
  bitbucket:
    'The forge `bitbucket` is Bitbucket Cloud, at https://bitbucket.org. For Bitbucket Data Center name the forge `git`, with `user`.',
  azure:
    'The forge `azure` is Azure DevOps Services, at https://dev.azure.com. For Azure DevOps Server name the forge `git`, with `user`.',
} as const

async function detect(context: EnterContext, origin: string, signal: AbortSignal): Promise<ForgeKind> {
  const found = await detectForge(context, origin, signal)
  if (found.kind === 'forge') return found.forge
  const why = found.kind === 'silent' ? `${origin} does not respond: ${found.reason}` : `${origin} does not say`
  const words = `name it with \`forge\`: ${forgeKinds.join(', ')}; git, with \`user\`, is any other host`
  return refuse('#/forge', `It is not clear which forge this is. ${why}. Try again, or ${words}.`)
}

async function toKey({ git }: EnterContext, given: GivenCredential, webUrl: string): Promise<NewCredential> {
  const { privateKey, hostKey, forge, ...others } = given
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0]
  if (other !== undefined || (forge !== undefined && forge !== 'git')) {
    refuse(
      `#/${other ?? 'forge'}`,
      'A repository over ssh needs `privateKey` and `hostKey` (`--key-file`, `--host-key-file`), and nothing else.',
    )
  }
  if (privateKey === undefined) refuse('#/privateKey', 'A repository over ssh needs `privateKey`.')
  if (hostKey === undefined) refuse('#/hostKey', 'A repository over ssh needs `hostKey`, a line of `ssh-keyscan HOST`.')
  return { kind: 'ssh', webUrl, key: await git.checkKey({ privateKey, hostKey }) }
}

function toBasic({ user, apiUrl }: GivenCredential, webUrl: string, secret: string): NewCredential {
  if (apiUrl !== undefined) refuse('#/apiUrl', '`apiUrl` is for forges: the forge `git` has no API.')
  if (user === undefined) refuse('#/user', 'The forge `git` needs `user`, the name that the host asks for.')
  if (/[\p{Cc}:]/u.test(user)) refuse('#/user', '`user` must be one line without a colon.')
  return { kind: 'basic', webUrl, user, secret }
}

async function toInstallation({ db }: EnterContext, entry: Entry, installationId: number): Promise<NewCredential> {
  const { given, origin } = entry
  if (given.forge !== undefined && given.forge !== 'github') {
    refuse('#/forge', '`installationId` is for the forge `github`.')
  }
  if (given.apiUrl !== undefined) refuse('#/apiUrl', 'An installation has the `apiUrl` of its GitHub App.')
  const apps = db.selectFrom('forge_apps').select(['web_url', 'api_url']).where('web_url', '=', origin)
  const app = await apps.executeTakeFirst()
  if (!app) {
    const words = `This service has no GitHub App on ${origin}. Create one: ${createAppCommand({ webUrl: origin })}`
    refuse('#/installationId', words)
  }
  return { kind: 'github_app', forge: 'github', ...addressesOf('github', app.api_url, entry), installationId }
}

function addressesOf(forge: ForgeKind, apiUrl: string, { origin, repository }: Entry) {
  const webUrl = webUrlOf(forge, apiUrl, origin)
  const path = pathOf(repository, webUrl) ?? ''
  if (!isRepository(forge, { webUrl, path })) {
    const example = forge === 'azure' ? 'organization/project/_git/repository' : 'owner/repository.git'
    refuse('#/forge', `The repository is not at an address of ${forge}, such as ${webUrl}/${example}.`)
  }
  return { webUrl, apiUrl }
}

function isRepository(forge: ForgeKind, { webUrl, path }: { readonly webUrl: string; readonly path: string }): boolean {
  if (forge === 'azure') return locate({ webUrl, path }) !== undefined
  const { length } = path.split('/')
  return forge === 'gitlab' ? length >= 2 : length === 2
}

function checkApiUrl(context: EnterContext, text: string): string {
  const url = URL.parse(text)
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash && /^https?:$/.test(url.protocol)
  if (!isPlain) refuse('#/apiUrl', '`apiUrl` must be an address such as https://gitlab.example.com/api/v4.')
  const apiUrl = url.href.replace(/\/+$/, '')
  try {
    createForgeClient({ ...context, apiUrl })
    return apiUrl
  } catch (error) {
    if (error instanceof Failure) refuse('#/apiUrl', error.message)
    throw error
  }
}

/** Editors and shells add a line break at the end. */
function checkSecret(text: string): string {
  const secret = text.trim()
  if (secret === '') refuse('#/token', '`token` must not be empty.')
  if (/\p{Cc}/u.test(secret)) refuse('#/token', '`token` must be one line.')
  return secret
}

function refuse(pointer: string, message: string): never {
  throw new Failure('invalid_input', message, { details: [{ pointer, message }] })
}
