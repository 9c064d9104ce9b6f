// Sphinx: `conf.py` beside its pages, reStructuredText or, with an extension for it, MyST. `conf.py` is read as text and
// never run. Pages list each other in toctrees; documents, labels, terms and objects that a page describes are known in the
// whole site, and images, includes, downloads, and redirects of extensions in `conf.py`. Not judged: names that intersphinx
// or an extension may know, such as other objects, pages that an extension makes, headings of pages with directives that are
// not known.

import { posix } from 'node:path'
import { docutilsId } from '../../docs-syntax/rst/ids.ts'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { folderOf, labelId } from '../names.ts'
import { type PythonString, type PythonValue, readPythonConfig } from '../sphinx/python-config.ts'
import { plainExtensions, readMakers } from '../sphinx/makers.ts'
import { readRedirects } from '../sphinx/site-redirects.ts'
import { type Address, type NamedAddress, routeOf, trimSlash } from '../address.ts'
import { isMystConfig, openMystProject } from './myst-project.ts'
import { type Made, type NavigationEntry, type Site, siteDefaults, type SiteOpener } from '../site.ts'

/** Sphinx warns of these if it finds nothing; of any other object it shows the name. */
const standardRoles = /^(?:std:)?(?:term|option|envvar|token|keyword|numref|doc|ref)$/
const empty: PythonValue = { strings: [], isComputed: false }

export const sphinx: SiteOpener = {
  kind: 'sphinx',
  config: /(?:^|\/)(?:conf\.py|(?:myst|_toc)\.ya?ml)$/,
  usual: 'conf.py',
  open: async (config, files, isNamed) => {
    if (isMystConfig(config))
      return openMystProject(config, files, namingOf({ ...ofProjects, folder: folderOf(config) }))
    const text = (await files.text(config)) ?? ''
    const values = readPythonConfig(text)
    const get = (name: string): PythonValue => values.get(name) ?? empty
    const folder = folderOf(config)
    const root = get('root_doc').strings[0] ?? get('master_doc').strings[0]
    const first = root?.value ?? 'index'
    const isSphinx =
      values.has('extensions') || values.has('html_theme') || values.has('master_doc') || values.has('project')
    const hasFirst = ['.rst', '.md', '.txt'].some((ending) => files.has(posix.join(folder, first + ending)))
    if (!isNamed && !(isSphinx && hasFirst)) return undefined
    const extensions = get('extensions')
    const names = extensions.strings.map(({ value }) => value)
    const isMarkdown =
      !files.has(config) ||
      names.some((name) => /^(?:myst_(?:parser|nb)|recommonmark|m2r2?|sphinx_mdinclude)/.test(name))
    const markdownEnding = new Set(['.md', ...get('source_suffix').strings.map(({ value }) => value)])
    const makers = await readMakers({ text, folder, get, names: extensions.isComputed ? undefined : names }, files)
    const hasTargets = ['rst_prolog', 'rst_epilog'].some((name) => mayHaveTargets(get(name)))
    const others = namesOf(get('intersphinx_mapping'))
    const links = namesOf(get('extlinks'))
    // Other sites have the objects that no page describes: no extension reads them from code.
    const hasOnlyOthers =
      others.size > 0 && names.every((name) => plainExtensions.test(name) || name === 'sphinx.ext.intersphinx')
    const isOpen = makers.isAny || names.some((name) => !plainExtensions.test(name))
    const excluded = createGlobMatcher(get('exclude_patterns').strings.flatMap(({ value }) => toGlobs(value)))
    const added = get('html_additional_pages').strings.map(({ value }) => routeOf(`/${value}`))
    const madeAt = createMadeAt(makers, added)
    return {
      ...siteDefaults,
      ...namingOf({ folder, isOpen, hasTargets, others, madeAt }),
      kind: 'sphinx',
      root: folder,
      config,
      ...(await readRedirects({ config, folder, endings, madeAt }, files)),
      mounts: [{ folder, routes: [''] }],
      reads: (path) => posix.extname(path) === '.rst' || (isMarkdown && markdownEnding.has(posix.extname(path))),
      isIgnored: (name) => /(?:^|\/)(?:_build|node_modules)\//.test(name) || excluded(name),
      assets: [folder, ...get('html_extra_path').strings.map(({ value }) => posix.join(folder, value))],
      madeAt,
      leadsElsewhere: (role) => links.has(role) || (hasOnlyOthers && !standardRoles.test(role)),
      // The first page, which no toctree names.
      navigation: {
        entries: root ? [firstEntry(config, root, folder)] : [],
        folders: [],
        computed: [],
        lists: makers.isAny ? 'usual' : 'all',
      },
    }
  },
}

