// Finds the secrets in the values of the environment, so that the redactor knows them from the start.

import { decodePercent } from '../lib/plain-text.ts'
import type { Environment } from './environment.ts'

/** Returns keys, the values of headers, and the passwords of addresses. */
export function secretTextsOf(environment: Environment): readonly string[] {
  const texts = Object.entries(environment).flatMap(([name, value = '']) => {
    if (/^DOCENT_\w*KEY$/.test(name)) return value.split(',').map((one) => one.trim())
    if (/^OTEL_\w*HEADERS$/.test(name)) return value.split(',').flatMap(valuesOfHeader)
    return /^(?:DOCENT_|OTEL_|DATABASE_URL$|CLICKHOUSE_URL$)/.test(name) ? passwordOf(value) : []
  })
  return texts.filter((text) => text !== '')
}

/** The value of `name=value`, and the last word of it: `Bearer <token>`. */
function valuesOfHeader(header: string): readonly string[] {
  const value = decodePercent(header.slice(header.indexOf('=') + 1).trim())
  return [value.split(' ').at(-1) ?? '']
}

function passwordOf(address: string): readonly string[] {
  const url = URL.parse(address)
  if (!url) return []
  return [decodePercent(url.password), url.searchParams.get('password') ?? '']
}
