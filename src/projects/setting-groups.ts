// The project settings that hold several values, one entry each. The column, the defaults, the API schemas and the
// command-line options derive from the entry, as those of single values do from setting-fields.ts. A new group needs an
// entry here, a column of JSON in the database schema, and a migration; a new field of a group only an entry.

import { findingKindNames } from '../checks/finding.ts'
import type { Person } from '../forge/publication.ts'
import { siteExample, siteKinds } from '../sites/kinds.ts'
import type { GroupField, GroupValue, SettingGroup, SettingRule } from './groups/fields.ts'
import { publicationGroups } from './groups/publication.ts'

export type { GroupField, GroupValue, ListOfGroup, SettingGroup } from './groups/fields.ts'

export const settingGroups = {
  budget: {
    column: 'budget',
    description:
      'Limits of one run. For each field, the smaller of this value and the budget of the service applies; null for the budget of the service.',
    help: 'budget of a run',
    fields: {
      turns: { kind: 'limit', max: 100_000, isWhole: true, example: 50 },
      tokens: { kind: 'limit', max: 1e12, isWhole: true },
      seconds: { kind: 'limit', max: 1e7, isWhole: true },
      changedFiles: { kind: 'limit', max: 1e6, isWhole: true, example: 20 },
      changedBytes: { kind: 'limit', max: 1e10, isWhole: true },
      costUsd: { kind: 'limit', max: 1e6, isWhole: false },
    },
  },
  pathPolicy: {
    column: 'path_policy',
    description:
      'Globs of the paths that jobs may change. If `allow` is empty, all paths are allowed; `deny` always wins. `docs/` matches everything in that top-level folder; `*.md` matches in any folder. Protected files (CI, hooks, manifests, scripts, instructions for agents) change only when a glob of `unprotect` matches them. Such a glob is relative to the root and names files, without `**`: `docs/package.json`, `.github/workflows/docs*.yml`. `expected` names what jobs may change or add without a draft, although readers do not read it: files by globs (`paths`), imports of pages (`components`) and keys of configuration (`keys`, such as `' +
      siteExample.key +
      '`); the facts of the pull request list it, and it allows nothing that is refused. `imageHosts` are the hosts whose images may have a query: `img.shields.io`. A pull request that deletes more than `deletedPercent` of the pages, and at least three, is a draft that says so; null for 10.',
    help: 'the share of the pages that a job may delete without a remark; default: deletedPercent=10',
    fields: {
      allow: {
        kind: 'globs',
        option: 'allow',
        help: 'globs of paths that jobs may change; default: all',
        example: 'docs/',
      },
      deny: {
        kind: 'globs',
        option: 'deny',
        help: 'globs of paths that jobs may not change',
        example: 'docs/legal/',
      },
      unprotect: {
        kind: 'files',
        option: 'unprotect',
        help: 'protected files that jobs may change, such as docs/package.json',
        example: 'docs/package.json',
      },
      expected: {
        kind: 'lists',
        lists: {
          paths: {
            kind: 'globs',
            option: 'expectedPath',
            placeholder: 'glob',
            help: 'globs of code and of files of tools that are listed, without a draft, such as examples/',
            item: 'A glob.',
            example: 'examples/',
          },
          components: {
            kind: 'texts',
            option: 'expectedComponent',
            placeholder: 'source',
            help: 'imports of pages that are listed, without a draft, such as @site/src/components/Chart',
            item: 'The source of an import, as the page has it.',
            example: '@site/src/components/Chart',
          },
          keys: {
            kind: 'keys',
            option: 'expectedKey',
            placeholder: 'file:key',
            help: `keys of configuration that are listed, without a draft, such as ${siteExample.key}`,
            item: 'A file and a key with dots, which includes the keys below it.',
            example: siteExample.key,
          },
        },
      },
      imageHosts: {
        kind: 'names',
        option: 'imageHost',
        placeholder: 'host',
        help: 'hosts whose images may have a query, such as img.shields.io',
        item: 'The name of a host, without a port.',
        example: 'img.shields.io',
        isUnusual: true,
        isHost: true,
      },
      deletedPercent: { kind: 'limit', max: 100, isWhole: true },
    },
  },
  ...publicationGroups,
  checks: {
    column: 'checks',
    description:
      'How the documentation is checked before a change is published. `block` says which new problems fail a job: `breaking` ones (the site does not build, or the navigation leads to a missing page), `all`, or `never`; with the others, the pull request is a draft that lists them. `losses` says whether lost headings, code blocks and text fail a job. `grounding` is about names, values and paths that a change adds to pages and that are found nowhere: `show` lists them, `draft` also makes the pull request a draft that says so first, `off` looks nothing up. `ignore` leaves out a kind of problem in a file or below a folder. `sites` names the kind of a site where Docent does not recognise it by its configuration.',
    help: '',
    fields: {
      block: {
        kind: 'choice',
        option: 'checkBlock',
        placeholder: 'which',
        choices: ['breaking', 'all', 'never'],
        help: 'which new problems in the documentation fail a job',
      },
      losses: {
        kind: 'choice',
        option: 'checkLosses',
        placeholder: 'rule',
        choices: ['show', 'block'],
        help: 'whether lost headings, code blocks and text fail a job',
      },
      grounding: {
        kind: 'choice',
        option: 'checkGrounding',
        placeholder: 'rule',
        choices: ['show', 'draft', 'off'],
        help: 'what happens with names and values that are found nowhere in the repository and its sources',
      },
      ignore: {
        kind: 'rules',
        option: 'checkIgnore',
        title: 'FindingKind',
        choices: findingKindNames,
        item: 'A file or folder.',
        help: 'a kind of problem to ignore in a file or folder, such as link=docs/legal',
        example: { kind: 'link', path: 'docs/legal' },
      },
      sites: {
        kind: 'rules',
        option: 'checkSite',
        title: 'SiteKind',
        choices: siteKinds,
        item: "The site's folder; `.` for the root of the repository.",
        help: `the kind of the site in a folder, such as ${siteExample.kind}=${siteExample.path}`,
        example: { kind: siteExample.kind, path: siteExample.path },
      },
    },
  },
  pages: {
    column: 'pages',
    description:
      'Pages outside of the repository that jobs may read. Each of `addresses` may be read, and below each of `prefixes` those that a page of the docs on the base branch, or a page that the run has read, links to. Addresses that people write in the messages of a job may be read without either. No cookie and no credential is sent.',
    help: '',
    fields: {
      addresses: {
        kind: 'addresses',
        option: 'pageAddress',
        placeholder: 'address',
        help: 'pages outside of the repository that jobs may read, such as https://example.com/changelog',
        item: 'The whole address of a page, in normal form, over https.',
        example: 'https://example.com/changelog',
      },
      prefixes: {
        kind: 'addresses',
        option: 'pagePrefix',
        placeholder: 'prefix',
        help: 'jobs may read pages below these that the docs link to, such as https://example.com/reference/',
        item: 'The beginning of addresses, in normal form, over https, with / at its end.',
        example: 'https://example.com/reference/',
        isPrefix: true,
      },
    },
  },
  automationCaps: {
    column: 'automation_caps',
    description:
      'How much the automations of the project may start in a day of its time zone, all together: jobs (`runsPerDay`), and US dollars of the jobs that they started on that day (`costUsdPerDay`); null: no cap. A run beyond a cap starts no job, and says why. Each automation may have smaller caps.',
    help: 'what all automations may start in a day',
    fields: {
      runsPerDay: { kind: 'limit', max: 10_000, isWhole: true },
      costUsdPerDay: { kind: 'limit', max: 1e6, isWhole: false },
    },
  },
  transcripts: {
    column: 'transcripts',
    description:
      'How long the transcripts of jobs are kept. `keepDays` counts from the end of the last run of a job that is not active; null: always. Afterwards the turns are erased, and `turns` says when; messages, events, edits and diffs stay, and a follow-up still works.',
    help: 'how long transcripts of jobs are kept, in days after the last run; default: always',
    fields: {
      keepDays: { kind: 'limit', max: 36_500, isWhole: true },
    },
  },
} as const satisfies Readonly<Record<string, SettingGroup>>

