// The command that enters the credential of a project or a source, as a person can paste it. Messages end with it, without
// a full stop. Pure.

import { sql } from 'kysely'
import { type ForgeKind } from '../forge/host.ts'
import { knownForge } from '../forge/links/known-forge.ts'
import { isSshOrigin, usualApiUrl } from './places.ts'

/** How the service signs in, without a secret. */
export type SignIn = {
  readonly kind: 'github_app' | 'token' | 'basic' | 'ssh'
  readonly forge: ForgeKind | null
  readonly webUrl: string
  readonly apiUrl: string | null
  readonly account: string | null
  /** The user of a token whose forge asks for one: the e-mail address of an API token of Bitbucket. */
  readonly user: string | null
  readonly installationId: number | null
}

/** How commands name the owner of a credential. `source` null: the project itself. */
export type Named = { readonly project: string; readonly source: string | null }

/** The owner in a sentence: `the project`, or `the source api`. */
export function wordsOf({ source }: Named): string {
  return source === null ? 'the project' : `the source ${source}`
}

/** For queries of `projects`: whether no other project has its name. */
export const hasOwnName = sql<boolean>`not exists
  (select 1 from projects other where other.name = projects.name and other.id <> projects.id)`

/** How a command names the project: by its name, or by its id where the name is shared or hard to quote. */
export function labelOf({ id, name, isUnique }: { id: string; name: string; isUnique: boolean }): string {
  if (!isUnique) return id
  if (/^\w[\w.-]*$/.test(name)) return name
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name) ? `'${name}'` : id
}

/** Enters a secret of the same kind again. */
export function setCommand(owner: Named, signIn: SignIn): string {
  const { kind, forge, webUrl, apiUrl, account, user, installationId } = signIn
  const command = credentialCommand(owner, 'set')
  if (kind === 'github_app') return `${command} --installation ${installationId}`
  if (kind === 'ssh') return `${command} ${keyFiles}`
  if (forge === null) return `${command} --forge git --user ${account ?? 'USER'} --token-file -`
  const named = knownForge(webUrl) === forge ? '' : ` --forge ${forge}`
  const isUsual = apiUrl === null || apiUrl === usualApiUrl(forge, new URL(webUrl).origin)
  const options = [named, isUsual ? '' : ` --api-url ${apiUrl}`, user === null ? '' : ` --user ${user}`]
  return `${command}${options.join('')} --token-file -`
}

/** Enters the first one. `origin`: of the repository. */
export function firstCommand(owner: Named, origin: string): string {
  return `${credentialCommand(owner, 'set')} ${isSshOrigin(origin) ? keyFiles : '--token-file -'}`
}

export function deleteCommand(owner: Named): string {
  return credentialCommand(owner, owner.source === null ? 'delete' : 'remove')
}

function credentialCommand({ project, source }: Named, verb: 'set' | 'delete' | 'remove'): string {
  if (source === null) return `docent project credential ${verb} ${project}`
  return `docent source credential ${verb} ${source} --project ${project}`
}

const keyFiles = '--key-file FILE --host-key-file FILE'
