// Warns the model before a budget of its run is used up, once for each budget. The warning names its budgets beside its
// text, so a run that continues elsewhere knows from its stored turns which ones it was warned about. Pure.

import type { ModelMessage } from '../model/types.ts'
import { kindOf, notice } from '../notices/notices.ts'
import type { Turn } from '../transcript.ts'
import { type Budget, type BudgetKey, findNearlySpent, sayLeft, type Spent } from './budget.ts'

/** Returns one notice or no notice. `turns`: those of the run so far. */
export function budgetWarnings(budget: Budget, spent: Spent, turns: readonly Turn[]): readonly ModelMessage[] {
  const warned = new Set(turns.flatMap(({ input }) => input.flatMap(budgetsOf)))
  const keys = findNearlySpent(budget, spent).filter((key) => !warned.has(key))
  if (keys.length === 0) return []
  const left = sayLeft(keys, budget, spent)
  const text = `The budget of this run is nearly used up: ${left} left. Finish what is begun, then call finish, and say in its summary what is left to do.`
  return [notice('budget', text, { budgets: [...keys] })]
}

function budgetsOf(message: ModelMessage): readonly BudgetKey[] {
  if (kindOf(message) !== 'budget') return []
  return (message.providerOptions?.['docent']?.['budgets'] ?? []) as readonly BudgetKey[]
}
