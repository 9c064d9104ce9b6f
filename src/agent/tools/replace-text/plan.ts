// Plans the replacement of a text: the files, their splices, and the links to headings that change with it. Writes
// nothing.

import { createSelector, toSelection } from '../../../docs-syntax/glob.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { type Splice, withoutOverlaps } from '../../../docs-syntax/text.ts'
import { labelData } from '../../../sites/by-path/known-files.ts'
import { anchorLinks, type ChangedAnchor, moveLinks, type ReadLink, readAddresses } from '../../terms/anchor-links.ts'
import { changedAnchors, findCodePlaces, findTermPlaces } from '../../terms/term-places.ts'
import { wrappedPattern } from '../../terms/term.ts'
import { type OpenedSites, openSites } from '../links/open-sites.ts'
import { readTextFile, type TextFile } from '../text-file.ts'
import type { SearchQuery, Workspace } from '../../workspace.ts'

export type Replacing = {
  readonly from: string
  readonly to: string
  readonly scope: 'all' | 'prose' | 'code'
  readonly glob: string | undefined
  readonly exclude: string | undefined
}

export type PlannedFile = TextFile & { readonly splices: readonly Splice[]; readonly replaced: number }

export type Plan = {
  readonly files: readonly PlannedFile[]
  /** Links to headings that change, also in files that do not have the text. */
  readonly links: number
  readonly leftInCode: number
  readonly leftElsewhere: number
  readonly unread: readonly string[]
  readonly isPartial: boolean
}

type Places = {
  readonly splices: readonly Splice[]
  readonly replaced: number
  readonly leftInCode: number
  readonly leftElsewhere: number
  readonly anchors: readonly Omit<ChangedAnchor, 'path'>[]
}

const mostMatches = 100_000

export async function planReplacement(workspace: Workspace, wanted: Replacing, signal: AbortSignal): Promise<Plan> {
  const { paths, isPartial } = await findFiles(workspace, wanted, signal)
  const files = new Map<string, PlannedFile>()
  const anchors: ChangedAnchor[] = []
  const unread: string[] = []
  let leftInCode = 0
  let leftElsewhere = 0
  for (const path of isPartial ? [] : paths) {
    signal.throwIfAborted()
    const file = await readTextFile(workspace, path)
    if ('problem' in file) {
      unread.push(file.reason)
      continue
    }
    const found = findPlaces(file, wanted)
    leftInCode += found.leftInCode
    leftElsewhere += found.leftElsewhere
    anchors.push(...found.anchors.map((anchor) => ({ ...anchor, path })))
    if (found.splices.length > 0) files.set(path, { ...file, splices: found.splices, replaced: found.replaced })
  }
  const links = anchors.length === 0 ? 0 : await addLinks(workspace, files, anchors, signal)
  const sorted = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { files: sorted, links, leftInCode, leftElsewhere, unread, isPartial }
}

async function findFiles(workspace: Workspace, { from, scope, glob, exclude }: Replacing, signal: AbortSignal) {
  const { wanted: globs, unwanted } = toSelection(glob, exclude)
  const ask = (pattern: string, syntax: SearchQuery['syntax']) =>
    workspace.search({ pattern, syntax, ignoreCase: false, globs, exclude: unwanted, limit: mostMatches }, signal)
  const { matches, truncated } = await ask(from, 'literal')
  // The words of a term may be on two lines.
  const wrapped = scope === 'all' ? undefined : wrappedPattern(from)
  const split = wrapped === undefined || wrapped.length > 1000 ? undefined : await ask(wrapped, 'regex')
  const pages = (split?.matches ?? []).filter(({ path }) => isPagePath(path))
  const isWanted = createSelector({ wanted: globs, unwanted })
  const paths = new Set([...matches, ...pages].map(({ path }) => path).filter(isWanted))
  return { paths: [...paths].toSorted(), isPartial: truncated || split?.truncated === true }
}

