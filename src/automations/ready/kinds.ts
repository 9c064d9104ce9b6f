// The ready-made automations: what each does, when it starts unless a project wants it otherwise, and what it needs. Their
// instructions are prose in `instructions/`, a file for each.

/** Things that a project must have. */
export const needNames = ['source', 'language_model'] as const
export type Need = (typeof needNames)[number]

export type ReadyKind = {
  /** The name of a new one, unless another is given. */
  readonly title: string
  /** One sentence. */
  readonly description: string
  readonly trigger: { readonly type: 'schedule'; readonly cron: string; readonly timeZone: null }
  /** Beside a language model, if it needs one. */
  readonly needs: readonly Exclude<Need, 'language_model'>[]
  /** The words by which the built-in model understands the same. Undefined: only a language model can do it. */
  readonly rules: string | undefined
  /** Whether its runs read words of outsiders, such as addresses of page views. */
  readonly readsOutsiders: boolean
}

export const builtInModel = 'docent/rules'

const onMondays: ReadyKind['trigger'] = { type: 'schedule', cron: '0 6 * * MON', timeZone: null }

export const readyKinds = {
  'fix-broken-links': {
    title: 'Fix broken links',
    description: 'Leads links, anchors and images that are broken to where their content is now.',
    trigger: onMondays,
    needs: [],
    rules: 'Fix the broken links. Fix the broken images.',
    readsOutsiders: false,
  },
  'fix-check-findings': {
    title: 'Fix what the check finds',
    description: 'Fixes the problems that `docent check` lists, those that break the site first.',
    trigger: onMondays,
    needs: [],
    rules: 'Fix the problems that the check finds.',
    readsOutsiders: false,
  },
  'stale-terms': {
    title: 'Update stale terms and values',
    description: 'Replaces names, defaults and limits that a source of the product has changed.',
    trigger: onMondays,
    needs: ['source'],
    rules: 'Fix the stale terms and values.',
    readsOutsiders: false,
  },
} as const satisfies Readonly<Record<string, ReadyKind>>

export type ReadyName = keyof typeof readyKinds
export type AutomationKind = 'custom' | ReadyName

export const readyNames = Object.keys(readyKinds) as [ReadyName, ...ReadyName[]]
/** `custom`: it does what its own instructions say. */
export const automationKinds: readonly ['custom', ...ReadyName[]] = ['custom', ...readyNames]

/** Undefined for `custom`. */
export function readyKindOf(kind: AutomationKind): ReadyKind | undefined {
  return kind === 'custom' ? undefined : readyKinds[kind]
}

export function needsOf({ needs, rules }: ReadyKind): readonly Need[] {
  return rules === undefined ? [...needs, 'language_model'] : needs
}
