// Finds every place in the repository that names a file: links, navigation entries, imports, images. Only files that a
// search finds are parsed.

import { posix } from 'node:path'
import { type DocsTree, resolveAddress } from '../../../docs-syntax/links.ts'
import { isAsciidocPath } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import type { PageLink, PageReference } from '../../../docs-syntax/page.ts'
import type { Address } from '../../../sites/address.ts'
import type { Site } from '../../../sites/site.ts'
import { writeYamlString } from '../../../docs-syntax/yaml.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { readMyst } from '../../../docs-syntax/myst/myst.ts'
import { configReferences } from './navigation.ts'
import { type Reference, linkReference } from './reference.ts'
import { type NamedPage, type OpenedSites, openSites, readNamed } from './open-sites.ts'
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
/** Folders of tools and hosts are ignored, except `.vitepress`, which contains a site. */
const ignored = /(?:^|\/)(?:\.(?!vitepress\/)[^/]*|node_modules)\//
const separators = /[\s"'`()<>[\]{},|=]+/

/** Returns the references to `path` in all other files, sorted by path. */
export async function findReferences(path: string, context: ToolContext): Promise<ReferenceSearch> {
  const { workspace } = context
  const opened = await openSites(context)
  const { tree, sites, paths } = opened
  const page = await readNamed(workspace, path)
  const { candidates, isPartial } = await findCandidates(tree, path, context)
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
  const { references, referenceLinks } = referencesIn(opened, file)
  const wanted = references.filter(({ target }) => target.path === page.path && target.form !== 'self')
  const known = [...found.references, ...found.texts]
  const others = wanted.filter(({ start, end }) => known.every((one) => one.end <= start || one.start >= end))
  return { references: [...found.references, ...others], referenceLinks }
}

/** Returns all references in one file that name a file of the tree. */
export function referencesIn(
  { tree, placeOf }: Pick<OpenedSites, 'tree' | 'placeOf'>,
  file: TextFile,
): Omit<FileReferences, 'file'> {
  if (!isPagePath(file.path)) return { references: configReferences(tree, file), referenceLinks: [] }
  const { site, name = '' } = placeOf(file.path) ?? {}
  const page = site?.syntaxOf(name) === 'myst' ? readMyst(file.text) : parsePage(file.path, file.text)
  const links = page.links.flatMap((link) => {
    const { start, end, url } = link
    const own = site?.addressOf(link, file.path)
    if (site && own) return ownReference(tree, site, { from: file.path, link, address: own })
    return linkReference(tree, file.path, { start, end, address: url, link, encode: (address) => address })
  })
  const matter = (page.frontmatter?.strings ?? []).flatMap((yaml) => {
    const { start, end, value, style } = yaml
    if (style === 'block' || !/^(?:\/(?!\/)|\.\.?\/)/.test(value)) return []
    const encode = (address: string): string => writeYamlString(address, style)
    return linkReference(tree, file.path, { start, end, address: value, yaml, encode })
  })
  return { references: [...matter, ...links], referenceLinks: page.references }
}

type Own = { readonly from: string; readonly link: PageLink; readonly address: Address }

/** A link in the site's own syntax. One that nothing here can write stays, and is then listed as a mention. */
function ownReference(tree: DocsTree, site: Site, { from, link, address }: Own): Reference[] {
  const path = address.kind === 'named' ? address.paths.find((one) => tree.has(one)) : undefined
  if (path === undefined) return []
  const { start, end, url } = link
  const target = { path, form: 'exact', base: '', route: '', isRooted: false, suffix: '' } as const
  const rewrite = (to: string, page = from): string => site.nameFor(link, page, to) ?? url
  return [{ start, end, link, target, address: url, rewrite }]
}

async function findCandidates(tree: DocsTree, path: string, { workspace, signal }: ToolContext) {
  const candidates = new Set<string>()
  let isPartial = false
  for (const pattern of searchTerms(path)) {
    const query = { pattern, syntax: 'literal', ignoreCase: false, globs: [], limit: maxLines } as const
    const { matches, truncated } = await workspace.search(query, signal)
    isPartial ||= truncated
    for (const match of matches) {
      if (match.path === path || candidates.has(match.path) || ignored.test(match.path)) continue
      if (mayName(tree, match, { pattern, path })) candidates.add(match.path)
    }
  }
  return { candidates: [...candidates].toSorted(), isPartial }
}

/** Returns search terms. Every reference to the file contains at least one of them. */
function searchTerms(path: string): string[] {
  const { dir, name, base } = posix.parse(path)
  if (!isPagePath(path)) return withEncoded(base)
  if (!/^(?:index|readme)$/i.test(name)) return withEncoded(name)
  const folder = posix.basename(dir)
  return [name, ...(folder === '' ? ['(/)', '"/"', "'/'", '(/#', '"/#', '(/?'] : withEncoded(folder))]
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
