// Parses the two forms of an ssh address: ssh://user@host/path, and user@host:path, whose path is relative to the user's
// home folder. Checks the text only.

import { refusedHost, type WebHost, webHost } from '../../../lib/outbound/web-host.ts'

type SshAddress = WebHost & { readonly href: string }

const form = /^ssh:\/\/(?<user>\w[\w.-]*)@(?<host>[a-z0-9][a-z0-9.-]*)(?::(?<port>\d{1,5}))?(?<path>\/[\w.~/+-]+)$/i
const shortForm = /^(?<user>\w[\w.-]*)@(?<host>[a-z0-9][a-z0-9.-]*):(?<path>[\w.~][\w.~/+-]*)$/i
const usualPort = 22

export function isSsh(text: string): boolean {
  return /^ssh:\/\//i.test(text) || /^[^/]+@[^/]*:/.test(text)
}

/** Returns the normal form, or the reason why the address is refused. */
export function parseSsh(text: string, privateHosts: readonly string[]): SshAddress | string {
  const short = shortForm.exec(text)?.groups
  const groups = short ?? form.exec(text)?.groups
  if (groups === undefined) return 'over ssh it has one of the forms ssh://user@host/path and user@host:path'
  const { user = '', path = '' } = groups
  const port = Number(groups['port'] ?? usualPort)
  if (port === 0 || port > 65_535) return 'it has no possible port'
  const name = groups['host'] ?? ''
  const url = URL.parse(port === usualPort ? `https://${name}` : `https://${name}:${port}`)
  if (url === null) return 'its host is no name'
  // As every URL is read: `127.1` is an address, too.
  const { hostname } = url
  const isListed = [url, new URL(`https://${hostname}:${port}`)].some((url) => webHost(url, privateHosts).isListed)
  const host = { hostname, port, isListed }
  const refused = refusedHost(url, host)
  if (refused !== undefined) return refused
  const shown = port === usualPort ? hostname : `${hostname}:${port}`
  const href = short === undefined ? `ssh://${user}@${shown}${path}` : `${user}@${hostname}:${path}`
  return { href, ...host }
}
