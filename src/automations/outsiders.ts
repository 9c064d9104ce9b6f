// Which automations give words of outsiders to their jobs. Such words may try to instruct the agent, so a person reviews each
// change that came of them: these automations do not merge by themselves. Pure.

import type { Automation } from './automation.ts'

/** Names its words of outsiders, to continue the words `the automation reads`. Undefined: it reads no such words. */
export function readsOutsiders({ trigger }: Pick<Automation, 'trigger'>): string | undefined {
  return trigger.type === 'event' ? 'the payloads of events' : undefined
}
