// Signatures of requests, as Standard Webhooks defines them: over the id, the time and the bytes of the body. Pure.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Headers and body of a request as they were sent. */
export type SignedRequest = {
  readonly id: string | undefined
  /** Seconds since 1970. */
  readonly timestamp: string | undefined
  /** `v1,` and base64; several are separated by spaces. */
  readonly signature: string | undefined
  readonly body: Uint8Array
}

const prefix = 'whsec_'
/** How far the time of a request may be from that of the service, before and after. */
const toleranceSeconds = 300

export function createSigningSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/** An id has no full stop, because one ends it in what is signed. */
export function isMessageId(text: string): boolean {
  return /^[\x21-\x2d\x2f-\x7e]{1,200}$/.test(text)
}

/** The headers of a request whose body is this text. */
export function signedHeaders(
  secret: string,
  { id, body }: { readonly id: string; readonly body: string },
  now: Date,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = `v1,${digestOf(secret, { id, timestamp, body: Buffer.from(body) }).toString('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

export function isSigned(secret: string, { id, timestamp, signature, body }: SignedRequest, now: Date): boolean {
  const wanted = digestOf(secret, { id, timestamp, body })
  const isSame = (signature ?? '').split(' ').some((one) => isDigest(one, wanted))
  return isSame && isMessageId(id ?? '') && isRecent(timestamp ?? '', now)
}

function digestOf(secret: string, { id, timestamp, body }: Omit<SignedRequest, 'signature'>): Buffer {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}

function isDigest(text: string, wanted: Buffer): boolean {
  if (!text.startsWith('v1,')) return false
  const given = Buffer.from(text.slice(3), 'base64')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function isRecent(timestamp: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= toleranceSeconds
}
