// A documentation site as the rules see it: which files are its pages, at which addresses they are served, and
// what its navigation and redirects name. One file per kind of site opens it from its configuration.

import { indexName } from './names.ts'
import type { Address } from './address.ts'
import type { Reason } from './coverage.ts'
import type { siteKinds } from './kinds.ts'
import { githubSlugs, type SlugRule } from './slugs.ts'
import type { ConfigFacts } from './config-strings.ts'
import { isAsciidocPath } from '../docs-syntax/asciidoc/asciidoc.ts'
import type { IncludeStyle, PageSyntax, Problem } from '../docs-syntax/page.ts'
import type { Range } from '../docs-syntax/text.ts'

export type SiteKind = (typeof siteKinds)[number]

/** The files of a repository, with the texts of the few that configure a site. */
export type SiteFiles = {
  readonly paths: readonly string[]
  has(path: string): boolean
  /** Undefined if the file does not exist. */
  text(path: string): Promise<string | undefined>
  /** Without strings if the file does not exist. */
  config(path: string): Promise<ConfigFacts>
}

/** Pages below `folder` are served below each of `routes`: `''` for the root of the site, otherwise `/docs`. */
export type Mount = {
  readonly folder: string
  readonly routes: readonly string[]
  /** An earlier version or a translation, whose pages the navigation does not name by themselves. */
  readonly isCopy?: true
  /** Its pages have no address: they are parts of others, or the site is at an address that is not known. */
  readonly isPart?: true
  /** The navigation does not name its pages: posts, and pages of their own. */
  readonly isApart?: true
  /** For a translation, the folder of the pages in the main language, which are served where it has no page. */
  readonly original?: string
  /** Takes the place of the site's `nameOf`. */
  readonly nameOf?: Site['nameOf']
}

/** The fields of a page's frontmatter whose value is a string or a list of strings; null for a page without frontmatter. */
export type PageFields = {
  readonly strings: Readonly<Record<string, string>>
  /** The fields that are a list of strings. */
  readonly lists: Readonly<Record<string, readonly string[]>>
} | null

/** `page`: something is there, such as a page that is a component. A reason: nobody knows without running a program. */
export type Made = 'page' | Reason

/** A place in the navigation that names a page. The range is that of the name, with its quotes. */
export type NavigationEntry = Range & {
  readonly file: string
  readonly line: number
  readonly name: string
  /** Files, of which one must exist; an address; or an id of a page. */
  readonly target:
    | { readonly paths: readonly string[]; readonly ids?: readonly string[] }
    | { readonly reason: Reason }
    | { readonly address: string }
    | { readonly id: string }
}

export type Navigation = {
  readonly entries: readonly NavigationEntry[]
  /** Folders whose pages list themselves, relative to a mount. */
  readonly folders: readonly string[]
  /** Parts that code makes, so that their entries are not known. */
  readonly computed: readonly { readonly file: string; readonly line: number }[]
  /** `all`: a page that it does not name is not part of the site. `some`: it says nothing about other pages. */
  readonly lists: 'all' | 'usual' | 'some'
  /** The file that has the entries. A brief does not read it. */
  readonly list?: string
  /** The key of an entry with which its links begin, and those of the entries in it. */
  readonly baseKey?: string
}

/** `source`: an address of the site, or a pattern such as `/old/:path*`. */
export type Redirect = {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly destination?: string
  /** Where the destination leads, if the generator looks for it. */
  readonly target?: Address | undefined
  readonly status?: number
  /** It applies to some readers only: by language, country, query or header. */
  readonly isConditional?: boolean
}

/** The include directives of pages. An address that begins with `prefix` is below one of the folders, any other is beside the page. */
export type Includes = { readonly style: IncludeStyle; readonly folders: readonly string[]; readonly prefix?: string }

/** A destination, and what it is by the syntax of its page. */
export type OwnLink = { readonly kind: string; readonly url: string }

