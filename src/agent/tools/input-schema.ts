// The JSON schema of a tool's input as a model sees it: without limits, and without what follows from them, except limits that
// models meet. The tool itself explains a wrong input, and the schemas are sent with every request.

import { z } from 'zod'

type Schema = Readonly<Record<string, unknown>>

const limits = new Set([
  '$schema',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'pattern',
])

/** Made once for each input: making those of all tools takes 2 ms, and every request needs them. */
const made = new WeakMap<z.ZodType, Schema>()

export function inputSchemaOf(input: z.ZodType): Schema {
  const schema = made.get(input) ?? withoutLimits(z.toJSONSchema(input))
  made.set(input, schema)
  return schema
}

/** Fields whose limit models meet: nobody guesses 10 lines around a match, or 500,000 characters of a page. */
const limited: Readonly<Record<string, string>> = { context: 'maximum', content: 'maxLength' }

function withoutLimits(schema: Schema, name = ''): Schema {
  const kept = Object.entries(schema).filter(([key]) => !limits.has(key) || key === limited[name])
  return Object.fromEntries(
    kept.map(([key, value]) => {
      // The names of fields may be those of limits.
      if (key === 'properties') return [key, mapValues(value as Readonly<Record<string, Schema>>, withoutLimits)]
      return [key, key === 'items' ? withoutLimits(value as Schema) : value]
    }),
  )
}

function mapValues(fields: Readonly<Record<string, Schema>>, change: (value: Schema, name: string) => Schema): Schema {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
}
