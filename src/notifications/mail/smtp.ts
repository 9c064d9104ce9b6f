// Sends mail over SMTP. The package is loaded when the first mail is sent: a service without mail never loads it.

import { errnoOf } from '../../lib/errno.ts'
import type { Mail } from './message.ts'

/**
 * `url`: `smtp://` or `smtps://`, with the user and password if the server wants them. `from`: the sender. `address`: where the host
 * of `url` is, if its name is not resolved; its certificate is still that of the name.
 */
export type SmtpSettings = { readonly url: string; readonly from: string; readonly address?: string }

export type Sent =
  | { readonly kind: 'sent'; readonly code: number; readonly response: string }
  /** `code`: of the server; null: it did not respond. `why`: the end of a sentence. */
  | { readonly kind: 'refused'; readonly code: number | null; readonly response: string | null; readonly why: string }

/** For all of one mail: a server may respond slowly to each command. */
const deadlineMs = 30_000
const waitMs = 10_000

/** Throws only the reason of `signal`. */
export async function sendMail(settings: SmtpSettings, mail: Mail, signal: AbortSignal): Promise<Sent> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOf(settings))
  const { to, subject, text, id } = mail
  const from = parseSender(settings.from)
  try {
    const info = await transport.sendMail({
      from,
      to: { name: '', address: to },
      // The addresses alone decide who gets it, whatever the headers say.
      envelope: { from: from.address, to: [to] },
      subject,
      text,
      messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    return { kind: 'sent', code: codeIn(info.response) ?? 250, response: info.response }
  } catch (error) {
    signal.throwIfAborted()
    return refusalOf(error)
  } finally {
    transport.close()
  }
}

/** Signs in and sends nothing. Undefined: the server would take mail; otherwise the end of a sentence. */
export async function checkSmtp(url: string): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOf({ url }))
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const refused = refusalOf(error)
    return refused.kind === 'refused' ? refused.why : undefined
  } finally {
    transport.close()
  }
}

/** A password is never sent unencrypted to another machine; to this one, certificates that nobody signed do not matter. */
function transportOf({ url, address }: Pick<SmtpSettings, 'url' | 'address'>) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isHere = host === 'localhost' || host === '::1' || host.startsWith('127.')
  const secure = protocol === 'smtps:'
  const auth =
    username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
  return {
    ...(address === undefined ? { host } : { host: address, servername: host }),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...auth,
    ...(isHere ? { ignoreTLS: true } : { requireTLS: username !== '' }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    dnsTimeout: waitMs,
    socketTimeout: waitMs,
  }
}

/** `Name <address>`, or the address alone. */
export function parseSender(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = from] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? []
  return { name, address }
}

function refusalOf(error: unknown): Sent {
  const { responseCode, response, code } = (error ?? {}) as Readonly<Record<string, unknown>>
  const said = typeof response === 'string' ? response : null
  const status = typeof responseCode === 'number' ? responseCode : null
  if (status !== null)
    return { kind: 'refused', code: status, response: said, why: `the mail server responded with ${status}` }
  const cause = errnoOf(error) ?? (typeof code === 'string' ? code : undefined)
  const why = `the mail server could not be reached${cause === undefined ? '' : ` (${cause})`}`
  return { kind: 'refused', code: null, response: said, why }
}

function codeIn(response: string): number | undefined {
  const [, code] = /^(\d{3})/.exec(response) ?? []
  return code === undefined ? undefined : Number(code)
}
