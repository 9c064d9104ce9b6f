// The settings of a project as options of the command line, and the body that they make.

import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { categories, type CategoryMapping, visitorClasses } from '../../analytics/category.ts'
import {
  budgetNames,
  collectionSources,
  defaults,
  type ProjectChange,
  unverifiedAiAgents,
  visitorWindows,
} from '../../projects/settings.ts'

export type SettingOptions = {
  readonly branch?: string
  readonly model?: string
  readonly budget?: Readonly<Record<string, number>>
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly timeZone?: string
  readonly visitorWindow?: NonNullable<ProjectChange['visitorWindow']>
  readonly collectionSource?: NonNullable<ProjectChange['collectionSource']>
  readonly retentionMonths?: number
  readonly signalRetentionDays?: number
  readonly category?: CategoryMapping
  readonly unverifiedAiAgents?: NonNullable<ProjectChange['unverifiedAiAgents']>
}

export function addSettingOptions(command: Command): Command {
  return command
    .option('--branch <branch>', "base branch; default: the repository's own default branch")
    .option('--model <model>', 'provider/model; default: the model of the service')
    .option('--budget <name=number>', `budget of a run, may come more than once: ${budgetNames.join(', ')}`, addBudget)
    .option('--allow <glob...>', 'paths that jobs may change; default: all')
    .option('--deny <glob...>', 'paths that jobs may not change')
    .option('--time-zone <zone>', 'IANA name, such as Europe/Berlin')
    .addOption(new Option('--visitor-window <window>', 'how long visitors are told apart').choices(visitorWindows))
    .addOption(new Option('--collection-source <source>', 'who reports page views').choices(collectionSources))
    .option('--retention-months <number>', 'how long page views are kept', toNumber)
    .option('--signal-retention-days <number>', 'how long the signals of a page view are kept', toNumber)
    .option('--category <name=class>', 'what a category counts as, may come more than once', addCategory)
    .addOption(new Option('--unverified-ai-agents <rule>', 'unverified AI agents').choices(unverifiedAiAgents))
}

/** What was not given is not in it. `reset`: names of settings that get their default again. */
export function toChange(options: SettingOptions, reset: readonly string[] = []): ProjectChange {
  const { branch, model, budget, allow, deny, timeZone, visitorWindow, collectionSource } = options
  const { retentionMonths, signalRetentionDays, category, unverifiedAiAgents } = options
  const pathPolicy = allow || deny ? { allow, deny } : undefined
  const counted = { collectionSource, categories: category, unverifiedAiAgents }
  const others = { timeZone, visitorWindow, retentionMonths, signalRetentionDays, ...counted }
  return { branch, model, budget, pathPolicy, ...others, ...Object.fromEntries(reset.map((name) => [name, null])) }
}

export const resettable = Object.keys(defaults)

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

function toNumber(text: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(number)) return number
  throw new InvalidArgumentError('Write a number.')
}
