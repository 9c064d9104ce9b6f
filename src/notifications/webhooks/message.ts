// The request of a notification to a webhook, in the format that the webhook has. Pure.

import { signedHeaders } from '../../lib/outbound/standard-webhooks.ts'
import type { NotificationData, SentType } from '../notification.ts'
import type { Words } from '../words.ts'

export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** As Standard Webhooks defines it. The time of the signature is that of the attempt, the one in the body that of the event. */
export function standardMessage(
  notification: {
    readonly id: string
    readonly type: SentType
    readonly at: Date
    readonly data: NotificationData
  },
  secret: string,
  now: Date,
): Message {
  const { id, type, at, data } = notification
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  return { headers: signedHeaders(secret, { id, body }, now), body }
}

/** A message for an incoming webhook of Slack. Nothing in it mentions anybody. */
export function slackMessage({ title, project, links }: Words): Message {
  const text = `${escapeSlack(title)} (${escapeSlack(project)})`
  const shown = links.map(({ name, url }) => `<${escapeSlack(encodeBars(url))}|${escapeSlack(name)}>`)
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text: escapeSlack(title), verbatim: true } },
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: [escapeSlack(project), ...shown].join(' · '), verbatim: true }],
    },
  ]
  return { headers: {}, body: JSON.stringify({ text, blocks, unfurl_links: false, unfurl_media: false }) }
}

/** https://docs.slack.dev/messaging/formatting-message-text: these three begin everything that has an effect. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A bar ends an address there. */
function encodeBars(url: string): string {
  return url.replaceAll('|', '%7C')
}
