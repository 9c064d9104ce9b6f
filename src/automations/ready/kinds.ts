// The ready-made automations: what each does, when it starts unless a project wants it otherwise, and what it needs. Their
// instructions are prose in `instructions/`, a file for each.

import type { ReadingName } from '../../jobs/options/readings.ts'

/** Things that a project must have. */
export const needNames = ['source', 'page_views', 'language_model'] as const
export type Need = (typeof needNames)[number]

/** `code` without a source: that of the project. */
export type ReadyTrigger =
  | { readonly type: 'schedule'; readonly cron: string; readonly timeZone: null }
  | { readonly type: 'docs'; readonly paths: readonly [] }
  | { readonly type: 'code'; readonly when: string }

/** A part of a kind that a project can turn off. */
export type KindOption = { readonly about: string; readonly reads: readonly ReadingName[] }

export type ReadyKind = {
  /** The name of a new one, unless another is given. */
  readonly title: string
  /** One sentence. */
  readonly description: string
  readonly trigger: ReadyTrigger
  /** `one`: its runs share a pull request, so that they do not pile up. */
  readonly grouping: 'one' | 'each'
  /** Beside a language model, if it needs one. */
  readonly needs: readonly Exclude<Need, 'language_model'>[]
  /** The words by which the built-in model understands the same. Undefined: only a language model can do it. */
  readonly rules: string | undefined
  /** Data that its runs are given. */
  readonly reads: readonly ReadingName[]
  /** How many redirects a run may add. They stay on the site. Undefined: no such limit. */
  readonly redirects?: number
  /** Each has a file of instructions, too, and is on unless a project turns it off. */
  readonly options: Readonly<Record<string, KindOption>>
}

const onMondays: ReadyKind['trigger'] = { type: 'schedule', cron: '0 6 * * MON', timeZone: null }

export const readyKinds = {
  'update-from-code': {
    title: 'Update from code changes',
    description: 'Changes the pages that a commit of the product concerns, and cites where each passage comes from.',
    trigger: { type: 'code', when: 'merge' },
    grouping: 'one',
    needs: ['source'],
    rules: undefined,
    reads: [],
    options: {},
  },
  'draft-changelog': {
    title: 'Draft the changelog',
    description: 'Drafts entries for what has changed in the product since the last tag, in the style of earlier ones.',
    trigger: { type: 'code', when: '0 6 * * MON' },
    grouping: 'each',
    needs: ['source'],
    rules: undefined,
    reads: [],
    options: {},
  },
  'fix-broken-links': {
    title: 'Fix broken links',
    description: 'Leads links, anchors and images that are broken to where their content is now.',
    trigger: onMondays,
    grouping: 'one',
    needs: [],
    rules: 'Fix the broken links. Fix the broken images.',
    reads: [],
    options: {},
  },
  'fix-check-findings': {
    title: 'Fix what the check finds',
    description: 'Fixes the problems that `docent check` lists, those that break the site first.',
    trigger: onMondays,
    grouping: 'one',
    needs: [],
    rules: 'Fix the problems that the check finds.',
    reads: [],
    options: {},
  },
  'stale-terms': {
    title: 'Update stale terms and values',
    description: 'Replaces names, defaults and limits that a source of the product has changed.',
    trigger: onMondays,
    grouping: 'one',
    needs: ['source'],
    rules: 'Fix the stale terms and values.',
    reads: [],
    options: {},
  },
  translate: {
    title: 'Translate',
    description: 'Translates what has changed in the source pages of the translations that are behind.',
    trigger: { type: 'docs', paths: [] },
    grouping: 'one',
    needs: [],
    rules: undefined,
    reads: ['outdated_translations'],
    options: {},
  },
  'failing-pages': {
    title: 'Pages that readers and AI agents fail on',
    description: 'Restores, redirects or writes pages that readers and AI agents asked for and did not get.',
    trigger: onMondays,
    grouping: 'one',
    needs: ['page_views'],
    rules: undefined,
    reads: ['broken_pages'],
    redirects: 20,
    options: {},
  },
  maintain: {
    title: 'Maintain the documentation',
    description:
      'Improves a few pages each week: grammar, style guide, titles and descriptions, outdated pages by traffic.',
    trigger: onMondays,
    grouping: 'one',
    needs: [],
    rules: undefined,
    reads: [],
    options: {
      grammar: { about: 'Fix spelling and grammar.', reads: [] },
      style: { about: 'Follow the style guide of the repository.', reads: [] },
      titles: { about: 'Write titles and descriptions that are missing or say little.', reads: [] },
      outdated: { about: 'Compare pages that are read most with the sources.', reads: ['read_pages'] },
    },
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

/** The names of all options of all kinds. */
export const optionNames = readyNames.flatMap((name) => Object.keys(readyKinds[name].options))
