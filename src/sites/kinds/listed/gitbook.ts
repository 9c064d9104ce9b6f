// GitBook: `.gitbook.yaml`, or `README.md` beside `SUMMARY.md` alone; HonKit and old books of GitBook: `book.json`, `book.js`, or
// `LANGS.md` with a book in each language. A page that no `SUMMARY.md` names is not built. GitBook publishes no rule for ids of
// headings: only their letters and digits are compared. Not judged: templates, and addresses of GitBook that no file has,
// which depend on its editor, except `/broken/pages/…`, with which it marks a broken link.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { outermost } from '../../found-strings.ts'
import { decodePercent } from '../../../lib/plain-text.ts'
import { folderOf, indexName, toFolder, withoutExtension } from '../../names.ts'
import { type NavigationEntry, type Redirect, type SiteFiles, type SiteOpener, siteDefaults } from '../../site.ts'
import { gitbookSlugs, honkitSlugs } from '../../slugs.ts'
import type { ConfigString } from '../../config-strings.ts'
import { readList } from './read-list.ts'

const honkitConfig = /(?:^|\/)(?:book\.js(?:on)?|LANGS\.md)$/
/** The configuration of another site, whose folder it is: MkDocs and mdBook have a `SUMMARY.md`, too. */
const otherConfig =
  /^(?:book\.(?:toml|json|js)|LANGS\.md|\.gitbook\.ya?ml|mkdocs\.ya?ml|zensical\.toml|_config\.ya?ml|conf\.py|(?:docs|mint)\.json|(?:docusaurus|astro|next)\.config\.\w+)$/
const aboutRepository = /^(?:license|contributing|changelog|code_of_conduct|security|agents|claude)\.md$/i

export const gitbook: SiteOpener = {
  kind: 'gitbook',
  config: /(?:^|\/)(?:\.gitbook\.ya?ml|book\.js(?:on)?|(?:SUMMARY|LANGS)\.md)$/,
  usual: '.gitbook.yaml',
  open: async (config, files, isNamed) => {
    const root = folderOf(config)
    const isList = config.endsWith('.md')
    const isGitbook = !honkitConfig.test(config)
    if (isList && !isNamed && !isBook(config, (await files.text(config)) ?? '[a](a.md)', files)) return undefined
    const { problem, strings } = isList ? { problem: null, strings: [] } : await files.config(config)
    const folder = toFolder(posix.join(root, outermost(strings, 'root') ?? '.'))
    const { lists, summary, readme } = findLists(folder, strings, files)
    const isOther = files.has(posix.join(root, '.gitbook.yaml')) || !lists.some((path) => files.has(path))
    if (!isNamed && !isGitbook && isOther) return undefined
    const texts = await Promise.all(lists.map((path) => files.text(path)))
    const entries = lists.flatMap((path, at) => readSummary(path, texts[at] ?? ''))
    const listed = new Set(entries.flatMap(({ target }) => ('paths' in target ? target.paths : [])))
    return {
      ...siteDefaults,
      kind: 'gitbook',
      keepsFileNames: true,
      root,
      config,
      configs: [...new Set([config, ...lists])],
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: [{ folder, routes: [''] }],
      isIgnored: (name) =>
        /(?:^|\/)(?:[._][^/]*\/|node_modules\/)|(?:^|\/)(?:LANGS|GLOSSARY)\.md$/.test(name) ||
        posix.basename(name) === summary ||
        (aboutRepository.test(name) && listed.size > 0 && !listed.has(posix.join(folder, name))),
      nameOf: (name) => (name === readme ? '' : isGitbook ? indexName(name) : fileName(name)),
      assets: [folder],
      slugs: isGitbook ? gitbookSlugs : honkitSlugs,
      // GitBook knows more pages than the repository has. It writes `/broken/pages/…` for one that does not exist.
      madeAt: (route, isRooted) => (isGitbook && isRooted && !route.startsWith('/broken/') ? 'generated' : undefined),
      navigation: {
        entries,
        folders: [],
        computed: [],
        lists: listed.size === 0 ? 'some' : 'all',
        list: lists[0] ?? '',
      },
      redirectsAre: 'mixed',
      redirects: strings.flatMap((one) => toRedirect(config, one)),
    }
  },
}

/** Whether the list is that of a book: of pages, beside a `README.md`, and not below the configuration of another site. */
function isBook(list: string, text: string, files: SiteFiles): boolean {
  const folder = folderOf(list)
  const isOther = files.paths.some((path) => {
    return path !== list && otherConfig.test(posix.basename(path)) && inside(folderOf(path), list) !== undefined
  })
  return !isOther && files.has(posix.join(folder, 'README.md')) && /\]\([^()\s:]*(?:\.md|\/)[)#>]/.test(text)
}

/** The lists of pages: one, or that of each language or space. */
function findLists(folder: string, strings: readonly ConfigString[], files: SiteFiles) {
  const named = (key: string, usual: string) =>
    posix.normalize(
      strings.find(({ keys: [first, second] }) => first === 'structure' && second === key)?.value ?? usual,
    )
  const summary = named('summary', 'SUMMARY.md')
  const own = posix.join(folder, summary)
  const languages = posix.join(folder, named('langs', 'LANGS.md'))
  const inFolders = files.paths.filter((path) => /^[^/]+\/SUMMARY\.md$/.test(inside(folder, path) ?? ''))
  const lists = files.has(languages)
    ? [languages, ...inFolders]
    : files.has(own) || inFolders.length === 0
      ? [own]
      : inFolders
  return { summary, readme: named('readme', 'README.md'), lists }
}

/** A folder is named by its `README.md`. */
function readSummary(file: string, text: string): NavigationEntry[] {
  return readList(file, text, (url) => {
    const name = decodePercent(url.replace(/[?#].*$/, ''))
    const path = posix.join(folderOf(file), name)
    return name === '' ? undefined : { paths: /\.\w+$/.test(name) ? [path] : [posix.join(path, 'README.md')] }
  })
}

/** HonKit writes `a/README.md` as `a/index.html`; any other page keeps its name. */
function fileName(name: string): string {
  return withoutExtension(name).replace(/(?:^|\/)(?:README|index)$/, '')
}

/** `old/page: new/page.md`. */
function toRedirect(file: string, { keys: [first, source], line, value }: ConfigString): Redirect[] {
  if (first !== 'redirects' || source === undefined) return []
  return [{ file, line, source: posix.join('/', source), destination: value }]
}
