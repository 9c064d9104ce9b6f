// A row of Docent's own table of agents, and its matching. The rows are data; they need no other code.

import type { Category } from '../category.ts'

export type AgentRule = {
  /** The stable id of the row, stored with every page view that the row labels. */
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
