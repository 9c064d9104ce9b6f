// Ties a schema to the type that a feature answers with: neither may have what the other has not.

import type { z } from '@hono/zod-openapi'

/** `describesView<JobView>()(z.object({ … }))` compiles only when the schema says exactly what the view is. */
export function describesView<View>() {
  return <Schema extends z.ZodType<View>>(
    schema: Required<View> extends Required<z.infer<Schema>> ? Schema : never,
  ): Schema => schema
}
