// The project settings that hold several values, one entry each. The column, the defaults, the API schemas and the
// command-line options derive from the entry, as those of single values do from setting-fields.ts. A new group needs an
// entry here, a column of JSON in the database schema, and a migration; a new field of a group only an entry.

import { findingKindNames } from '../checks/finding.ts'
import { deleteBranch, type Person, usualBranchPrefix } from '../forge/publication.ts'
import { siteExample, siteKinds } from '../sites/kinds.ts'
import type { ProjectRow } from '../postgres/schema.ts'

/** `option` is the name on the command line: `--label <name...>`. */
type WithOption = { readonly option: string; readonly help: string }
export type GroupField =
  /** More than 0; null: no limit of the project. On the command line: `--budget turns=50`. */
  | { readonly kind: 'limit'; readonly max: number; readonly isWhole: boolean; readonly example?: number }
  | (WithOption & { readonly kind: 'flag' })
  /** The first choice is the default. */
  | (WithOption & {
      readonly kind: 'choice'
      readonly placeholder: string
      readonly choices: readonly [string, ...string[]]
    })
  /** Pairs of one of `choices` and a path. On the command line: `--ignore-check link=docs/legal/`. */
  | (WithOption & {
      readonly kind: 'rules'
      /** The name of the choices in generated clients. */
      readonly title: string
      readonly choices: readonly [string, ...string[]]
      /** The meaning of the path. */
      readonly item: string
      readonly example: SettingRule
    })
  /** `globs` match files and folders; each of `files` names files. */
  | (WithOption & { readonly kind: 'globs' | 'files'; readonly example: string })
  /** Names on a forge, or of hosts. */
  | (WithOption & {
      readonly kind: 'names'
      readonly placeholder: string
      readonly item: string
      readonly example: string
      /** Not in the example of a project. */
      readonly isUnusual?: true
      /** Each is the name of a host, in lower case. */
      readonly isHost?: true
    })
  /** One line. `fallback` null: none. */
  | (WithOption & {
      readonly kind: 'line'
      readonly placeholder: string
      readonly fallback: string | null
      readonly description: string
      readonly example: string
      /** It begins the names of branches. */
      readonly isBranch?: true
    })
  /** A name and an e-mail address; null: nobody. On the command line: `--commit-author 'Docs <docs@example.com>'`. */
  | (WithOption & { readonly kind: 'person'; readonly placeholder: string; readonly example: Person })
  /** An object of lists. A change keeps the lists that it does not name. */
  | { readonly kind: 'lists'; readonly lists: Readonly<Record<string, ListOfGroup>> }

/** A list of an object of lists. Each of `globs` is a glob, each of `keys` a file and a key: `mkdocs.yml:plugins`. */
export type ListOfGroup = WithOption & {
  readonly kind: 'globs' | 'keys' | 'texts'
  readonly placeholder: string
  readonly item: string
  readonly example: string
}

export type SettingRule<Kind extends string = string> = { readonly kind: Kind; readonly path: string }

export type SettingGroup = {
  readonly column: keyof ProjectRow
  /** Shown in the API reference. */
  readonly description: string
  /** Shown on the command line for the fields of kind `limit`. */
  readonly help: string
  readonly fields: Readonly<Record<string, GroupField>>
}

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
  pullRequest: {
    column: 'pull_request',
    description:
      "How pull requests are opened: as a draft or not, with which labels, reviewers, assignees and milestone, on branches with which names, under which titles; and how they end. Labels, accounts and milestones that the forge does not know are left out; they do not apply to Docent's own pull requests. `autoMerge` asks the forge to merge a pull request that is not a draft as soon as its own rules allow that. `deleteBranch` says when Docent deletes the branch: when it is `merged`, also two weeks after it was closed (`ended`), or `never`.",
    help: '',
    fields: {
      draft: { kind: 'flag', option: 'draft', help: 'open pull requests as drafts' },
      labels: {
        kind: 'names',
        option: 'label',
        placeholder: 'name',
        help: 'labels of pull requests on the forge',
        item: 'The name of a label.',
        example: 'documentation',
      },
      reviewers: {
        kind: 'names',
        option: 'reviewer',
        placeholder: 'account',
        help: 'accounts on the forge to request reviews from',
        item: 'The name of an account.',
        example: 'octocat',
        isUnusual: true,
      },
      assignees: {
        kind: 'names',
        option: 'assignee',
        placeholder: 'account',
        help: 'accounts on the forge to assign pull requests to',
        item: 'The name of an account.',
        example: 'octocat',
        isUnusual: true,
      },
      milestone: {
        kind: 'line',
        option: 'milestone',
        placeholder: 'title',
        help: 'the milestone of pull requests on the forge',
        fallback: null,
        description: 'The title of an open milestone on the forge; null for none.',
        example: 'Docs 2',
      },
      autoMerge: {
        kind: 'flag',
        option: 'autoMerge',
        help: 'let the forge merge pull requests as soon as its rules allow it',
      },
      deleteBranch: {
        kind: 'choice',
        option: 'deleteBranch',
        placeholder: 'when',
        choices: deleteBranch,
        help: 'when the branch of a pull request is deleted; ended: also two weeks after it was closed',
      },
      branchPrefix: {
        kind: 'line',
        option: 'branchPrefix',
        placeholder: 'prefix',
        help: 'the beginning of the names of branches',
        fallback: usualBranchPrefix,
        description:
          'The beginning of the names of branches: the id of the job follows. Branches that exist keep their names. null for the default.',
        example: usualBranchPrefix,
        isBranch: true,
      },
      titlePrefix: {
        kind: 'line',
        option: 'titlePrefix',
        placeholder: 'prefix',
        help: 'the beginning of the titles of pull requests, such as "docs: "',
        fallback: null,
        description:
          'The beginning of the titles of pull requests, with its space at the end; null for none. A title that begins so already stays.',
        example: 'docs: ',
      },
    },
  },
  commit: {
    column: 'commit',
    description:
      'The commits of jobs: the beginning of their first line, the `Signed-off-by` line of their author, and their author, who is also their committer.',
    help: '',
    fields: {
      prefix: {
        kind: 'line',
        option: 'commitPrefix',
        placeholder: 'prefix',
        help: 'the beginning of the first line of commits, such as "docs: "',
        fallback: null,
        description:
          'The beginning of the first line of commits, with its space at the end; null for none. A line that begins so already stays.',
        example: 'docs: ',
      },
      signOff: { kind: 'flag', option: 'signOff', help: 'end commits with a Signed-off-by line of their author' },
      author: {
        kind: 'person',
        option: 'commitAuthor',
        placeholder: 'author',
        help: 'the author of commits, such as "Acme Docs <docs@example.com>"; default: that of the service',
        example: { name: 'Acme Docs', email: 'docs@example.com' },
      },
    },
  },
  checks: {
    column: 'checks',
    description:
      'How the documentation is checked before a change is published. `block` says which new problems fail a job: `breaking` ones (the site does not build, or the navigation leads to a missing page), `all`, or `never`; with the others, the pull request is a draft that lists them. `losses` says whether lost headings, code blocks and text fail a job. `ignore` leaves out a kind of problem in a file or below a folder. `sites` names the kind of a site where Docent does not recognise it by its configuration.',
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

export type GroupValue =
  | number
  | boolean
  | string
  | null
  | readonly string[]
  | readonly SettingRule[]
  | Person
  | Readonly<Record<string, readonly string[]>>