function createMadeAt(makers: Awaited<ReturnType<typeof readMakers>>, added: readonly string[]): Site['madeAt'] {
  return (route, _, name = route) => {
    if (/^\/(?:genindex|modindex|py-modindex|search)$/.test(route) || added.includes(route)) return 'page'
    if (/^\/_(?:static|images|modules|sources|downloads)\//.test(route)) return 'generated'
    return makers.madeAt(route, name)
  }
}

/** The keys of a dictionary, and other words in it. */
function namesOf({ strings }: PythonValue): ReadonlySet<string> {
  return new Set(strings.flatMap(({ value }) => (/^[\w-]+$/.test(value) ? value.toLowerCase() : [])))
}

/** A text that every page gets may hold targets. */
function mayHaveTargets({ strings, isComputed }: PythonValue): boolean {
  return (isComputed && strings.length === 0) || strings.some(({ value }) => /\.\. _|include::/.test(value))
}

/** How pages and what is in them are named, with any configuration. */
function namingOf(naming: Naming) {
  return {
    syntaxOf: (path) => (/\.rst$/i.test(path) ? 'rst' : 'myst'),
    nameOf: (name) => name.replace(/\.\w+$/, '').replace(/(?:^|\/)index$/, ''),
    slugs: { separator: '-', slug: docutilsId },
    keepsFileNames: true,
    nameFor: createNameFor(naming.folder),
    addressOf: createAddressOf(naming),
    includes: { style: 'directive', folders: [naming.folder], prefix: '/' },
  } as const satisfies Partial<Site>
}

/** A pattern also leaves out the folder that it names. */
function toGlobs(pattern: string): string[] {
  const plain = pattern.replace(/\/+$/, '')
  return plain === '' || plain.length > 200 ? [] : [plain, `${plain}/**`]
}

function firstEntry(file: string, { value, line }: PythonString, folder: string): NavigationEntry {
  const paths = endings.map((ending) => posix.join(folder, value + ending))
  return { file, line, start: 0, end: 0, name: value, target: { paths } }
}

type Naming = {
  readonly folder: string
  readonly isOpen: boolean
  /** Whether the configuration may add targets to all pages. */
  readonly hasTargets: boolean
  /** The names of other sites, as in `python:library`. */
  readonly others: ReadonlySet<string>
  readonly madeAt: Site['madeAt']
  /** Whether MyST reads the names, and not Sphinx: a role may name a document with its ending. */
  readonly isProject?: boolean
}

const ofProjects = {
  isOpen: true,
  hasTargets: true,
  others: new Set<string>(),
  madeAt: () => undefined,
  isProject: true,
} as const

const endings = ['.rst', '.md', '.txt', '.ipynb']

function createAddressOf({ folder, isOpen, hasTargets, others, madeAt, isProject = false }: Naming): Site['addressOf'] {
  const pathOf = (url: string, page: string) =>
    url.startsWith('/') ? posix.join(folder, url.slice(1)) : posix.join(posix.dirname(page), url)
  const documentOf = (url: string, page: string): Address => {
    // `:doc:` takes a name with a slash at its end, too.
    const path = trimSlash(pathOf(url, page))
    if (path.startsWith('..')) return { kind: 'unread', reason: 'outside' }
    const made = madeAt(`/${posix.relative(folder, path)}`, true)
    const named: NamedAddress = {
      kind: 'named',
      paths: [...endings.map((ending) => path + ending), ...(isProject ? [path] : [])],
      listed: [path],
      ids: [],
      fragment: '',
    }
    if (made === 'page') return { kind: 'foreign' }
    // `project:document` may be one of another site.
    return { ...named, otherwise: made ?? (url.includes(':') ? 'generated' : undefined) }
  }
  return ({ kind: syntaxKind, url: written }, page) => {
    const url = written.trim()
    const kind = syntaxKind === 'link' && isMystName(url, page) ? 'any' : syntaxKind
    if (kind === 'image' && url.endsWith('.*')) return { kind: 'unread', reason: 'generated' }
    if (hasTargets && kind === 'link' && url.startsWith('#') && /\.rst$/i.test(page))
      return { kind: 'unread', reason: 'generated' }
    if (kind !== 'doc' && kind !== 'ref' && kind !== 'any' && kind !== 'file') return undefined
    if (/[{}|]/.test(url)) return { kind: 'unread', reason: 'template' }
    if (others.has(/^([\w-]+):/.exec(url.toLowerCase())?.[1] ?? '')) return { kind: 'foreign' }
    if (kind === 'doc') return documentOf(url, page)
    if (kind === 'file') {
      if (/^[a-z][\w+.-]*:/i.test(url)) return { kind: 'foreign' }
      return {
        kind: 'named',
        paths: [pathOf(url, page)],
        ids: [],
        fragment: '',
        otherwise: makesOf(madeAt('/-', true)),
      }
    }
    const name = url.toLowerCase().split(/\s+/).join(' ')
    if (/^(?:genindex|modindex|search|py-modindex)$/.test(name)) return { kind: 'foreign' }
    const path = pathOf(url, page)
    if (kind === 'any' && path.startsWith('..')) return { kind: 'unread', reason: 'outside' }
    const paths = kind === 'any' ? [...endings.map((ending) => path + ending), path] : []
    const isUnsure = isOpen || syntaxKind === 'any'
    return { kind: 'named', paths, ids: [labelId(name)], fragment: '', otherwise: isUnsure ? 'generated' : undefined }
  }
}

/** MyST takes the address of a link that is neither a file nor an address of the web for a label or a document. */
function isMystName(url: string, page: string): boolean {
  if (!/\.(?:md|markdown)$/i.test(page)) return false
  return !/^(?:[#?]|[a-z][\w+.-]*:|\/\/)|[#?]|\/$|\.[a-z][a-z\d]{0,7}$/i.test(url)
}

function makesOf(made: Made | undefined): Exclude<Made, 'page'> | undefined {
  return made === 'page' ? undefined : made
}

/** Documents are named without an extension, from their page or, after a slash, from the folder of the site. */
function createNameFor(folder: string): Site['nameFor'] {
  return ({ kind, url }, page, to) => {
    const isName = kind === 'doc' || kind === 'any' || (kind === 'link' && isMystName(url, page))
    if (!isName && kind !== 'file' && kind !== 'include') return undefined
    const isRooted = url.startsWith('/')
    const path = isRooted ? `/${posix.relative(folder, to)}` : posix.relative(posix.dirname(page), to)
    return isName ? path.replace(/\.\w+$/, '') : path
  }
}
