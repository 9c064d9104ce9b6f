// Refuses query parameters that are probably meant for one that exists. Unknown parameters are ignored, as everywhere, but a
// misspelt filter that is ignored answers the question about all page views, and nothing in the response says so.

import { createMiddleware } from 'hono/factory'
import { filterNames } from '../../analytics/counts/query/filters.ts'
import { chooseText } from '../../checks/suggest/choose.ts'
import { type FailureDetail, invalidFields } from '../../lib/failure.ts'
import type { AppEnv } from '../context.ts'
import type { Operations } from './operations.ts'

/** They say which rows are sent, never which page views count: an export without pages or intervals sends all its rows. */
const ofRows: readonly string[] = ['limit', 'offset', 'interval']
const mostNamed = 20
const longestName = 60

/** Throws `invalid_input`. */
export function refuseMisspeltParameters(operations: Operations) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const known = operations.of(c)?.parameters
    if (known !== undefined) {
      const isKnown = (name: string) => known.includes(name) || ofRows.includes(name)
      const unknown = Object.keys(c.req.queries()).filter((name) => name.length <= longestName && !isKnown(name))
      const details = unknown.flatMap((name) => toDetail(name, known) ?? [])
      if (details.length > 0) throw invalidFields(details.slice(0, mostNamed))
    }
    await next()
  })
}

/** Undefined: it means no parameter of the operation, and no filter of another one. */
function toDetail(name: string, known: readonly string[]): FailureDetail | undefined {
  const meant = chooseText(name, [...known, ...filterNames])
  if (meant === undefined) return undefined
  const pointer = `#/query/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (known.includes(meant)) return { pointer, message: `is not a parameter of this operation: \`${meant}\` is` }
  return { pointer, message: `is not a parameter of this operation, which has no filter \`${meant}\`` }
}
