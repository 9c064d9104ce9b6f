// The project settings that hold one value, one entry each. The column, the default, the API schemas and the
// command-line option derive from the entry. A new setting needs an entry here, a column in the database schema, and a
// migration.

import type { ViewDimension } from '../analytics/dimensions/view-dimensions.ts'
import type { ProjectRow } from '../postgres/schema.ts'

export const privacies = ['standard', 'strict'] as const
export const visitorWindows = ['day', 'week', 'month', 'never'] as const
export const collectionSources = ['browser', 'server', 'both'] as const
export const unverifiedAiAgents = ['count', 'ignore'] as const
/** A record, so that a new dimension is a type error here. */
const dimensionNames = Object.keys({
  country: true,
  language: true,
  device: true,
  browser: true,
  os: true,
  campaign: true,
  title: true,
} satisfies Readonly<Record<ViewDimension, true>>) as readonly ViewDimension[]
export const coAuthors = ['private', 'people', 'nobody'] as const
const budgetEnds = ['keep', 'publish'] as const
const mentionPlaces = ['pull_requests', 'everywhere', 'off'] as const
export type BudgetEnd = (typeof budgetEnds)[number]

type Shared = {
  readonly column: keyof ProjectRow
  /** Shown in the API reference. */
  readonly description: string
  /** Shown on the command line: `--branch <branch>`. */
  readonly placeholder: string
  readonly help: string
}
export type SettingField = Shared &
  (
    | { readonly kind: 'text'; readonly fallback: string | null; readonly max: number; readonly example?: string }
    | { readonly kind: 'choice'; readonly fallback: string; readonly choices: readonly string[] }
    | { readonly kind: 'number'; readonly fallback: number; readonly max: number }
    | { readonly kind: 'flag'; readonly fallback: boolean }
    /** `max`: the longest text. With choices, any of them. */
    | {
        readonly kind: 'texts'
        readonly fallback: readonly string[]
        readonly max: number
        readonly choices?: readonly string[]
        readonly example: string
      }
  )

