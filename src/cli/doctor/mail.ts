// A finding for the mail of the service: whether the server would take it. Sends nothing.

import type { Config } from '../../config/config.ts'
import { mailProblem } from '../../notifications/mail/settings.ts'
import { checkSmtp } from '../../notifications/mail/smtp.ts'
import { failed, type Finding, ok, skipped, warning } from './finding.ts'

const todo = 'Set DOCENT_SMTP_URL and DOCENT_MAIL_FROM, or neither.'

export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Finding> {
  const { smtpUrl, from } = mail
  const problem = mailProblem(mail)
  if (smtpUrl === undefined && from === undefined) return skipped('mail', 'no mail server is set')
  if (smtpUrl === undefined || problem !== null) return warning('mail', problem ?? '', todo)
  const refused = await checkSmtp(smtpUrl)
  if (refused !== undefined)
    return failed('mail', refused, 'Check DOCENT_SMTP_URL, and whether the server takes mail from here.')
  return ok('mail', `${new URL(smtpUrl).host} responds`)
}
