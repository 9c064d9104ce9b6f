// The secret that signs the events of an automation. The database has it encrypted; its text is shown once.

import type { AutomationRow } from '../../postgres/schema/automations.ts'
import { type Secrets, SecretUnreadable } from '../../secrets/secrets.ts'
import { createEventSecret } from './signature.ts'

const purpose = 'event secret'

/** `text` is for the response that shows it. */
export type NewSecret = { readonly text: string; readonly encrypted: string }

export function newEventSecret(secrets: Pick<Secrets, 'encrypt'>, automationId: string): NewSecret {
  const text = createEventSecret()
  return { text, encrypted: secrets.encrypt(automationId, purpose, text) }
}

/** Undefined: it has no secret, or one that this service cannot read. */
export function readEventSecret(
  secrets: Pick<Secrets, 'decrypt'>,
  { id, event_secret: secret }: Pick<AutomationRow, 'id' | 'event_secret'>,
): string | undefined {
  if (secret === null) return undefined
  try {
    return secrets.decrypt(id, purpose, secret)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}
