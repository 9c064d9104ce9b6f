// Decides whether a delivery comes from a forge: only the forge and this service know the secret of the webhook. Judges the bytes
// as they were sent, before anything is parsed. Pure.
// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
// https://docs.gitlab.com/user/project/integrations/webhooks/
// https://forgejo.org/docs/latest/user/webhooks/

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isSigned } from '../../lib/outbound/standard-webhooks.ts'
import type { HookedForge } from './address.ts'

export type Delivery = {
  readonly body: Uint8Array
  /** Undefined: it was not sent. */
  readonly header: (name: string) => string | undefined
}

/** The headers that prove it; one is enough. */
export const proofHeaders: Readonly<Record<HookedForge, readonly string[]>> = {
  github: ['X-Hub-Signature-256'],
  gitlab: ['webhook-signature', 'X-Gitlab-Token'],
  gitea: ['X-Gitea-Signature', 'X-Forgejo-Signature'],
}

type Proof = (secret: string, delivery: Delivery, now: Date) => boolean

const proofs: Readonly<Record<HookedForge, Proof>> = {
  github: (secret, { body, header }) => isDigest(secret, body, header('X-Hub-Signature-256')?.replace(/^sha256=/, '')),
  gitea: (secret, { body, header }) => proofHeaders.gitea.some((name) => isDigest(secret, body, header(name))),
  // GitLab sends the secret itself, or signs with it: the project chooses.
  gitlab: (secret, { body, header }, now) =>
    isSame(header('X-Gitlab-Token') ?? '', secret) ||
    isSigned(
      secret,
      {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        body,
      },
      now,
    ),
}

export function isGenuine(forge: HookedForge, secret: string, delivery: Delivery, now: Date): boolean {
  return proofs[forge](secret, delivery, now)
}

/** `text`: 64 hexadecimal digits, the HMAC-SHA256 of the body. */
function isDigest(secret: string, body: Uint8Array, text = ''): boolean {
  if (!/^[0-9a-f]{64}$/i.test(text)) return false
  return timingSafeEqual(Buffer.from(text, 'hex'), createHmac('sha256', secret).update(body).digest())
}

/** Takes as long for every text. */
function isSame(given: string, wanted: string): boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digestOf(given), digestOf(wanted))
}
