// Fields of requests and responses, with their descriptions in the document.

import { z } from '@hono/zod-openapi'

export function string(description: string) {
  return z.string().openapi({ description })
}

export function boolean(description: string) {
  return z.boolean().openapi({ description })
}

/** A whole number from 0. */
export function count(description: string) {
  return z.int().openapi({ minimum: 0, description })
}

export function list<Item extends z.ZodType>(item: Item, description: string) {
  return z.array(item).readonly().openapi({ description })
}

/** An instant in UTC, as in `2026-11-20T09:00:00.000Z`. */
export function time(description?: string) {
  return z.string().openapi({ format: 'date-time', ...(description === undefined ? {} : { description }) })
}
