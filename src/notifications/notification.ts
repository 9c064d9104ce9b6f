// A notification: that something happened in a project, for its webhooks and for the people who want it by mail. The types, and
// the parts of the data that messages for people read.

export const notificationTypes = [
  'job.completed',
  'job.failed',
  'job.needs_input',
  'pull_request.opened',
  'pull_request.merged',
  'pull_request.closed',
  'pull_request.waiting',
  'automation.paused',
  'automation.failed',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** Nobody subscribes to it: a person has it sent to one webhook, to see whether it arrives. */
export const testType = 'webhook.test'
export type SentType = NotificationType | typeof testType

/** The job as the API shows it, of which these fields are read here. */
export type NotifiedJob = {
  readonly id: string
  readonly status: string
  readonly prLink: string | null
  readonly outcome: string | null
  readonly result: { readonly title: string } | null
  readonly error: { readonly message: string } | null
  readonly pullRequest: { readonly number: number; readonly url: string } | null
}

/** The automation as the API shows it, of which these fields are read here. */
export type NotifiedAutomation = { readonly id: string; readonly name: string; readonly pausedBecause: string | null }
export type NotifiedRun = { readonly prLink: string | null; readonly reason: string | null }

export type NotificationData =
  | { readonly job: NotifiedJob }
  | { readonly automation: NotifiedAutomation; readonly run: NotifiedRun | null }
  | { readonly webhook: { readonly id: string } }

/** `data` with the address of the service before the links that it serves itself, which are stored as paths. */
export function withLinks(data: NotificationData, publicUrl: string): NotificationData {
  const toLink = (link: string) => (link.startsWith('/') ? `${publicUrl}${link}` : link)
  const orNull = (link: string | null) => link && toLink(link)
  if ('job' in data) {
    const { job } = data
    const pullRequest = job.pullRequest && { ...job.pullRequest, url: toLink(job.pullRequest.url) }
    return { job: { ...job, prLink: orNull(job.prLink), pullRequest } }
  }
  if ('webhook' in data) return data
  const { automation, run } = data
  return { automation, run: run && { ...run, prLink: orNull(run.prLink) } }
}
