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

/**
 * A row as the tables write it. Unless `own` differs, the pattern is the name of the agent in lower case, and the id too, with
 * hyphens. Ids are stored: an agent with a new name keeps the id that it had.
 */
export type AgentRow = readonly [
  agent: string,
  operator: string,
  example: string,
  own?: Partial<Pick<AgentRule, 'id' | 'pattern'>>,
]

export function toRule(category: Category, [agent, operator, example, own]: AgentRow): AgentRule {
  const pattern = agent.toLowerCase()
  return { id: pattern.replaceAll(' ', '-'), pattern, category, agent, operator, example, ...own }
}

/** A user agent in the form that most crawlers use. */
export function compatible(name: string): string {
  return `Mozilla/5.0 (compatible; ${name})`
}

export function webKit(name: string): string {
  return `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`
}

/** `text` is in lower case. */
export function holds(pattern: string | RegExp, text: string): boolean {
  return typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)
}
