// Sends a notification to a webhook: one request to a checked address of its host, which follows no redirect. The response is
// the receiver's: only its status counts, and a short beginning of it is kept for people.

import { performance } from 'node:perf_hooks'
import { exchange, type Exchanged } from '../../lib/outbound/exchange.ts'
import { type Resolve, resolveHost, systemResolve } from '../../lib/outbound/resolve.ts'
import { waitOf } from '../../lib/outbound/retry-after.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { refusedHost, webHost } from '../../lib/outbound/web-host.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { Attempted } from '../deliveries/queue.ts'
import type { NotifyingContext } from '../read-data.ts'

export type WebhookNetwork = {
  /** `host` or `host:port` that may be private, an IP literal, or plain http. */
  readonly privateHosts: readonly string[]
  readonly resolve?: Resolve
  readonly deadlineMs?: number
}

export type WebhookRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The secret of the webhook, which a receiver may repeat. */
  readonly secret: string
}

/** For all of one attempt together: the connection, and the whole response. */
const usualDeadlineMs = 10_000
/** The rest of a response is not read. */
const maxBytes = 16_384
const resolveMs = 5_000
const excerptCharacters = 200

/** Throws only the reason of `signal`. */
export async function sendRequest(
  request: WebhookRequest,
  network: WebhookNetwork & Pick<NotifyingContext, 'redact'>,
  signal: AbortSignal,
): Promise<Attempted> {
  const started = performance.now()
  const done = await send(request, network, signal)
  return { ...done, milliseconds: Math.round(performance.now() - started) }
}

type Done = Omit<Attempted, 'milliseconds'>

async function send(
  { url, headers, body, secret }: WebhookRequest,
  {
    privateHosts,
    resolve = systemResolve,
    deadlineMs = usualDeadlineMs,
    redact,
  }: WebhookNetwork & Pick<NotifyingContext, 'redact'>,
  signal: AbortSignal,
): Promise<Done> {
  const host = webHost(url, privateHosts)
  const refused = refusedHost(url, host)
  if (refused !== undefined) return failed(refused)
  const found = await resolveHost(host, resolve, AbortSignal.any([signal, AbortSignal.timeout(resolveMs)])).catch(
    () => {
      signal.throwIfAborted()
      return { kind: 'refused' as const, reason: `The name ${host.hostname} could not be resolved in time.` }
    },
  )
  if (found.kind === 'refused') return failed(found.reason.replace(/\.$/, ''))
  const { addresses } = found
  const limits = { deadlineMs, maxBytes, cuts: true }
  const sent = { url, method: 'POST', headers: { ...common, ...headers }, body, secret, addresses, limits }
  const response = await exchange(sent, signal)
  return response.kind === 'lost'
    ? failed(response.reason)
    : judge(response, (text) => sanitise(redact(text), [secret]))
}

const common = { 'content-type': 'application/json', 'user-agent': 'docent', 'accept-encoding': 'identity' } as const

function failed(why: string): Done {
  return { kind: 'failed', status: null, excerpt: null, why }
}

function judge(
  { status, headers, body }: Extract<Exchanged, { kind: 'whole' }>,
  clean: (text: string) => string,
): Done {
  const text = shorten(clean(new TextDecoder().decode(body.subarray(0, 2_000))), excerptCharacters)
  const excerpt = text === '' ? null : text
  if (status >= 200 && status < 300) return { kind: 'delivered', status, excerpt, why: null }
  if (status === 410) return { kind: 'failed', isGone: true, status, excerpt, why: 'it responded with 410: it is gone' }
  const isRedirect = status >= 300 && status < 400
  const why = `it responded with ${status}${isRedirect ? ', and redirects are not followed' : ''}`
  return { kind: 'failed', status, excerpt, why, waitSeconds: waitOf(headers, Date.now()) }
}
