// The budget of a run, and what a run may no longer do. Pure: before each turn, the loop compares the budget with the
// usage of the stored turns.

import { Failure } from '../../lib/failure.ts'

export type Budget = {
  readonly turns: number
  /** Input and output tokens of all turns of the run. */
  readonly tokens: number
  /** US dollars of all turns of the run; Infinity: no limit. */
  readonly costUsd: number
  readonly seconds: number
  readonly changedFiles: number
  readonly changedBytes: number
}
export type BudgetKey = keyof Budget

/** `costUsd`: null when no price is known. */
export type Spent = Omit<Budget, 'costUsd'> & { readonly costUsd: number | null }

const names: Readonly<Record<BudgetKey, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  costUsd: 'US dollars',
  seconds: 'seconds',
  changedFiles: 'changed files',
  changedBytes: 'bytes of changed files',
}
const budgetKeys = Object.keys(names) as BudgetKey[]
/** The size of the change: a run may reach it, and not go beyond. The others are used up when they are reached. */
const sizes: ReadonlySet<BudgetKey> = new Set<BudgetKey>(['changedFiles', 'changedBytes'])

/** Throws `budget_exceeded` with the budget and its limit. Turns are counted before the next one begins. */
export function refuseOverspent(budget: Budget, spent: Spent): void {
  const over = budgetKeys.find((key) => {
    const used = spent[key]
    return used !== null && (sizes.has(key) ? used > budget[key] : used >= budget[key])
  })
  if (over === undefined) return
  throw new Failure('budget_exceeded', `The run used up its budget of ${sayAmount(over, budget[over])}.`)
}

/** Returns the budgets of which at least 80 % are used. */
export function findNearlySpent(budget: Budget, spent: Spent): readonly BudgetKey[] {
  return budgetKeys.filter((key) => 10 * (spent[key] ?? 0) >= 8 * budget[key])
}

/**
 * Throws `model_not_configured` for a budget in money without a known price: such a budget is never ignored silently.
 */
export function refuseUnpriced(budget: Budget, model: string, isPriced: boolean): void {
  if (budget.costUsd === Infinity || isPriced) return
  throw new Failure(
    'model_not_configured',
    `The run has a budget of ${budget.costUsd} US dollars, but the price of ${model} is not known: set it in DOCENT_MODEL_PRICES, or remove the budget.`,
  )
}

/** Combines the budgets of a project and of the service: the smaller value of each. */
export function narrowBudget(service: Budget, own: Partial<Budget>): Budget {
  const narrowed = budgetKeys.map((key) => [key, Math.min(service[key], own[key] ?? Infinity)] as const)
  return { ...service, ...(Object.fromEntries(narrowed) as Budget) }
}

export type ChangeSize = { readonly files: number; readonly bytes: number }

/**
 * A run that begins with a change beyond its budget may continue until the change grows: it can make it smaller. Such a
 * change is still never published.
 */
export function makeRoom(budget: Budget, { files, bytes }: ChangeSize): Budget {
  const { changedFiles, changedBytes } = budget
  return { ...budget, changedFiles: Math.max(changedFiles, files), changedBytes: Math.max(changedBytes, bytes) }
}

/** Says the budget of a run in one line for the model: `200 turns, 4,000,000 tokens, 3,600 seconds, …`. */
export function describeBudget(budget: Budget): string {
  const limited = budgetKeys.filter((key) => budget[key] !== Infinity)
  return limited.map((key) => sayAmount(key, budget[key])).join(', ')
}

/** Says how much of these budgets is left: `40 of 200 turns, 1 of 5 changed files`. */
export function sayLeft(keys: readonly BudgetKey[], budget: Budget, spent: Spent): string {
  return keys
    .map((key) => `${amount(Math.max(0, budget[key] - (spent[key] ?? 0)))} of ${sayAmount(key, budget[key])}`)
    .join(', ')
}

function sayAmount(key: BudgetKey, limit: number): string {
  return `${amount(limit)} ${names[key]}`
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}
