// Finds every place in the repository that names a file: links, navigation entries, imports, images. Only files that a
// search finds are parsed.

import { posix } from 'node:path'
import { type DocsTree, resolveAddress } from '../../../docs-syntax/links.ts'
import { isAsciidocPath } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import { readLiquidHtml, readLiquidPage } from '../../../docs-syntax/liquid/liquid.ts'
import { readShortcodePage } from '../../../docs-syntax/shortcodes.ts'
import type { MarkdownPage, PageLink, PageReference, PageSyntax } from '../../../docs-syntax/page.ts'
import type { Address } from '../../../sites/address.ts'
import type { Site } from '../../../sites/site.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import { writeYamlString } from '../../../docs-syntax/yaml.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { readMyst } from '../../../docs-syntax/myst/myst.ts'
import { toolFolder } from '../../../sites/by-path/known-files.ts'
import { addressFields } from '../../../sites/names.ts'
import { configReferences } from './navigation.ts'
import { type Reference, linkReference } from './reference.ts'
import { addressReference } from './address-links.ts'
import { fieldsOf, namesIn, type NamedPage, type OpenedSites, openSites, readNamed } from './open-sites.ts'
import { siteOfScript, siteReferences } from './site-script.ts'
import { type TextFile, readTextFile } from '../text-file.ts'
import type { ToolContext } from '../../tool.ts'
import type { SearchMatch } from '../../workspace.ts'

export type FileReferences = {
  readonly file: TextFile
  readonly references: readonly Reference[]
  /** Reference-style links (`[text][name]`) on this page; needed when a definition is removed. */
  readonly referenceLinks: readonly PageReference[]
}

export type ReferenceSearch = {
  readonly opened: OpenedSites
  readonly page: NamedPage
  readonly found: readonly FileReferences[]
  /** True if the search reached its limit, so there may be more references. */
  readonly isPartial: boolean
}

