// Checks repository addresses and returns their normal form. Only checks the text: `connect.ts` checks the addresses of
// the host at every connection.

import { isAbsolute, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Failure } from '../../lib/failure.ts'
import { refusedHost, type WebHost, webHost } from '../../lib/outbound/web-host.ts'
import type { Protocol } from './env.ts'
import { repositoryOfPage } from './page-address.ts'
import { isSsh, parseSsh } from './ssh/address.ts'

/** The hostname is empty for `file`. */
export type Address = WebHost & {
  /** The normal form. Safe to show: it never contains a password, and it contains a user only for ssh. */
  readonly href: string
  readonly protocol: Protocol
}

export type AddressRules = {
  readonly allowLocal: boolean
  readonly privateHosts: readonly string[]
  /** Whether ssh is installed. Default: it is not. */
  readonly hasSsh?: boolean
}

const allowed = 'Use an address such as https://github.com/owner/repository.git'

/** Throws `invalid_input` with an address to use. The message never repeats a user, a password or a query. */
export function parseAddress(text: string, rules: AddressRules): Address {
  if (text.length > 2000) refuse('it is longer than 2,000 characters')
  return parse(text.trim(), rules)
}

function parse(text: string, rules: AddressRules): Address {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\\]/.test(text)) refuse('it has control characters or backslashes')
  if (text.startsWith('/') || /^file:\/\//i.test(text)) return parseLocal(text, rules)
  if (isSsh(text)) return fromSsh(text, rules)
  if (!/^https?:\/\//i.test(text)) refuse('only https:// and ssh:// are allowed')
  if (/[^\u0021-\u007e]/.test(text)) refuse('it has spaces or characters outside ASCII')
  const url = URL.parse(text) ?? refuse('it is no URL')
  return fromUrl(url, rules)
}

/** Returns the origin of a repository on a host: `https://host`, with the port when it is not the usual one. */
export function originOf(address: Address): string {
  if (address.protocol !== 'ssh') return new URL(address.href).origin
  return address.port === 22 ? `ssh://${address.hostname}` : `ssh://${address.hostname}:${address.port}`
}

function fromSsh(text: string, rules: AddressRules): Address {
  if (rules.hasSsh !== true) refuse('ssh is not installed where the service runs (the package openssh-client)')
  const found = parseSsh(text, rules.privateHosts)
  return typeof found === 'string' ? refuse(found) : { ...found, protocol: 'ssh' }
}

function fromUrl(url: URL, rules: AddressRules): Address {
  // Clone buttons of some hosts put the name of who clicks in front. The credential of the project names the user.
  if (url.password !== '' || (url.username !== '' && !isName(url.username))) refuse('it holds a password or a token')
  url.username = ''
  if (/^\/+$/.test(url.pathname)) refuse('it has no path')
  const repository = repositoryOfPage(url)
  if (repository !== undefined) refuse('it is the address of a page', `Use ${repository}`)
  if (url.search !== '' || url.hash !== '' || /[?#]$/.test(url.href)) refuse('it has a query or a fragment')
  if (/%[01][0-9a-f]|%7f/i.test(url.pathname)) refuse('its path has control characters')
  const protocol = url.protocol === 'https:' ? 'https' : 'http'
  const host = webHost(url, rules.privateHosts)
  const refused = refusedHost(url, host)
  if (refused !== undefined) {
    refuse(
      refused,
      `Use a public https address, or add ${url.host} to DOCENT_PRIVATE_REPOSITORY_HOSTS and start the service again`,
    )
  }
  // Hosts do not all take a slash at the end, and git adds its own.
  return { href: url.href.replace(/\/+$/, ''), protocol, ...host }
}

/** A token as the user is a secret: names are short. */
function isName(user: string): boolean {
  return /^[\w.%@+-]{1,39}$/.test(user) && !/^(?:gh[a-z]_|github_pat_|gl[a-z]{2,5}-)/.test(user)
}

function parseLocal(text: string, rules: AddressRules): Address {
  if (!rules.allowLocal)
    refuse(
      'folders of this machine are not allowed here (`DOCENT_ALLOW_LOCAL_REPOSITORIES=true` allows them); only https:// is',
    )
  const path = text.startsWith('/') ? text : localPath(text)
  if (!isAbsolute(path) || normalize(path) === '/') refuse('the path of a local repository is absolute')
  const { href } = pathToFileURL(normalize(path).replace(/\/$/, ''))
  return { href, protocol: 'file', hostname: '', port: 0, isListed: true }
}

function localPath(text: string): string {
  const url = URL.parse(text) ?? refuse('it is no URL')
  if (url.hostname !== '' || url.search !== '' || url.hash !== '') refuse('a file address has a path only')
  try {
    return fileURLToPath(url)
  } catch {
    return refuse('a file address has a plain path only')
  }
}

function refuse(reason: string, todo = allowed): never {
  throw new Failure('invalid_input', `The repository address is refused: ${reason}. ${todo}.`)
}
