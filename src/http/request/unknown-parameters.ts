// Refuses query parameters that the operation does not have. A misspelt filter that is ignored answers the question about all
// page views, and nothing in the response says so.

import { createMiddleware } from 'hono/factory'
import { chooseText } from '../../checks/suggest/choose.ts'
import { type FailureDetail, invalidFields } from '../../lib/failure.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import type { AppEnv } from '../context.ts'
import type { Operations } from './operations.ts'

/** They say which rows are sent, never which page views count: an export without pages or intervals sends all its rows. */
const ofRows: readonly string[] = ['limit', 'offset', 'interval']
const mostNamed = 20
const longestName = 60

/** Throws `invalid_input`. */
export function refuseUnknownParameters(operations: Operations) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const known = operations.of(c)?.parameters
    if (known !== undefined) {
      const isKnown = (name: string) => known.includes(name) || ofRows.includes(name)
      const unknown = Object.keys(c.req.queries()).filter((name) => !isKnown(name))
      if (unknown.length > 0) throw invalidFields(unknown.slice(0, mostNamed).map((name) => toDetail(name, known)))
    }
    await next()
  })
}

function toDetail(name: string, known: readonly string[]): FailureDetail {
  const shown = plainText(shorten(name, longestName))
  const pointer = `#/query/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const meant = name.length > longestName ? undefined : chooseText(name, known)
  if (meant !== undefined) return { pointer, message: `is not a parameter of this operation: \`${meant}\` is` }
  const takes = known.length === 0 ? 'takes no parameters' : `takes ${known.join(', ')}`
  return { pointer, message: `is not a parameter of this operation, which ${takes}` }
}
