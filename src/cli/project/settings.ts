// Declares the settings of a project as options of the command line, and turns them into a request body.

import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { categories, type CategoryMapping, visitorClasses } from '../../analytics/category.ts'
import {
  type FieldSettings,
  mapFields,
  type SettingField,
  settingFields,
  type SettingName,
} from '../../projects/setting-fields.ts'
import { budgetNames, defaults, type ProjectChange } from '../../projects/settings.ts'

export type SettingOptions = Partial<FieldSettings> & {
  readonly budget?: Readonly<Record<string, number>>
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly unprotect?: readonly string[]
  readonly draft?: boolean
  readonly label?: readonly string[]
  readonly reviewer?: readonly string[]
  readonly category?: CategoryMapping
}

export function addSettingOptions(command: Command): Command {
  for (const name of fieldNames) command.addOption(toOption(name, settingFields[name]))
  return command
    .option('--budget <name=number>', `budget of a run, repeatable: ${budgetNames.join(', ')}`, addBudget)
    .option('--allow <glob...>', 'globs of paths that jobs may change; default: all')
    .option('--deny <glob...>', 'globs of paths that jobs may not change')
    .option('--unprotect <glob...>', 'protected files that jobs may change, such as docs/package.json')
    .option('--draft <yes|no>', 'open pull requests as drafts', toBoolean)
    .option('--label <name...>', 'labels of pull requests on the forge')
    .option('--reviewer <account...>', 'accounts on the forge to request reviews from')
    .option('--category <name=class>', 'the class that a category counts as, repeatable', addCategory)
}

/** Contains only the given options. `reset` names the settings to reset to their defaults. */
export function toChange(options: SettingOptions, reset: readonly string[] = []): ProjectChange {
  const { budget, allow, deny, unprotect, draft, label, reviewer, category } = options
  const pathPolicy = allow || deny || unprotect ? { allow, deny, unprotect } : undefined
  const pullRequest =
    draft !== undefined || label || reviewer ? { draft, labels: label, reviewers: reviewer } : undefined
  const fields = mapFields((_, name) => [name, options[name]]) as Partial<FieldSettings>
  return {
    ...fields,
    budget,
    pathPolicy,
    pullRequest,
    categories: category,
    ...Object.fromEntries(reset.map((name) => [name, null])),
  }
}

export const resettable = Object.keys(defaults)

const fieldNames = Object.keys(settingFields) as SettingName[]

/** `visitorWindow` becomes `--visitor-window`. */
function toOption(name: SettingName, field: SettingField): Option {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const option = new Option(`--${flag} <${field.placeholder}>`, field.help)
  if (field.kind === 'choice') return option.choices(field.choices)
  return field.kind === 'number' ? option.argParser(toNumber) : option
}

function addBudget(text: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [name = '', value = ''] = text.split('=')
  if (budgetNames.some((one) => one === name) && value !== '') return { ...before, [name]: toNumber(value) }
  throw new InvalidArgumentError(`Write name=number; the names are ${budgetNames.join(', ')}.`)
}

function addCategory(text: string, before: CategoryMapping = {}): CategoryMapping {
  const [name, value] = text.split('=')
  const category = categories.find((one) => one === name)
  const itsClass = visitorClasses.find((one) => one === value)
  if (category && itsClass) return { ...before, [category]: itsClass }
  const names = `the categories are ${categories.join(', ')}; the classes ${visitorClasses.join(', ')}`
  throw new InvalidArgumentError(`Write category=class; ${names}.`)
}

function toBoolean(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Write yes or no.')
}

function toNumber(text: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(number)) return number
  throw new InvalidArgumentError('Write a number.')
}