const maxLines = 100_000
/** A search cuts longer lines, so the name may be in the part that is missing. */
const longLine = 300
const separators = /[\s"'`()<>[\]{},|=]+/

/** Returns the references to `path` in all other files, sorted by path. */
export async function findReferences(path: string, context: ToolContext): Promise<ReferenceSearch> {
  const { workspace } = context
  const opened = await openSites(context)
  const { sites, paths } = opened
  const page = await readNamed(workspace, path)
  const { candidates, isPartial } = await findCandidates(opened, page, context)
  // An id may differ from the name of the file.
  const scripts = paths.filter((one) => siteOfScript(sites, one) !== undefined)
  const found: FileReferences[] = []
  for (const candidate of [...new Set([...candidates, ...scripts])].toSorted()) {
    const file = await readTextFile(workspace, candidate)
    if ('problem' in file) continue
    const { references, referenceLinks } = referencesTo(page, opened, file)
    if (references.length > 0) found.push({ file, referenceLinks, references })
  }
  return { opened, page, found, isPartial }
}

function referencesTo(page: NamedPage, opened: OpenedSites, file: TextFile): Omit<FileReferences, 'file'> {
  const site = siteOfScript(opened.sites, file.path)
  const found = site ? siteReferences(opened, site, { file, page }) : { references: [], texts: [] }
  const { references, referenceLinks } = referencesIn(opened, file, page)
  const wanted = references.filter(({ target }) => target.path === page.path && target.form !== 'self')
  const others = outside(wanted, [...found.references, ...found.texts])
  return { references: [...found.references, ...others], referenceLinks }
}

/** The references outside all of the ranges. */
function outside(references: readonly Reference[], ranges: readonly Range[]): Reference[] {
  return references.filter(({ start, end }) => ranges.every((one) => one.end <= start || one.start >= end))
}

/** Returns all references in one file that name a file of the tree. `wanted`: a page whose fields are known. */
export function referencesIn(
  opened: Pick<OpenedSites, 'tree' | 'placeOf' | 'paths'>,
  file: TextFile,
  wanted?: NamedPage,
): Omit<FileReferences, 'file'> {
  const { tree, placeOf } = opened
  const { site, name = '' } = placeOf(file.path) ?? {}
  const syntax = site?.syntaxOf(name)
  if (syntax === 'kramdown' && /\.html?$/i.test(file.path)) {
    const page = { path: file.path, fields: null }
    return { references: linksIn(opened, readLiquidHtml(file.text), { page, wanted }), referenceLinks: [] }
  }
  if (!isPagePath(file.path)) return { references: dataReferences(opened, file, wanted), referenceLinks: [] }
  const page = parseIn(syntax, file)
  const links = linksIn(opened, page.links, { page: { path: file.path, fields: fieldsOf(page, file.text) }, wanted })
  const matter = (page.frontmatter?.strings ?? []).flatMap((yaml) => {
    const { start, end, value, style } = yaml
    if (style === 'block' || addressFields.test(String(yaml.path[0])) || !/^(?:\/(?!\/)|\.\.?\/)/.test(value)) return []
    const encode = (address: string): string => writeYamlString(address, style)
    return linkReference(tree, file.path, { start, end, address: value, yaml, encode })
  })
  return { references: [...matter, ...links], referenceLinks: page.references }
}

type Opened = Parameters<typeof referencesIn>[0]
type Place = Parameters<typeof addressReference>[2]

/** Entries of the navigation that are addresses lead to the page there; all others are paths. */
function dataReferences(opened: Opened, file: TextFile, wanted: NamedPage | undefined): Reference[] {
  const entries = opened.placeOf(file.path)?.site.navigation.entries ?? []
  const page = { path: file.path, fields: null }
  const addresses = entries.flatMap((entry) => {
    const edge = /["']/.test(file.text.charAt(entry.start)) ? 1 : 0
    const range = { start: entry.start + edge, end: entry.end - edge }
    if (entry.file !== file.path || file.text.slice(range.start, range.end) !== entry.name) return []
    return addressReference(opened, { ...range, kind: 'attribute', url: entry.name }, { page, wanted }) ?? []
  })
  return [...addresses, ...outside(configReferences(opened.tree, file), addresses)]
}

function linksIn(opened: Opened, links: readonly PageLink[], place: Place): Reference[] {
  const { tree, placeOf } = opened
  const { path } = place.page
  const site = placeOf(path)?.site
  return links.flatMap((link) => {
    const { start, end, url } = link
    const own = site?.addressOf(link, path)
    if (own?.kind === 'rooted') return templateReference(opened, { link, name: own.name }, place)
    if (site && own) return ownReference(tree, site, { from: path, link, address: own })
    const found = addressReference(opened, link, place)
    if (found) return [{ ...found, link }]
    return linkReference(tree, path, { start, end, address: url, link, encode: (address) => address })
  })
}

function parseIn(syntax: PageSyntax | undefined, { path, text }: TextFile): MarkdownPage {
  if (syntax === 'myst') return readMyst(text)
  if (syntax === 'kramdown') return readLiquidPage(parsePage(path, text), text)
  return syntax === 'shortcodes' ? readShortcodePage(text) : parsePage(path, text)
}

type Own = { readonly from: string; readonly link: PageLink; readonly address: Address }

/** A link in the site's own syntax. One that nothing here can write stays, and is then listed as a mention. */
function ownReference(tree: DocsTree, site: Site, { from, link, address }: Own): Reference[] {
  const { paths = [], listed = [] } = address.kind === 'named' ? address : {}
  const path = [...paths, ...listed].find((one) => tree.has(one))
  if (path === undefined) return []
  const { start, end, url } = link
  const target = { path, form: 'exact', base: '', route: '', isRooted: false, suffix: '' } as const
  const rewrite = (to: string, page = from): string => site.nameFor(link, page, to) ?? url
  return [{ start, end, link, target, address: url, rewrite }]
}

/** An address in a template, such as `{{ '/a/' | relative_url }}`. The template stays. */
function templateReference(
  opened: Opened,
  { link, name }: { readonly link: PageLink; readonly name: string },
  place: Place,
): Reference[] {
  const { url } = link
  const found = url.includes(name) ? addressReference(opened, { ...link, url: name }, place) : undefined
  if (!found) return []
  return [{ ...found, link, address: url, rewrite: (...to) => url.replace(name, () => found.rewrite(...to)) }]
}

async function findCandidates(opened: OpenedSites, page: NamedPage, { workspace, signal }: ToolContext) {
  const { tree, placeOf } = opened
  const { path } = page
  const isByAddress = placeOf(path)?.site.linksAre === 'addresses'
  const address = isByAddress ? namesIn(opened, page)?.address : undefined
  const candidates = new Set<string>()
  let isPartial = false
  for (const pattern of new Set([...searchTerms(path), ...(address === undefined ? [] : addressTerms(address))])) {
    const query = { pattern, syntax: 'literal', ignoreCase: false, globs: [], limit: maxLines } as const
    const { matches, truncated } = await workspace.search(query, signal)
    isPartial ||= truncated
    for (const match of matches) {
      if (match.path === path || candidates.has(match.path) || toolFolder.test(match.path)) continue
      if (isByAddress || mayName(tree, match, { pattern, path })) candidates.add(match.path)
    }
  }
  return { candidates: [...candidates].toSorted(), isPartial }
}

/** Returns search terms. Every reference to the file contains at least one of them. */
function searchTerms(path: string): string[] {
  const { dir, name, base } = posix.parse(path)
  if (!isPagePath(path)) return withEncoded(base)
  if (!/^(?:_?index|readme)$/i.test(name)) return withEncoded(name)
  const folder = posix.basename(dir)
  return [name, ...(folder === '' ? ['(/)', '"/"', "'/'", '(/#', '"/#', '(/?'] : withEncoded(folder))]
}

/** The last part of an address, which need not be the name of the file. */
function addressTerms(address: string): string[] {
  const name = posix.basename(address)
  return name === '' ? [] : withEncoded(name)
}

function withEncoded(name: string): string[] {
  return [...new Set([name, encodeURI(name)])]
}

/** Whether a word of the line may name the file. Always true outside pages: other files are few, and all are parsed. */
function mayName(tree: DocsTree, match: SearchMatch, wanted: { pattern: string; path: string }): boolean {
  if (
    !isPagePath(match.path) ||
    isAsciidocPath(match.path) ||
    match.text.length >= longLine ||
    separators.test(wanted.pattern)
  )
    return true
  return match.text.split(separators).some((word) => {
    if (!word.includes(wanted.pattern)) return false
    const plain = word.replace(/^:/, '')
    const readings = [plain, plain.replace(/[.,;:!]+$/, '')]
    return readings.some((address) => resolveAddress(tree, match.path, address)?.path === wanted.path)
  })
}
