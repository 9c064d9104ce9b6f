// One attempt to send a notification to a person by mail. What the person chose is read again: between the event and the mail, it
// may have changed. Every role may read all that notifications are about, in all projects, so only a person who is gone sees less.

import { performance } from 'node:perf_hooks'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { Db } from '../../postgres/types.ts'
import type { Attempted, ClaimedDelivery } from '../deliveries/queue.ts'
import { type NotifyingContext, readData } from '../read-data.ts'
import { toWords } from '../words.ts'
import { isMailbox, toMail } from './message.ts'
import { sendMail, type SmtpSettings } from './smtp.ts'

export type MailContext = NotifyingContext & {
  readonly db: Db
  /** Undefined: this service sends no mail. */
  readonly smtp: SmtpSettings | undefined
}

const excerptCharacters = 200

/** Throws the reason of `signal`, and errors of the database. */
export async function attemptMail(
  context: MailContext,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempted> {
  const { db, smtp, redact, publicUrl } = context
  if (!smtp) return without('this service sends no mail: DOCENT_SMTP_URL and DOCENT_MAIL_FROM are not set')
  const to = await findMailbox(db, delivery)
  if (to === undefined) return { ...without('the person does not want it any more'), isFinal: true }
  if (!isMailbox(to)) return { ...without('the address of the person is not one mailbox'), isFinal: true }
  const { id, notification, project } = delivery
  const words = toWords({ type: notification.type, data: readData(context, delivery), project, publicUrl })
  const started = performance.now()
  const sent = await sendMail(smtp, toMail(words, { to, id, publicUrl }), signal)
  const milliseconds = Math.round(performance.now() - started)
  const said = sent.response === null ? null : shorten(sanitise(redact(sent.response)), excerptCharacters)
  const common = { status: sent.code, excerpt: said, milliseconds }
  return sent.kind === 'sent'
    ? { ...common, kind: 'delivered', why: null }
    : { ...common, kind: 'failed', why: sent.why }
}

/** Undefined: the person is gone, or does not want it any more. */
async function findMailbox(
  db: Db,
  { personId, notification, project }: Pick<ClaimedDelivery, 'personId' | 'notification' | 'project'>,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('people')
    .innerJoin('mail_settings', 'person_id', 'people.id')
    .select(['email', 'events', 'project_ids'])
    .where('people.id', '=', personId ?? '')
    .executeTakeFirst()
  if (!found?.events.includes(notification.type)) return undefined
  return found.project_ids === null || found.project_ids.includes(project.id) ? found.email : undefined
}

function without(why: string): Attempted {
  return { kind: 'failed', status: null, excerpt: null, why, milliseconds: 0 }
}
