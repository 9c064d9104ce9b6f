// Reads the input of a call by the schema of its tool. A wrong input is explained in short sentences that name the field;
// the words of the library never reach the model.

import { z } from 'zod'
import { startOf } from '../../lib/plain-text.ts'

export type ReadInput<Input> = { readonly input: Input } | { readonly problem: string }

const mostProblems = 5

/** Some models give every optional field, as null: a field that is null is left out. Unknown fields are refused. */
export function readInput<Input>(schema: z.ZodType<Input>, given: unknown): ReadInput<Input> {
  const present = withoutNull(given)
  const unknown = unknownFields(schema, present)
  const parsed = schema.safeParse(present)
  if (parsed.success && unknown.length === 0) return { input: parsed.data }
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => explain(issue, present))
  const problems = [...new Set([...unknown, ...issues])].slice(0, mostProblems)
  return { problem: `Wrong input. ${problems.join(' ')}` }
}

function withoutNull(given: unknown): unknown {
  if (!isRecord(given)) return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function unknownFields(schema: z.ZodType, given: unknown): string[] {
  if (!(schema instanceof z.ZodObject) || !isRecord(given)) return []
  const fields = Object.keys(schema.shape)
  const unknown = Object.keys(given).filter((name) => !fields.includes(name))
  return unknown.map((name) => `There is no field \`${startOf(name, 100)}\`; the fields are ${fields.join(', ')}.`)
}

function explain(issue: z.core.$ZodIssue, given: unknown): string {
  const path = issue.path.join('.')
  const field = path === '' ? 'The input' : `\`${path}\``
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(given, issue.path) === undefined
        ? `${field} is missing.`
        : `${field} must be ${nouns[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return `${field} must ${boundOf(issue.origin, 'at least', Number(issue.minimum))}.`
    case 'too_big':
      return `${field} must ${boundOf(issue.origin, 'at most', Number(issue.maximum))}.`
    case 'invalid_value':
      return `${field} must be one of ${issue.values.map(String).join(', ')}.`
    case 'unrecognized_keys':
      return `${field} has unknown fields: ${startOf(issue.keys.join(', '), 200)}.`
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `${field} is not valid.` : issue.message
    case 'custom':
      return path === '' ? issue.message : `${field}: ${issue.message}`
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
    default:
      return `${field} is not valid.`
  }
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value: unknown, key) => (Object(value) as Record<PropertyKey, unknown>)[key], given)
}

function boundOf(origin: string, how: string, bound: number): string {
  if (origin === 'string') return `have ${how} ${bound} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `have ${how} ${bound} ${bound === 1 ? 'entry' : 'entries'}`
  return `be ${how} ${bound}`
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  int: 'a whole number',
  number: 'a number',
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
