// Turns failed checks of the forge into a message to the agent. The words of the service are the message; names, pages and logs of
// checks are data: they have the words of everything that a check runs.

import type { EventData } from '../../agent/notices/notices.ts'
import type { SentMessage } from '../store.ts'

/** `log` undefined: the forge does not show it. */
export type FailedCheck = {
  readonly name: string
  readonly description: string
  readonly link: string | null
  readonly log: string | undefined
}

/** The first ones that failed: the others often fail for the same reason. */
export const mostLogs = 3
const mostNamed = 20

type Failed = { readonly commit: string; readonly checks: readonly FailedCheck[] }

/** `redact` removes secrets; it sees each text before it is cut. */
export function toMessage({ commit, checks }: Failed, redact: (text: string) => string): SentMessage {
  const shown = checks.slice(0, mostNamed).map(({ name, description, link, log }, at) => ({
    name: redact(name),
    ...(description === '' ? {} : { says: redact(description) }),
    ...(link === null ? {} : { page: redact(link) }),
    ...(log === undefined ? { log: at < mostLogs ? 'The forge does not show it.' : 'Not read.' } : { log }),
  }))
  const data: EventData = {
    payload: { commit, failedChecks: shown },
    leftOut: checks.length - shown.length,
    about: 'checks',
  }
  return { prompt: promptOf(commit), data }
}

function promptOf(commit: string): string {
  return `Checks of the forge failed on the commit ${commit.slice(0, 10)} of this job's pull request. Their names, pages and the last lines of their logs follow as data. Repair what the documentation change of this job has caused. If a check fails for another reason, change nothing for it, and say so.`
}
