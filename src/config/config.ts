// Parses the configuration: environment → frozen Config. Reports all mistakes at once. settings.ts declares the settings:
// this file does not know their variables.

import type { Budget } from '../agent/budget/budget.ts'
import { modelIdProblem } from '../agent/model/model-id.ts'
import { Failure } from '../lib/failure.ts'
import { toTraceSettings, type TraceSettings } from '../lib/observability/trace-settings.ts'
import { keyAdvice } from '../secrets/keys.ts'
import type { Environment } from './environment.ts'
import { secretTextsOf } from './secret-texts.ts'
import { type Setting, settings } from './settings.ts'

type Values<Table> = Table extends Setting<infer T> ? T : { readonly [Name in keyof Table]: Values<Table[Name]> }

/** The values of the table. The budget and traces have the form that the service needs. */
export type Config = Omit<Values<typeof settings>, 'budget' | 'traces'> & {
  readonly budget: Budget
  /** Undefined: no traces. */
  readonly traces: TraceSettings | undefined
  /** Every secret in the environment, for the redactor. */
  readonly secretTexts: readonly string[]
}

/** Throws `config_invalid` with all mistakes, one per line. An empty value counts as not set. */
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
  // Its key may be a stored one: the start and `docent doctor` say when there is no key at all.
  const problem = modelIdProblem(values.model.id)
  if (problem !== null) mistakes.push(`DOCENT_MODEL ${problem}`)
  if (environment['DATABASE_URL'] && !environment['DOCENT_SECRET_KEY']) mistakes.push(keyNeeded)
  if (mistakes.length > 0) {
    const lines = mistakes.map((one) => `  ${one}`).join('\n')
    throw new Failure('config_invalid', `The configuration is invalid:\n${lines}`)
  }
  const budget = { ...values.budget, costUsd: values.budget.costUsd ?? Infinity }
  const secretTexts = secretTextsOf(environment)
  return Object.freeze({ ...values, budget, traces: toTraceSettings(values.traces), secretTexts })
}

const keyNeeded = `DOCENT_SECRET_KEY is required with DATABASE_URL, the same for all servers: ${keyAdvice}`

/** Where clients reach the service, as far as the settings say it; without a slash at the end. */
export function configuredAddress({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Lists all settings in the order of the table. */
export function listSettings(table: object = settings): readonly Setting<unknown>[] {
  return Object.values(table).flatMap((one: object) => (isSetting(one) ? [one] : listSettings(one)))
}

/** The values of the settings with these names, as JSON. Others are left out. */
export function toValuesByName(config: Config, names: ReadonlySet<string>): Readonly<Record<string, string>> {
  const entries: [string, string][] = []
  const walk = (table: object, values: Readonly<Record<string, unknown>>) => {
    for (const [key, one] of Object.entries(table) as [string, object][]) {
      const value = values[key]
      if (!isSetting(one)) walk(one, (value ?? {}) as Readonly<Record<string, unknown>>)
      else if (names.has(one.name)) entries.push([one.name, JSON.stringify(value) ?? 'not set'])
    }
  }
  walk(settings, config)
  return Object.fromEntries(entries)
}

/** `read` returns undefined for an unset variable, and for an invalid one: then `parseConfig` throws. */
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

/** Settings of the command line, which the service does not use. */
const namesOfTheClient = ['DOCENT_URL', 'DOCENT_API_KEY', 'DOCENT_PROJECT']

function unknownNames(environment: Environment): string[] {
  const known = new Set<string>([...listSettings().map(({ name }) => name), ...namesOfTheClient])
  return Object.keys(environment)
    .filter((name) => name.startsWith('DOCENT_') && !known.has(name))
    .map((name) => `${name} is not a setting`)
}