export const settingFields = {
  branch: {
    kind: 'text',
    column: 'branch',
    fallback: null,
    max: 250,
    description: 'The base branch; null for the default branch of the repository.',
    placeholder: 'branch',
    help: "base branch; default: the repository's own default branch",
  },
  model: {
    kind: 'text',
    column: 'model',
    fallback: null,
    max: 200,
    example: 'docent/rules',
    description: '`provider/model`; null for the model of the service.',
    placeholder: 'model',
    help: 'provider/model; default: the model of the service',
  },
  models: {
    kind: 'texts',
    column: 'models',
    fallback: [],
    max: 200,
    example: 'docent/rules',
    description:
      'The models that a job may choose, besides `model`; empty for the default only. Each is a `provider/model`.',
    placeholder: 'model',
    help: 'a model that a job may choose besides the default',
  },
  coAuthors: {
    kind: 'choice',
    column: 'co_authors',
    fallback: 'private',
    choices: coAuthors,
    description:
      'Whom commits of jobs name as co-authors (`Co-authored-by`): the `people` who started or continued the job while they were signed in, with their names and e-mail addresses; the same people, but only in a repository that is known to be `private`; or `nobody`. The forge says at the start of each run whether a repository is public; without a forge it counts as public, unless it is a folder.',
    placeholder: 'whom',
    help: 'whom commits name as co-authors, with e-mail addresses; private: people, in private repositories only',
  },
  onBudgetEnd: {
    kind: 'choice',
    column: 'on_budget_end',
    fallback: 'keep',
    choices: budgetEnds,
    description:
      'The changes of a run whose budget is used up: `keep` them, and the job fails; or `publish` them as a draft, with the outcome `partial`.',
    placeholder: 'end',
    help: 'changes of a run whose budget is used up: keep them, or publish them as a draft',
  },
  mentions: {
    kind: 'choice',
    column: 'mentions',
    fallback: 'pull_requests',
    choices: mentionPlaces,
    description:
      'Where comments on the forge that call Docent count: on the `pull_requests` of jobs, where they are messages; `everywhere`, which adds comments on issues (GitHub, GitLab, Gitea), each of which starts a job; or nowhere (`off`). Only people who may push to the repository can call it.',
    placeholder: 'where',
    help: 'where comments on the forge call Docent: pull_requests, everywhere (issues, too), or off',
  },
  releaseStatus: {
    kind: 'flag',
    column: 'release_status',
    fallback: false,
    description:
      'Whether the newest release of the repository of the project gets a commit status, `docent/docs`, that says how many of its changes are undocumented. Needs an automation with the trigger `code` that follows this repository. A source has a setting of its own.',
    placeholder: 'yes|no',
    help: 'whether a commit status of the newest release says how many changes are undocumented',
  },
  timeZone: {
    kind: 'text',
    column: 'time_zone',
    fallback: 'UTC',
    max: 100,
    example: 'Europe/Berlin',
    description: 'The IANA time zone that defines the days for counting visitors, and the times of automations.',
    placeholder: 'zone',
    help: 'IANA name, such as Europe/Berlin',
  },
  privacy: {
    kind: 'choice',
    column: 'privacy',
    fallback: 'standard',
    choices: privacies,
    description:
      'How much of a page view is kept. With `strict`: the page (path, site, form, status, time and source), the class of the client with its agent and operator, and a visitor number that changes every day, also for a `visitorId`. Opt-outs are honoured on all sites, `visitorWindow` is `day`, and `retentionMonths` is at most 25: setting `strict` changes both. The rest of earlier page views is cleared within an hour, for good; their visitor numbers stay.',
    placeholder: 'privacy',
    help: 'how much of a page view is kept; strict: page, class of the client and a visitor of the day only',
  },
  visitorWindow: {
    kind: 'choice',
    column: 'visitor_window',
    fallback: 'month',
    choices: visitorWindows,
    description:
      'How long a visitor is recognised as the same one. After that the salt changes. A new value applies to later page views.',
    placeholder: 'window',
    help: 'how long a visitor stays the same visitor',
  },
  collectionSource: {
    kind: 'choice',
    column: 'collection_source',
    fallback: 'both',
    choices: collectionSources,
    description: 'Which page views count: those from browsers, those from servers and their logs, or both.',
    placeholder: 'source',
    help: 'where page views come from',
  },
  retentionMonths: {
    kind: 'number',
    column: 'retention_months',
    fallback: 25,
    max: 120,
    description: 'How many months page views are kept.',
    placeholder: 'number',
    help: 'how long page views are kept',
  },
  signalRetentionDays: {
    kind: 'number',
    column: 'signal_retention_days',
    fallback: 90,
    max: 3_720,
    description:
      'How many days the user agent and the request headers of a page view are kept. At most 31 for each month of `retentionMonths`.',
    placeholder: 'number',
    help: 'how long the signals of a page view are kept',
  },
  dimensionsOff: {
    kind: 'texts',
    column: 'dimensions_off',
    fallback: [],
    max: 20,
    choices: dimensionNames,
    example: 'country',
    description:
      'Dimensions that are not kept of a page view: any of `country`, `language`, `device`, `browser`, `os`, `campaign` and `title`. A new value applies to later page views.',
    placeholder: 'dimension',
    help: `dimensions that are not kept of a page view: ${dimensionNames.join(', ')}`,
  },
  unverifiedAiAgents: {
    kind: 'choice',
    column: 'unverified_ai_agents',
    fallback: 'count',
    choices: unverifiedAiAgents,
    description:
      'How to treat AI agents whose address is not one that their operator publishes: `count` them as what they claim to be, or `ignore` them.',
    placeholder: 'rule',
    help: 'whether to count unverified AI agents',
  },
} as const satisfies Readonly<Record<string, SettingField>>

type Fields = typeof settingFields
export type SettingName = keyof Fields

type ValueOf<F> = F extends { readonly kind: 'texts'; readonly choices: readonly (infer Choice)[] }
  ? readonly Choice[]
  : F extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : F extends { readonly kind: 'number' }
      ? number
      : F extends { readonly kind: 'flag' }
        ? boolean
        : F extends { readonly kind: 'texts' }
          ? readonly string[]
          : F extends { readonly fallback: null }
            ? string | null
            : string

/** The values of all settings in the table. */
export type FieldSettings = { readonly [Name in SettingName]: ValueOf<Fields[Name]> }

export type FieldColumns = { [Name in SettingName as Fields[Name]['column']]: FieldSettings[Name] }

/** Returns an object with one property for each field. The caller declares the type of `toProperty`'s result. */
export function mapFields(
  toProperty: (field: SettingField, name: SettingName) => readonly [key: string, value: unknown],
) {
  const names = Object.keys(settingFields) as SettingName[]
  return Object.fromEntries(names.map((name) => toProperty(settingFields[name], name))) as unknown
}
