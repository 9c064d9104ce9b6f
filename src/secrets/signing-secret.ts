// The secret that signs the requests of an automation's senders, or those to a webhook. The database has it encrypted; its
// text is shown once.

import { createSigningSecret } from '../lib/outbound/standard-webhooks.ts'
import { type Secrets, SecretUnreadable } from './secrets.ts'

/** `text` is for the response that shows it. */
export type NewSecret = { readonly text: string; readonly encrypted: string }

/** The row that has the secret, and what it is for. */
export type SecretPlace = { readonly owner: string; readonly purpose: string }

export function newSigningSecret(secrets: Pick<Secrets, 'encrypt'>, { owner, purpose }: SecretPlace): NewSecret {
  const text = createSigningSecret()
  return { text, encrypted: secrets.encrypt(owner, purpose, text) }
}

/** Undefined: there is no secret, or one that this service cannot read. */
export function readSecret(
  secrets: Pick<Secrets, 'decrypt'>,
  { owner, purpose }: SecretPlace,
  encrypted: string | null,
): string | undefined {
  if (encrypted === null) return undefined
  try {
    return secrets.decrypt(owner, purpose, encrypted)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}
