// The options of a kind: parts of what it does that a project can turn off. Pure.

import type { FailureDetail } from '../../lib/failure.ts'
import { isOfOutsiders, type ReadingName } from '../../jobs/options/readings.ts'
import { type AutomationKind, readyKindOf } from './kinds.ts'

/** By name: whether it is on. */
export type KindOptions = Readonly<Record<string, boolean>>

/** `chosen`: what a project turned on or off. An option that a release has removed is left out. */
export function optionsOf(kind: AutomationKind, chosen: Partial<KindOptions>): KindOptions {
  const names = Object.keys(readyKindOf(kind)?.options ?? {})
  return Object.fromEntries(names.map((name) => [name, chosen[name] ?? true]))
}

export function optionDetails(kind: AutomationKind, chosen: Partial<KindOptions>): readonly FailureDetail[] {
  const known = optionsOf(kind, chosen)
  const names = Object.keys(known)
  const unknown = Object.keys(chosen).filter((name) => !names.includes(name))
  const has = names.length === 0 ? 'has no options' : `has the options ${names.join(', ')}`
  if (unknown.length > 0)
    return unknown.map((name) => ({ pointer: `#/options/${name}`, message: `is unknown: the kind \`${kind}\` ${has}` }))
  return names.length > 0 && !Object.values(known).includes(true)
    ? [{ pointer: '#/options', message: 'must leave one of them on' }]
    : []
}

/** Whether its runs read words of outsiders, such as addresses of page views. */
export function kindReadsOutsiders(kind: AutomationKind, options: KindOptions): boolean {
  return readingsOf(kind, options).some(isOfOutsiders)
}

/** The data that its runs are given. */
export function readingsOf(kind: AutomationKind, options: KindOptions): readonly ReadingName[] {
  const ready = readyKindOf(kind)
  if (!ready) return []
  const more = Object.entries(ready.options).flatMap(([name, { reads }]) => (options[name] ? reads : []))
  return [...new Set([...ready.reads, ...more])]
}
