// Declares the settings of a project as options of the command line, and turns them into a request body.

import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { categories, type CategoryMapping, visitorClasses } from '../../analytics/category.ts'
import type { Person } from '../../forge/publication.ts'
import {
  type FieldSettings,
  mapFields,
  type SettingField,
  settingFields,
  type SettingName,
} from '../../projects/setting-fields.ts'
import {
  type GroupField,
  type GroupSettings,
  type ListOfGroup,
  mapGroups,
  type SettingGroup,
  settingGroups,
} from '../../projects/setting-groups.ts'
import { defaults, type ProjectChange } from '../../projects/settings.ts'
import { createLimitParser, toBoolean, toNumber } from '../limit-option.ts'
import { createRuleParser } from '../rule-option.ts'

/** By the names of the options. */
export type SettingOptions = Partial<FieldSettings> & {
  readonly category?: CategoryMapping
  readonly [option: string]: unknown
}

export function addSettingOptions(command: Command): Command {
  const single = fieldNames.map((name) => toOption(name, settingFields[name]))
  const grouped = Object.entries(settingGroups).flatMap(([name, group]) => toGroupOptions(name, group))
  for (const option of [...single, ...grouped]) command.addOption(option)
  return command.option('--category <name=class>', 'the class that a category counts as, repeatable', addCategory)
}

/** Contains only the given options. `reset` names the settings to reset to their defaults. */
export function toChange(options: SettingOptions, reset: readonly string[] = []): ProjectChange {
  const fields = mapFields((_, name) => [name, options[name]]) as Partial<FieldSettings>
  const groups = mapGroups((group, name) => [name, givenOf(group, name, options)]) as Partial<GroupSettings>
  return {
    ...fields,
    ...groups,
    categories: options.category,
    ...Object.fromEntries(reset.map((name) => [name, null])),
  }
}

/** The given values of a group; undefined if no option of it is given. */
function givenOf({ fields }: SettingGroup, name: string, options: SettingOptions): object | undefined {
  const values = Object.entries(fields).flatMap(([key, field]) => {
    const value =
      field.kind === 'lists' ? listsOf(field.lists, options) : 'option' in field ? options[field.option] : undefined
    return value === undefined ? [] : [[key, value] as const]
  })
  const limits = options[name] as object | undefined
  return limits || values.length > 0 ? { ...limits, ...Object.fromEntries(values) } : undefined
}

function listsOf(lists: Readonly<Record<string, ListOfGroup>>, options: SettingOptions): object | undefined {
  const given = Object.entries(lists).flatMap(([name, { option }]) => {
    return options[option] === undefined ? [] : [[name, options[option]] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

export const resettable = Object.keys(defaults)

const fieldNames = Object.keys(settingFields) as SettingName[]

/** `visitorWindow` becomes `--visitor-window`. */
function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function toOption(name: SettingName, field: SettingField): Option {
  if (field.kind === 'texts') return new Option(`${flagOf(name)} <${field.placeholder}...>`, field.help)
  const option = new Option(`${flagOf(name)} <${field.placeholder}>`, field.help)
  if (field.kind === 'choice') return option.choices(field.choices)
  if (field.kind === 'flag') return option.argParser(toBoolean)
  return field.kind === 'number' ? option.argParser(toNumber) : option
}

/** All limits of a group share one option. */
function toGroupOptions(name: string, { fields, help }: SettingGroup): readonly Option[] {
  const limits = Object.keys(fields).filter((key) => fields[key]?.kind === 'limit')
  const options = Object.values(fields).flatMap((field) => {
    if (field.kind === 'lists') return Object.values(field.lists).map(toListOption)
    return field.kind === 'limit' ? [] : [toFieldOption(field)]
  })
  if (limits.length === 0) return options
  const shared = new Option(`${flagOf(name)} <name=number>`, `${help}, repeatable: ${limits.join(', ')}`)
  return [shared.argParser(createLimitParser(limits)), ...options]
}

function toListOption({ option, placeholder, help }: ListOfGroup): Option {
  return new Option(`${flagOf(option)} <${placeholder}...>`, help)
}

function toFieldOption(field: Exclude<GroupField, { readonly kind: 'limit' | 'lists' }>): Option {
  const flag = flagOf(field.option)
  if (field.kind === 'flag') return new Option(`${flag} <yes|no>`, field.help).argParser(toBoolean)
  if (field.kind === 'choice') return new Option(`${flag} <${field.placeholder}>`, field.help).choices(field.choices)
  if (field.kind === 'line') return new Option(`${flag} <${field.placeholder}>`, field.help).argParser(toLine)
  if (field.kind === 'person') return new Option(`${flag} <${field.placeholder}>`, field.help).argParser(toPerson)
  if (field.kind === 'rules')
    return new Option(`${flag} <kind=path...>`, field.help).argParser(createRuleParser(field.choices))
  return new Option(`${flag} <${'placeholder' in field ? field.placeholder : 'glob'}...>`, field.help)
}

function addCategory(text: string, before: CategoryMapping = {}): CategoryMapping {
  const [name, value] = text.split('=')
  const category = categories.find((one) => one === name)
  const itsClass = visitorClasses.find((one) => one === value)
  if (category && itsClass) return { ...before, [category]: itsClass }
  const names = `the categories are ${categories.join(', ')}; the classes ${visitorClasses.join(', ')}`
  throw new InvalidArgumentError(`Write category=class; ${names}.`)
}

/** An empty text removes the value. */
function toLine(text: string): string | null {
  return text === '' ? null : text
}

function toPerson(text: string): Person | null {
  if (text === '') return null
  const [, name, email] = /^([^<>]*[^<>\s])\s*<([^<>]+)>$/.exec(text) ?? []
  if (name !== undefined && email !== undefined) return { name, email }
  throw new InvalidArgumentError('Write a name and an e-mail address: "Acme Docs <docs@example.com>".')
}