type Groups = typeof settingGroups
export type GroupName = keyof Groups

type ValueOf<F> = F extends { readonly kind: 'limit' }
  ? number | null
  : F extends { readonly kind: 'flag' }
    ? boolean
    : F extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : F extends { readonly kind: 'rules'; readonly choices: readonly (infer Kind extends string)[] }
        ? readonly SettingRule<Kind>[]
        : F extends { readonly kind: 'lists'; readonly lists: infer Lists }
          ? { readonly [Name in keyof Lists]: readonly string[] }
          : F extends { readonly kind: 'line' }
            ? LineOf<F>
            : F extends { readonly kind: 'person' }
              ? Person | null
              : readonly string[]

type LineOf<F> = F extends { readonly fallback: null } ? string | null : string

export type GroupSettings = {
  readonly [Name in GroupName]: {
    readonly [Field in keyof Groups[Name]['fields']]: ValueOf<Groups[Name]['fields'][Field]>
  }
}

/** Each group as the text of JSON. */
export type GroupColumns = { [Name in GroupName as Groups[Name]['column']]: string }

/** Returns an object with one property for each group. The caller declares the type of `toProperty`'s result. */
export function mapGroups(
  toProperty: (group: SettingGroup, name: GroupName) => readonly [key: string, value: unknown],
) {
  const names = Object.keys(settingGroups) as GroupName[]
  return Object.fromEntries(names.map((name) => toProperty(settingGroups[name], name))) as unknown
}

/** Returns an object with one property for each field of the group. */
export function mapGroupFields<Value>({ fields }: SettingGroup, toValue: (field: GroupField) => Value) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toValue(field)]))
}

export const groupDefaults = mapGroups((group, name) => [name, mapGroupFields(group, fallbackOf)]) as GroupSettings

function fallbackOf(field: GroupField): GroupValue {
  if (field.kind === 'limit' || field.kind === 'person') return null
  if (field.kind === 'line') return field.fallback
  if (field.kind === 'choice') return field.choices[0]
  if (field.kind === 'lists') return Object.fromEntries(Object.keys(field.lists).map((name) => [name, []]))
  return field.kind === 'flag' ? false : []
}
