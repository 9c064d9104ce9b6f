// Text that callers send. Its length counts Unicode code points, as `maxLength` of JSON Schema does. Text that PostgreSQL
// or UTF-8 cannot hold unchanged is refused.

import { z } from '@hono/zod-openapi'

type TextRule = {
  readonly max: number
  readonly description: string
  readonly example?: string
  readonly mayBeEmpty?: true
}

/** 1 to `max` characters, not only white space, well-formed, without NUL. */
export function text({ max, description, example, mayBeEmpty }: TextRule) {
  return z
    .string()
    .superRefine((value, context) => {
      const problem = mayBeEmpty && value === '' ? undefined : problemOf(value, max)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .openapi({
      ...(mayBeEmpty ? {} : { minLength: 1, pattern: '\\S' }),
      maxLength: max,
      description,
      ...(example === undefined ? {} : { example }),
    })
}

function problemOf(value: string, max: number): string | undefined {
  if (value === '') return 'must not be empty'
  if (!/\S/.test(value)) return 'must not be only white space'
  if (value.includes('\0')) return 'must not contain a NUL character'
  if (!value.isWellFormed()) return 'must not contain a lone surrogate'
  if (value.length > max && countCharacters(value) > max)
    return `must have at most ${max.toLocaleString('en-US')} characters`
  return undefined
}

/** Code points, without a copy. */
function countCharacters(value: string): number {
  return value.length - (value.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

/** The end of a key or a link, in the future; null: never. */
export const expiry = z.iso
  .datetime({ offset: true, message: 'must be a date and time with its offset, such as 2027-02-18T08:00:00Z' })
  .transform((value) => new Date(value))
  .refine((date) => date > new Date(), 'must be in the future')
  .nullable()
  .openapi({ type: ['string', 'null'], format: 'date-time' })

type IntegerRule = {
  readonly min: number
  readonly max: number
  readonly fallback: number
  readonly description: string
}

/** A whole number in a query parameter. */
export function integerParameter({ min, max, fallback, description }: IntegerRule) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback)
    .openapi({ type: 'integer', minimum: min, maximum: max, default: fallback, description })
}
