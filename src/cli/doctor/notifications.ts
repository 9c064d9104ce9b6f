// Findings for notifications: whether the mail server would take mail, and for each project how many webhooks are on, which ones the
// service disabled, and which ones fail now. A running service is asked about webhooks. Sends nothing.

import type { Config } from '../../config/config.ts'
import type { ShownWebhook } from '../../http/resources/webhooks/contract.ts'
import { Failure } from '../../lib/failure.ts'
import { mailProblem } from '../../notifications/mail/settings.ts'
import { checkSmtp } from '../../notifications/mail/smtp.ts'
import type { DeliveryPage } from '../../notifications/webhooks/deliveries.ts'
import type { Api } from '../api/api.ts'
import { failed, type Finding, ok, skipped, warning } from './finding.ts'

/** `failing`: why the newest delivery has failed so far; null if it has not. */
export type CheckedWebhook = Pick<ShownWebhook, 'id' | 'url' | 'enabled' | 'disabledBecause'> & {
  readonly failing: string | null
}
export type ListWebhooks = (projectId: string) => Promise<readonly CheckedWebhook[]>

export function webhooksOfService(api: Pick<Api, 'send'>): ListWebhooks {
  return async (projectId) => {
    const path = `/v1/projects/${projectId}/webhooks`
    try {
      const listed = await api.send('GET', path)
      const { webhooks } = JSON.parse(listed.body) as { readonly webhooks: readonly ShownWebhook[] }
      return await Promise.all(
        webhooks.map(async (one) => {
          const { body } = await api.send('GET', `${path}/${one.id}/deliveries?limit=1`)
          const [newest] = (JSON.parse(body) as DeliveryPage).deliveries
          return { ...one, failing: newest && newest.status !== 'delivered' ? newest.error : null }
        }),
      )
    } catch (error) {
      // An older service has no webhooks.
      if (error instanceof Failure && error.code === 'not_found') return []
      throw error
    }
  }
}

export async function checkWebhooks(
  list: ListWebhooks,
  project: { readonly id: string; readonly label: string },
): Promise<readonly Finding[]> {
  const all = await list(project.id)
  if (all.length === 0) return []
  const bad = all.flatMap(({ id, url, enabled, disabledBecause, failing }) => {
    const about = `webhook ${url} of ${project.label}`
    if (disabledBecause !== null) {
      const todo = `Repair the receiver, then \`docent webhook update ${id} --enable\`.`
      return [warning(about, `it was disabled: ${disabledBecause}`, todo)]
    }
    if (!enabled || failing === null) return []
    return [warning(about, `the last delivery failed: ${failing}`, `See \`docent webhook deliveries ${id}\`.`)]
  })
  const on = all.filter(({ enabled }) => enabled).length
  return [ok(`webhooks of ${project.label}`, `${on} of ${all.length} are on`), ...bad]
}

const mailTodo = 'Set DOCENT_SMTP_URL and DOCENT_MAIL_FROM, or neither.'

export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Finding> {
  const { smtpUrl, from } = mail
  const problem = mailProblem(mail)
  if (smtpUrl === undefined && from === undefined) return skipped('mail', 'no mail server is set')
  if (smtpUrl === undefined || problem !== null) return warning('mail', problem ?? '', mailTodo)
  const refused = await checkSmtp(smtpUrl)
  if (refused !== undefined)
    return failed('mail', refused, 'Check DOCENT_SMTP_URL, and whether the server takes mail from here.')
  return ok('mail', `${new URL(smtpUrl).host} responds`)
}
