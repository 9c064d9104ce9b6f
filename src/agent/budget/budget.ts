// The budget of a run. Pure: before each turn, the loop compares the budget with the usage of the stored turns.

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

/** `costUsd`: null when no price is known. */
export type Spent = Omit<Budget, 'costUsd'> & { readonly costUsd: number | null }

const names: Readonly<Record<keyof Budget, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  costUsd: 'US dollars',
  seconds: 'seconds',
  changedFiles: 'changed files',
  changedBytes: 'changed bytes',
}
const budgetKeys = Object.keys(names) as (keyof Budget)[]

/** Throws `budget_exceeded` with the budget and its limit. Turns are counted before the next one begins. */
export function refuseOverspent(budget: Budget, spent: Spent): void {
  for (const key of budgetKeys) {
    const used = spent[key]
    if (used === null) continue
    const over = key === 'changedFiles' || key === 'changedBytes' ? used > budget[key] : used >= budget[key]
    if (over) {
      throw new Failure('budget_exceeded', `The run used up its budget of ${budget[key]} ${names[key]}.`)
    }
  }
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
