// Ties a schema to the type of the response that it describes, so that neither can have a field that the other lacks.

import { z } from '@hono/zod-openapi'

/** `schemaOf<JobResponse>()(z.object({ … }))` compiles only when the schema describes exactly that type. */
export function schemaOf<Body>() {
  return <Schema extends z.ZodType<Body>>(
    schema: Required<Body> extends Required<z.infer<Schema>> ? Schema : never,
  ): Schema => schema
}

/**
 * An object without other fields, for requests about keys, people, credentials and rights: a field that was misspelt there,
 * and ignored, would grant more than was meant.
 */
export function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const message = `has an unknown field: it takes ${Object.keys(shape).join(', ')}`
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? message : undefined) })
}

/** An enum that becomes a component called `title`, to which every use refers. */
export function namedEnum<const Values extends readonly [string, ...string[]]>(title: string, values: Values) {
  return z.enum(values).openapi({ title })
}