export type Site = {
  readonly kind: SiteKind
  /** Whether a generator builds the site. If not, it is a folder of files, and only its links count. */
  readonly hasGenerator: boolean
  /** The folder of the configuration; '' for the root of the repository. */
  readonly root: string
  /** The file that the kind was recognised by; undefined for a plain site. */
  readonly config: string | undefined
  /** All files that hold parts of the configuration and the navigation, the first one included. */
  readonly configs: readonly string[]
  /** The configuration itself does not parse. */
  readonly problems: readonly (Problem & { readonly file: string })[]
  readonly mounts: readonly Mount[]
  /** Files below a mount that are no pages: translations that fall back to others, parts of pages. */
  isIgnored(path: string, mount?: Mount): boolean
  /**
   * The address of a page relative to its mount, without slashes at its ends; '' for the first page of the mount. With a
   * slash at its start, it is the whole address. Undefined: code makes its addresses.
   */
  nameOf(name: string, fields: PageFields): string | undefined
  /** The addresses that redirect to the page, as its frontmatter has them. `route`: its own address. */
  aliasesOf(fields: PageFields, route: string): readonly string[]
  /** The ids by which the navigation may name a page. `address`: what `nameOf` returned. */
  idsOf(name: string, address: string, fields: PageFields): readonly string[]
  /** Other addresses at which a missing page is served: a translation falls back to the default language. */
  fallbacks(route: string): readonly string[]
  /** Whether the page is a translation, which the navigation does not name by itself. */
  isTranslation(name: string): boolean
  syntaxOf(path: string): PageSyntax
  /** Whether the file, which is a page by its name, is in a syntax that the site reads. */
  reads(path: string): boolean
  /** Whether a role leads to another site when no page describes what it names. */
  leadsElsewhere(role: string): boolean
  /** Resolves a link in the site's own syntax; undefined for an address as browsers have it. `path`: its page. */
  readonly addressOf: (link: OwnLink, path: string) => Address | undefined
  /** `addresses`: a relative link is an address, as browsers read it; the generator does not look for a file. */
  readonly linksAre: 'paths' | 'addresses'
  /** The path of a page that does not exist beside the page with the link is also looked up below the mount. */
  readonly looksBelowMount: boolean
  /** The file that an import means which is not relative; undefined for a package, or an alias that only the build knows. */
  importOf(url: string): string | undefined
  /** The link of the page, in the site's own syntax, that leads to the file `to`; undefined if nothing here can write it. */
  nameFor(link: OwnLink, page: string, to: string): string | undefined
  /** The attribute or field of a page that lists the names or addresses it had, which lead to it, too. */
  readonly aliasField: string | undefined
  /** How that field has the address of a page, `name` below its mount; undefined if the page has no such field. */
  aliasOf(name: string, fields: PageFields, address: string): string | undefined
  /** Folders whose files are served from the root of the site. */
  readonly assets: readonly string[]
  /** The path under which the whole site is served, such as `/docs`; otherwise ''. */
  readonly base: string
  /** Says what is at an address that no file of the repository has, as far as the configuration tells. `name`: as it is written. */
  madeAt(route: string, isRooted: boolean, name?: string): Made | undefined
  /** A page is served at the name of its file, so `a` and `a/index` are two pages. */
  readonly keepsFileNames: boolean
  /** `some`: a program adds to every page, so that any page may have any anchor. `all`: it makes those of headings, too. */
  readonly addsAnchors: 'some' | 'all' | undefined
  /** Whether an anchor leads to any page of the site that has it. */
  readonly sharesAnchors: boolean
  readonly slugs: SlugRule
  /** The fields without which the generator does not build a page. */
  readonly requiredFields: readonly string[]
  readonly navigation: Navigation
  readonly redirects: readonly Redirect[]
  /** Whether the host of the site sees the addresses of its pages, and so may redirect them. */
  readonly isHostRouted: boolean
  /**
   * `paths`: the configuration redirects from path to path, below the mount. `documents`: from and to paths without their
   * endings. `mixed`: from an address without its slash to a path.
   */
  readonly redirectsAre: 'addresses' | 'paths' | 'documents' | 'mixed'
  readonly includes: Includes | undefined
}

/** How a kind of site is recognised, and opened. */
export type SiteOpener = {
  readonly kind: SiteKind
  /** Whether a file with this path may be the configuration of such a site. */
  readonly config: RegExp
  /** The usual configuration, relative to the folder of the site. */
  readonly usual: string
  /**
   * Returns undefined if the file configures something else. `isNamed`: the settings say that there is such a site, so
   * nothing has to prove it, and the file may be missing.
   */
  open(config: string, files: SiteFiles, isNamed: boolean): Promise<Site | undefined>
}

/** The usual values. */
export const siteDefaults = {
  hasGenerator: true,
  configs: [],
  problems: [],
  isIgnored: () => false,
  nameOf: (name: string) => indexName(name),
  aliasesOf: () => [],
  idsOf: () => [],
  fallbacks: () => [],
  isTranslation: () => false,
  syntaxOf: (path: string): PageSyntax => (/\.mdx$/i.test(path) ? 'mdx' : 'markdown'),
  reads: (path: string) => !isAsciidocPath(path) && !/\.rst$/i.test(path),
  leadsElsewhere: () => false,
  addressOf: () => undefined,
  linksAre: 'paths',
  looksBelowMount: false,
  importOf: () => undefined,
  nameFor: () => undefined,
  aliasField: undefined,
  aliasOf: (_name: string, _fields: PageFields, address: string): string | undefined =>
    `${address.replace(/\/$/, '')}/`,
  assets: [],
  base: '',
  madeAt: () => undefined,
  keepsFileNames: false,
  addsAnchors: undefined,
  sharesAnchors: false,
  slugs: githubSlugs,
  requiredFields: [],
  navigation: { entries: [], folders: [], computed: [], lists: 'some' },
  redirects: [],
  isHostRouted: true,
  redirectsAre: 'addresses',
  includes: undefined,
} as const satisfies Partial<Site>
