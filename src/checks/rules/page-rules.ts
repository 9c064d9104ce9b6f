// The rules for one page: it parses, and its links, anchors, images, imports and includes lead somewhere.

import type { Finding } from '../finding.ts'
import type { PageLink } from '../facts/page-facts.ts'
import { decodeAddress } from '../../sites/names.ts'
import type { Address } from '../../sites/address.ts'
import { addressesOf } from './page-addresses.ts'
import { importedPath, includedPaths } from './imported.ts'
import { resolve } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** Anchors that browsers and footnotes make. */
const builtIn = /^(?:top$|_top$|:~:|fn|user-content-|cite|L\d)/

export function checkPage(index: SiteIndex, page: SitePage): Finding[] {
  return [...checkSyntax(page), ...checkLinks(index, page), ...checkIncludes(index, page)]
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
function checkLinks(index: SiteIndex, page: SitePage): Finding[] {
  const addresses = addressesOf(page)
  const found: Finding[] = []
  for (const [at, link] of page.facts.links.entries()) {
    const address = addresses[at]
    const isImport = link.kind === 'import'
    const finding = isImport ? checkImport(index, page, link) : address && checkLink(index, page, link, address)
    if (finding) found.push(finding)
  }
  return found
}

function checkImport(index: SiteIndex, page: SitePage, { url, line }: PageLink): Finding | undefined {
  const path = importedPath(index, page, url)
  if (path === undefined || index.has(path) || index.hasFolder(path)) return undefined
  return { kind: 'import', path: page.path, line, target: url, message: `imports ${url}, which does not exist` }
}

function checkLink(index: SiteIndex, page: SitePage, link: PageLink, address: Address): Finding | undefined {
  const found = resolve(index, page, address)
  if (found === 'missing') {
    const what = link.kind === 'image' ? 'shows the image' : 'links to'
    return findingOf(page, link, link.kind, `${what} ${link.url}, which does not exist`)
  }
  if (link.kind === 'image' || typeof found === 'string' || !('fragment' in address)) return undefined
  if (hasAnchor(index, found, address.fragment)) return undefined
  return findingOf(page, link, 'anchor', `links to ${link.url}, but ${found.path} has no such heading`)
}

function findingOf({ path }: SitePage, { url, line }: PageLink, kind: Finding['kind'], message: string): Finding {
  return { kind, path, line, target: url, message }
}

/** Whether the page has the anchor, or may have it. */
export function hasAnchor(index: SiteIndex, page: SitePage, fragment: string): boolean {
  if (fragment === '') return true
  const anchors = index.anchors(page)
  if (!anchors || anchors.has(fragment) || builtIn.test(fragment)) return true
  const { normalise } = page.site.slugs
  const name = decodeAddress(fragment)
  return anchors.has(name) || (normalise !== undefined && anchors.has(normalise(name)))
}

function checkIncludes(index: SiteIndex, page: SitePage): Finding[] {
  return page.facts.includes.flatMap(({ style, url, line }) => {
    if (page.site.includes?.style !== style || /^https?:/.test(url)) return []
    if (includedPaths(page, url).some((path) => path.startsWith('..') || index.has(path))) return []
    const message = `includes ${url}, which does not exist`
    return [{ kind: 'include', path: page.path, line, target: url, message }]
  })
}
