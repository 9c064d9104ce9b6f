// The configuration: environment → frozen Config. Reports every mistake at once.
// settings.ts declares the settings; this file knows none of them by its variable.

import type { Budget } from '../agent/budget.ts'
import { modelProblem } from '../agent/model/model-id.ts'
import { Failure } from '../lib/failure.ts'
import { toTraceSettings, type TraceSettings } from '../lib/observability/trace-settings.ts'
import type { Environment } from './environment.ts'
import { type Setting, settings } from './settings.ts'

type Values<Table> = Table extends Setting<infer T> ? T : { readonly [Name in keyof Table]: Values<Table[Name]> }

/** The values of the table; where the variables and the parts of the service differ, as the service needs them. */
export type Config = Omit<Values<typeof settings>, 'budget' | 'traces'> & {
  readonly budget: Budget
  /** undefined: no traces. */
  readonly traces: TraceSettings | undefined
}

/** Throws `config_invalid` with all mistakes, one a line. An empty value counts as not set. */
export function parseConfig(environment: Environment): Config {
  const mistakes = unknownNames(environment)
  const values = readTable(settings, ({ name, fallback, parse }) => {
    const value = environment[name] || fallback
    if (value === undefined) return undefined
    try {
      return parse(value)
    } catch (error) {
      mistakes.push(`${name} ${error instanceof Error ? error.message : 'is invalid'}`)
      return undefined
    }
  })
  const problem = modelProblem(values.model.id, values.model)
  if (problem !== null) mistakes.push(`DOCENT_MODEL ${problem}`)
  if (mistakes.length > 0) {
    const lines = mistakes.map((one) => `  ${one}`).join('\n')
    throw new Failure('config_invalid', `The configuration is invalid:\n${lines}`)
  }
  const budget = { ...values.budget, costUsd: values.budget.costUsd ?? Infinity }
  return Object.freeze({ ...values, budget, traces: toTraceSettings(values.traces) })
}

/** All settings in the order of the table. */
export function listSettings(table: object = settings): readonly Setting<unknown>[] {
  return Object.values(table).flatMap((one: object) => (isSetting(one) ? [one] : listSettings(one)))
}

/** `read` returns undefined for what is not set, and for a mistake: then nobody gets the values. */
function readTable<Table extends object>(table: Table, read: (one: Setting<unknown>) => unknown): Values<Table> {
  const entries = Object.entries(table).map(([name, one]: [string, object]) => [
    name,
    isSetting(one) ? read(one) : readTable(one, read),
  ])
  return Object.fromEntries(entries) as Values<Table>
}

function isSetting(one: object): one is Setting<unknown> {
  return 'parse' in one
}

/** These belong to the command line. */
const namesOfTheClient = ['DOCENT_URL', 'DOCENT_API_KEY', 'DOCENT_PROJECT']

function unknownNames(environment: Environment): string[] {
  const known = new Set<string>([...listSettings().map(({ name }) => name), ...namesOfTheClient])
  return Object.keys(environment)
    .filter((name) => name.startsWith('DOCENT_') && !known.has(name))
    .map((name) => `${name} is not a setting`)
}
