// The ids that earlier releases gave to lines: a SHA-256 of the line, with the number of identical lines before it in the log,
// and with a part for the host that the person named. Page views that are stored under them must not be stored again.

import { hash } from 'node:crypto'

/** Days as `2026-11-21`, in UTC. The project has page views under older ids from the first to the last one. */
export type OlderDays = { readonly from: string; readonly to: string }

/** Returns a function that says whether a page view at this time may be stored under an older id. */
export function createOlderCheck(days: OlderDays | null): (timestamp: number | string) => boolean {
  if (days === null) return () => false
  const from = Date.parse(days.from)
  const end = Date.parse(days.to) + 86_400_000
  return (timestamp) => {
    const time = typeof timestamp === 'number' ? timestamp : Date.parse(timestamp)
    return time >= from && time < end
  }
}

/** `hosts`: those under which the line may have been imported. */
export function toOlderIds(line: Uint8Array, before: number, hosts: readonly string[]): readonly string[] {
  const text = hash('sha256', line, 'base64url').slice(0, 22)
  const id = before === 0 ? text : `${text}-${before}`
  return [id, ...hosts.map((host) => `${id}@${hash('sha256', host, 'base64url').slice(0, 8)}`)]
}
