// Which automations give words of outsiders to their jobs. Such words may try to instruct the agent, so a person reviews each
// change that came of them: these automations do not merge by themselves. Pure.

import type { Automation } from './automation.ts'
import { kindReadsOutsiders } from './ready/options.ts'

/** Names its words of outsiders, to continue the words `the automation reads`. Undefined: it reads no such words. */
export function readsOutsiders({ trigger, kind, options }: Outside): string | undefined {
  if (trigger.type === 'event') return 'the payloads of events'
  return kindReadsOutsiders(kind, options) ? 'page views' : undefined
}

type Outside = Pick<Automation, 'trigger' | 'kind' | 'options'>
