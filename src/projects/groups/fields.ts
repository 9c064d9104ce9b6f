// The kinds of fields that a group of project settings can have.

import type { Person } from '../../forge/publication.ts'
import type { ProjectRow } from '../../postgres/schema.ts'

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
  /** Addresses of the web; `isPrefix`: those below each of them are meant, too. */
  | (WithOption & {
      readonly kind: 'addresses'
      readonly placeholder: string
      readonly item: string
      readonly example: string
      readonly isPrefix?: true
    })
  /** One line. `fallback` null: no text. */
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

export type GroupValue =
  | number
  | boolean
  | string
  | null
  | readonly string[]
  | readonly SettingRule[]
  | Person
  | Readonly<Record<string, readonly string[]>>
