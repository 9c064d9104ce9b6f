// The payload of an event as a model may read it: data of outsiders, cut to a size that cannot fill a context. What is at the
// top comes first; what is left out is counted. Pure.

import { startOf } from '../../lib/plain-text.ts'

const mostCharacters = 200
const mostNameCharacters = 60
const mostValues = 100
const mostLevels = 6

export type BoundedPayload = {
  readonly payload: unknown
  /** Strings, numbers, booleans, nulls and empty lists and objects of the payload that are not there. */
  readonly leftOut: number
}

type Place = { readonly value: unknown; readonly level: number; readonly put: (kept: unknown) => void }

/** `value`: of parsed JSON. `hide` removes secrets of the service; it sees each text before it is cut. */
export function boundPayload(value: unknown, hide: (text: string) => string): BoundedPayload {
  const shown = (text: string, most: number) => cut(hide(text.toWellFormed()), most)
  let payload: unknown = null
  let leftOut = 0
  let kept = 0
  const places: Place[] = [{ value, level: 1, put: (root) => (payload = root) }]
  // The list grows while it is read: a level is whole before the next one begins.
  for (const { value: found, level, put } of places) {
    const isContainer = typeof found === 'object' && found !== null
    if (kept >= mostValues || (isContainer && level > mostLevels)) {
      leftOut += countLeaves(found)
      continue
    }
    kept += 1
    if (Array.isArray(found)) {
      const list: unknown[] = []
      put(list)
      places.push(...found.slice(0, mostValues).map((one) => ({ value: one, level: level + 1, put: pushTo(list) })))
      leftOut += countLeaves(found.slice(mostValues), 0)
    } else if (isContainer) {
      const fields = new Map<string, unknown>()
      const entries = Object.entries(found)
      const names = new Set<string>()
      for (const [name, one] of entries.slice(0, mostValues)) {
        const key = shown(name, mostNameCharacters)
        // Two long names may begin alike.
        if (names.has(key)) leftOut += countLeaves(one)
        else places.push({ value: one, level: level + 1, put: (part) => fields.set(key, part) })
        names.add(key)
      }
      put(fields)
      leftOut += countLeaves(
        entries.slice(mostValues).map(([, one]) => one),
        0,
      )
    } else {
      put(typeof found === 'string' ? shown(found, mostCharacters) : found)
    }
  }
  return { payload: toPlain(payload), leftOut }
}

function pushTo(list: unknown[]): (part: unknown) => void {
  return (part) => list.push(part)
}

function cut(text: string, most: number): string {
  const start = startOf(text, most)
  const rest = text.length - start.length
  return rest === 0 ? start : `${start}… [${rest} more characters]`
}

/** `empty`: how much a list or an object without anything in it counts. */
function countLeaves(value: unknown, empty = 1): number {
  if (typeof value !== 'object' || value === null) return 1
  const parts: readonly unknown[] = Object.values(value)
  return parts.length === 0 ? empty : parts.reduce<number>((sum, part) => sum + countLeaves(part), 0)
}

/** Maps become objects at the end: a name such as `__proto__` is a name like others. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (!(value instanceof Map)) return value
  return Object.fromEntries([...value].map(([name, part]: [string, unknown]) => [name, toPlain(part)]))
}
