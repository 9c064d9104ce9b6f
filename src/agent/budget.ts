// What a run may spend. Pure: the loop asks before each turn, and the answer follows from what is stored.

import { Failure } from '../lib/failure.ts'

export type Budget = {
  readonly turns: number
  /** Input and output tokens of all turns of the run. */
  readonly tokens: number
  readonly seconds: number
  readonly changedFiles: number
  readonly changedBytes: number
}

export type Spent = Budget

const names: Readonly<Record<keyof Budget, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  seconds: 'seconds',
  changedFiles: 'changed files',
  changedBytes: 'changed bytes',
}

/** Throws `budget_exceeded` that names the budget and its limit. Turns are counted before the next one begins. */
export function refuseOverspent(budget: Budget, spent: Spent): void {
  for (const key of Object.keys(names) as (keyof Budget)[]) {
    const over = key === 'changedFiles' || key === 'changedBytes' ? spent[key] > budget[key] : spent[key] >= budget[key]
    if (over) {
      throw new Failure('budget_exceeded', `The run used up its budget of ${budget[key]} ${names[key]}.`)
    }
  }
}
