// A row of our own table of agents, and how it is matched. The rows are data; this is the only code that they need.

import type { Category } from '../category.ts'

export type AgentRule = {
  /** Stable: it is stored with every page view that the row labels. */
  readonly id: string
  /** Part of the user agent in lower case, or an expression without nested repetition. */
  readonly pattern: string | RegExp
  readonly category: Category
  readonly agent: string
  readonly operator: string
  /** A real user agent. Tests check that exactly this row matches it. */
  readonly example: string
}

/** `text` is in lower case. */
export function holds(pattern: string | RegExp, text: string): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)
}
