// The mail of a notification: plain text, and a subject of one line. Pure.

import { nameTricky } from '../../lib/plain-text.ts'
import type { Words } from '../words.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for each attempt: mail programs show it once. */
  readonly id: string
}

export function toMail(
  { title, project, links }: Words,
  { to, id, publicUrl }: Pick<Mail, 'to' | 'id'> & { readonly publicUrl: string },
): Mail {
  const lines = [
    nameTricky(title),
    '',
    `Project: ${nameTricky(project)}`,
    ...links.map(({ name, url }) => `${name}: ${url}`),
    '',
    `You chose these messages in your account: ${publicUrl}/account`,
    '',
  ]
  return { to, id, subject: nameTricky(`[${project}] ${title}`), text: lines.join('\n') }
}

/** An address that means one mailbox, also to a program that reads it as a list or as a header. */
export function isMailbox(address: string): boolean {
  return address.length <= 320 && /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(address)
}
