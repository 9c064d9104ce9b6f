// The rules for one page: it parses, and its links, anchors, images, imports and includes lead somewhere. Counts what they
// judged, and lists what they could not.

import type { Finding } from '../finding.ts'
import type { PageLink } from '../facts/page-facts.ts'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { decodePercent } from '../../lib/plain-text.ts'
import { labelId, objectId } from '../../sites/names.ts'
import type { Reason } from '../../sites/coverage.ts'
import type { Address } from '../../sites/address.ts'
import { addressesOf } from './page-addresses.ts'
import { importedPath, includedPaths } from './imported.ts'
import { isPage, resolve } from './resolve.ts'
import type { Site } from '../../sites/site.ts'
import type { Anchors, SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** Anchors that browsers and footnotes make. */
const builtIn = /^(?:top$|_top$|:~:|fn|footnote-label$|user-content-|cite|L\d)/

/** A place that was not judged, and why. */
export type Unjudged = { readonly reason: Reason; readonly line: number; readonly url: string }

/** `judged`: how many links, anchors, images, imports and includes were looked up. */
export type PageOutcome = {
  readonly findings: readonly Finding[]
  readonly judged: number
  readonly unjudged: readonly Unjudged[]
}

export function checkPage(index: SiteIndex, page: SitePage): PageOutcome {
  const links = checkLinks(index, page)
  const includes = checkIncludes(index, page)
  const objects = checkObjects(index, page)
  return {
    findings: [...checkSyntax(page), ...links.findings, ...includes.findings],
    judged: links.judged + includes.judged + objects.judged,
    unjudged: [...links.unjudged, ...includes.unjudged, ...readProblem(page), ...objects.unjudged],
  }
}

/** Roles that name a class, an option or a term. If no page describes it, an extension or another site may. */
function checkObjects(index: SiteIndex, { site, facts: { rst } }: SitePage): Omit<PageOutcome, 'findings'> {
  const objects = rst?.objects ?? []
  const unknown = objects.filter((name) => index.withId(site, objectId(name)).length === 0)
  const unjudged = unknown.filter((name) => !site.leadsElsewhere(name.split(' ', 1)[0] ?? ''))
  return {
    judged: objects.length - unknown.length,
    unjudged: unjudged.map((url) => ({ reason: 'generated', line: 1, url })),
  }
}

/** The links of a page that no parser could read are not known. */
function readProblem({ facts }: SitePage): Unjudged[] {
  return facts.text === null ? [{ reason: 'large', line: 1, url: '' }] : []
}

function checkSyntax({ path, facts, site, name }: SitePage): Finding[] {
  const found: Finding[] = []
  const { problem, openFence, frontmatter } = facts
  if (frontmatter?.problem) {
    const { line, message } = frontmatter.problem
    found.push({
      kind: 'frontmatter',
      path,
      line,
      target: message,
      message: `the frontmatter does not parse: ${message}`,
    })
  } else if (problem && site.syntaxOf(name) !== 'markdown') {
    const { line, message } = problem
    found.push({ kind: 'mdx', path, line, target: message, message: `the page does not compile: ${message}` })
  }
  if (openFence !== null && !problem) {
    const message = 'the code block that begins here is not closed'
    found.push({ kind: 'markdown', path, line: openFence, target: 'fence', message })
  }
  return found
}

/** Almost all links are correct, so a link makes an object only if it is not. */
function checkLinks(index: SiteIndex, page: SitePage): PageOutcome {
  const addresses = addressesOf(page)
  const findings: Finding[] = []
  const unjudged: Unjudged[] = []
  let judged = 0
  for (const [at, link] of page.facts.links.entries()) {
    const address = addresses[at]
    const isImport = link.kind === 'import'
    const found = isImport ? checkImport(index, page, link) : address && checkLink(index, page, link, address)
    if (found === 'elsewhere') continue
    if (typeof found === 'string') unjudged.push({ reason: found, line: link.line, url: link.url })
    else judged += 1
    if (typeof found === 'object') findings.push(found)
  }
  return { findings, judged, unjudged }
}

/** Undefined: it leads somewhere. */
type LinkOutcome = Finding | Reason | 'elsewhere' | undefined

function checkImport(index: SiteIndex, page: SitePage, { url, line }: PageLink): LinkOutcome {
  const path = importedPath(index, page, url)
  // A package, or an alias that only the build knows.
  if (path === undefined) return /^[@~]\//.test(url) ? 'alias' : 'elsewhere'
  if (index.has(path) || index.hasFolder(path)) return undefined
  return { kind: 'import', path: page.path, line, target: url, message: `imports ${url}, which does not exist` }
}

function checkLink(index: SiteIndex, page: SitePage, link: PageLink, address: Address): LinkOutcome {
  const found = resolve(index, page, address)
  if (found === 'missing') {
    const what = link.kind === 'image' ? 'shows the image' : link.kind === 'include' ? 'includes' : 'links to'
    const isFixed = address.kind === 'named' && address.isFixed === true && index.isInsertedHere(page)
    if ((index.isInserted(page) && !isFixed) || isElsewhere(index, page, link)) return 'context'
    // A file that a page inserts may have the label.
    if (link.kind === 'ref' && page.site.includes?.style === 'directive' && index.insertsOthers()) return 'context'
    return findingOf(page, link, findingKindOf(link), `${what} ${link.url}, which does not exist`)
  }
  if (found === 'elsewhere') return found
  if (!isPage(found)) return typeof found === 'object' ? found.reason : undefined
  if (link.kind === 'image' || link.kind === 'include' || !('fragment' in address)) return undefined
  if (address.kind === 'self' && index.withId(page.site, labelId(address.fragment.toLowerCase())).length > 0)
    return undefined
  const problem = anchorProblem(index.anchors(found), found.site, address.fragment)
  if (problem !== 'missing') return problem
  if (link.kind === 'ref' && isTitle(page, link.url)) return undefined
  if (page.site.sharesAnchors) {
    const shared = anchorProblem(index.sharedAnchors(page.site), page.site, address.fragment)
    if (shared === undefined || (shared === 'anchors' && address.kind === 'self')) return shared
  }
  if (found === page && (isPart(index, page) || insertsTargets(page))) return 'context'
  // No page of this repository shows it.
  if (page.mount.isPart && !index.isInsertedHere(page)) return 'context'
  return findingOf(page, link, 'anchor', `links to ${link.url}, but ${found.path} has no such heading`)
}

/** Whether other pages show this one: a file without a heading that belongs to no site is a part of a page. */
function isPart(index: SiteIndex, page: SitePage): boolean {
  return index.isInserted(page) || (!page.site.hasGenerator && page.facts.headings.length === 0)
}

/** Whether a file that a page of Sphinx inserts, or its code, may have the target of a name. */
function insertsTargets({ facts: { rst, includes } }: SitePage): boolean {
  return rst !== null && includes.length > 0
}

/** The kinds of an own syntax that name pages and places count as links. */
function findingKindOf({ kind }: PageLink): Finding['kind'] {
  return kind === 'doc' || kind === 'ref' || kind === 'any' || kind === 'file' ? 'link' : kind
}

function findingOf({ path }: SitePage, { url, line }: PageLink, kind: Finding['kind'], message: string): Finding {
  return { kind, path, line, target: url, message }
}

/** Whether a folder that the build sets (`imagesdir`) has such a file, for AsciiDoc without a site. */
function isElsewhere(index: SiteIndex, { path, site }: SitePage, { url }: PageLink): boolean {
  if (site.hasGenerator || !isAsciidocPath(path)) return false
  const name = url.replace(/#.*$/, '').replace(/^(?:\.\.?\/)+/, '')
  return name !== '' && index.paths.some((one) => one === name || one.endsWith(`/${name}`))
}

/** AsciiDoc also names a heading by its text. */
function isTitle({ facts }: SitePage, name: string): boolean {
  return facts.headings.some(({ text }) => text.replace(/ \{#[\w.:-]+\}$/, '') === name)
}

/** Whether the page has the anchor, or may have it. */
export function hasAnchor(index: SiteIndex, page: SitePage, fragment: string): boolean {
  return anchorProblem(index.anchors(page), page.site, fragment) !== 'missing'
}

/** Undefined: the anchor is known. `anchors`: a program may add it. */
function anchorProblem({ known, isOpen }: Anchors, site: Site, fragment: string): 'anchors' | 'missing' | undefined {
  if (fragment === '' || builtIn.test(fragment) || known.has(fragment)) return undefined
  const { normalise } = site.slugs
  const name = decodePercent(fragment)
  if (known.has(name) || (normalise !== undefined && known.has(normalise(name)))) return undefined
  return isOpen ? 'anchors' : 'missing'
}

function checkIncludes(index: SiteIndex, page: SitePage): PageOutcome {
  const own = page.facts.includes.filter(
    ({ style, url }) => page.site.includes?.style === style && !/^https?:/.test(url),
  )
  const unjudged: Unjudged[] = []
  const findings = own.flatMap(({ url, line }): Finding[] => {
    const paths = includedPaths(page, url)
    if (paths.some((path) => path.startsWith('..') || index.has(path))) return []
    const reason = /^@(?!\/)/.test(url) ? 'alias' : paths.some((path) => index.isUntracked(path)) && 'ignored'
    if (reason) {
      unjudged.push({ reason, line, url })
      return []
    }
    const message = `includes ${url}, which does not exist`
    return [{ kind: 'include', path: page.path, line, target: url, message }]
  })
  return { findings, judged: own.length - unjudged.length, unjudged }
}
