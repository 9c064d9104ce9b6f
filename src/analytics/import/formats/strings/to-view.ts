// Turns the values that a template reads into page views. What a page view needs is checked when the format is compiled,
// so that a format without it is refused once, and not line by line.

import { Failure } from '../../../../lib/failure.ts'
import { type AddressFrom, findAddress } from '../../address/address-from.ts'
import { readField } from '../../address/line-fields.ts'
import type { ParseLine } from '../../wire-page-view.ts'
import { isAsset, namesClient, readContentType, toPlace, toReferrer, toRepresentation } from '../fields.ts'
import { createClfTime, readIsoTime, readUnixTime } from '../log-time.ts'
import { readTemplate, type Role, type Template, type TimeRole, type Values, withForwarded } from './template.ts'

/** The names, in the format string, of fields that no format can lack: for messages. */
export type Needs = { readonly time: string; readonly path: string }

const times = ['clf', 'iso', 'unix'] as const satisfies readonly TimeRole[]

/** Throws `invalid_input` if lines of the format have no time or no path. */
export function requireRoles({ fields }: Template, needs: Needs): void {
  const roles = new Set(fields.map(({ field }) => field.role))
  const has = (some: readonly Role[]) => some.some((role) => roles.has(role))
  if (!has(times)) throw new Failure('invalid_input', `The format has no time: it needs ${needs.time}.`)
  if (has(['request', 'target', 'location'])) return
  throw new Failure('invalid_input', `The format has no path: it needs ${needs.path}.`)
}

/** A field may be named as in the format string. */
export function createTemplateParser(template: Template, from?: AddressFrom): ParseLine {
  if (from?.kind === 'field' && !/^\d+$/.test(from.name)) {
    return createTemplateParser(withForwarded(template, from.name), { kind: 'forwarded', hops: from.hops })
  }
  const readTime = createTimeReader()
  const hasStatus = template.fields.some(({ field }) => field.role === 'status')
  return (line) => {
    const values = readTemplate(template, line)
    if (values === undefined) return { rejected: 'not_this_format' }
    const timestamp = readTime(values)
    if (timestamp === undefined) return { rejected: 'bad_time' }
    const client = lastOf(values.address) ?? values.peer
    if (from === undefined && !namesClient(client)) return { rejected: 'not_an_address' }
    const request = readRequest(values)
    const place = request && toPlace({ ...request, scheme: values.scheme, host: request.host ?? toHost(values.host) })
    if (place === undefined) return { rejected: 'no_request' }
    const status = readStatus(values.status)
    // Without it, a redirect of the proxy itself would count as a page.
    if (hasStatus && status === undefined) return { rejected: 'no_status' }
    const kind = readContentType(values.type)
    if (isAsset(kind, { status, ...place })) return { rejected: 'not_a_page' }
    return {
      timestamp,
      ...place,
      method: request?.method,
      status,
      userAgent: values.agent ?? '',
      address: findAddress(from, {
        connection: () => client,
        forwarded: () => values.forwarded,
        field: (name) => readField(line, Number(name)),
      }),
      referrer: toReferrer(values.referrer),
      representation: toRepresentation(kind),
    }
  }
}

function createTimeReader(): (values: Values) => number | undefined {
  const readClf = createClfTime()
  return ({ clf, iso, unix }) => {
    if (clf !== undefined) return readClf(clf, 0)
    return iso === undefined ? readUnixTime(Number(unix ?? Number.NaN)) : readIsoTime(iso)
  }
}

type Request = { readonly target: string; readonly method: string | undefined; readonly host: string | undefined }

function readRequest({ request, method, target, location }: Values): Request | undefined {
  if (target !== undefined && (method !== undefined || request === undefined))
    return { target, method, host: undefined }
  if (request !== undefined) {
    const [, verb, rest = ''] = /^([A-Z_-]{1,32}) (.*)$/s.exec(request) ?? []
    const end = rest.lastIndexOf(' HTTP/')
    return verb === undefined
      ? undefined
      : { target: end < 0 ? rest : rest.slice(0, end), method: verb, host: undefined }
  }
  const slash = location?.indexOf('/') ?? -1
  if (location === undefined || slash <= 0) return undefined
  return { target: location.slice(slash), method, host: location.slice(0, slash) }
}

/** `_` is nginx's name of a server without one. */
function toHost(text: string | undefined): string | undefined {
  return text === '_' ? undefined : text
}

/** Undefined for `-` and `000`: nothing was sent, or a proxy answered itself. */
function readStatus(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d\d$/.test(text) ? Number(text) : undefined
}

/** Behind a trusted proxy, Traefik writes its X-Forwarded-For in place of the address. */
function lastOf(list: string | undefined): string | undefined {
  return list?.slice(list.lastIndexOf(',') + 1).trim()
}
