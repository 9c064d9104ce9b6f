// The id of a page view whose log has no ids: a hash of the line and of the number of identical lines just before it.
// So two identical requests in one second count twice, and a line that is read again, in a rotated or overlapping file,
// counts once. Identical lines have the same time, so they are close together: lines further back than twice `window`
// different lines are forgotten.

import { hash } from 'node:crypto'

const lineWindow = 65_536

/** `scope` is anything else that distinguishes page views, such as the host given for lines without one. */
export function createLineIds(scope: string, window = lineWindow): (line: Uint8Array) => string {
  const suffix = scope === '' ? '' : `@${hash('sha256', scope, 'base64url').slice(0, 8)}`
  // Number of occurrences. Two generations, because deleting from the front of a map gets slow.
  let young = new Map<string, number>()
  let old = young
  return (line) => {
    const text = hash('sha256', line, 'base64url').slice(0, 22)
    const before = young.get(text) ?? old.get(text) ?? 0
    young.set(text, before + 1)
    if (young.size >= window) {
      old = young
      young = new Map()
    }
    return before === 0 ? text + suffix : `${text}-${before}${suffix}`
  }
}