function findPlaces({ path, text }: TextFile, { from, to, scope }: Replacing): Places {
  if (scope === 'prose') {
    if (!isPagePath(path) && !labelData.test(path)) return { ...nothing, leftElsewhere: literal(text, from, to).length }
    return findTermPlaces({ path, text }, { from, to, inCode: false })
  }
  if (scope === 'code' && !isPagePath(path)) return { ...nothing, leftElsewhere: literal(text, from, to).length }
  const splices = scope === 'all' ? literal(text, from, to) : findCodePlaces({ path, text }, { from, to, inCode: true })
  // Parsing takes long: only a line that looks like a heading, or is above such a line, may be one.
  const isHeading = splices.some(({ start, end }) => /^[ \t>]*#|\n[ \t>]*(?:=+|-+)\s*$/m.test(around(text, start, end)))
  const anchors =
    isPagePath(path) && isHeading ? changedAnchors({ path, page: parsePage(path, text), text }, splices) : []
  return { ...nothing, splices, replaced: splices.length, anchors }
}

const nothing: Places = { splices: [], replaced: 0, leftInCode: 0, leftElsewhere: 0, anchors: [] }

function literal(text: string, from: string, to: string): readonly Splice[] {
  const splices: Splice[] = []
  for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, at + from.length))
    splices.push({ start: at, end: at + from.length, text: to })
  return splices
}

/** The lines of a range and the line after it. */
function around(text: string, start: number, end: number): string {
  const next = text.indexOf('\n', end)
  const last = next === -1 ? text.length : text.indexOf('\n', next + 1)
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, last === -1 ? text.length : last)
}

async function addLinks(
  workspace: Workspace,
  files: Map<string, PlannedFile>,
  changed: readonly ChangedAnchor[],
  signal: AbortSignal,
): Promise<number> {
  const opened = await openSites({ workspace })
  const anchors = changed.map((anchor) => asOnSite(opened, anchor))
  const read = readLinks(opened)
  const paths = new Set(anchors.map(({ path }) => path))
  for (const old of new Set(anchors.map((anchor) => anchor.old).filter((name) => name !== ''))) {
    const query = { pattern: `#${old}`, syntax: 'literal', ignoreCase: false, globs: [], limit: mostMatches } as const
    for (const { path } of (await workspace.search(query, signal)).matches) if (isPagePath(path)) paths.add(path)
  }
  let links = 0
  for (const path of paths) {
    const before = files.get(path) ?? (await readUnchanged(workspace, path))
    if (before === undefined) continue
    const moved = moveLinks(before, anchorLinks(before), anchors, read).map(({ splice }) => splice)
    const free = withoutOverlaps(moved, before.splices)
    links += free.length
    if (free.length > 0) files.set(path, { ...before, splices: [...before.splices, ...free] })
  }
  return links
}

/** The anchors of headings depend on the settings of the site. */
function asOnSite({ placeOf }: OpenedSites, anchor: ChangedAnchor): ChangedAnchor {
  const { site, name } = placeOf(anchor.path) ?? {}
  if (site?.syntaxOf(name ?? '') !== 'asciidoc-site') return anchor
  return { ...anchor, old: site.slugs.slug(anchor.texts.old), fresh: site.slugs.slug(anchor.texts.fresh) }
}

/** Reads links in the syntax of their site, or as addresses. */
function readLinks({ tree, placeOf }: OpenedSites): ReadLink {
  const plain = readAddresses(tree)
  return (from, link) => {
    const address = placeOf(from)?.site.addressOf(link, from)
    if (address?.kind === 'self') return { path: from, name: address.fragment }
    if (address?.kind !== 'named') return plain(from, link)
    const path = address.paths.find((one) => tree.has(one))
    return path === undefined ? undefined : { path, name: address.fragment }
  }
}

async function readUnchanged(workspace: Workspace, path: string): Promise<PlannedFile | undefined> {
  const file = await readTextFile(workspace, path)
  return 'problem' in file ? undefined : { ...file, splices: [], replaced: 0 }
}
