// Ties a schema to the type of the response that it describes, so that neither can have a field that the other lacks.

import { z } from '@hono/zod-openapi'

/** `schemaOf<JobResponse>()(z.object({ … }))` compiles only when the schema describes exactly that type. */
export function schemaOf<Body>() {
  return <Schema extends z.ZodType<Body>>(
    schema: Required<Body> extends Required<z.infer<Schema>> ? Schema : never,
  ): Schema => schema
}

/** An enum that becomes a component called `title`, to which every use refers. */
export function namedEnum<const Values extends readonly [string, ...string[]]>(title: string, values: Values) {
  return z.enum(values).openapi({ title })
}
