// The rules for one page: it parses, and its links, anchors, images, imports and includes lead somewhere.

import type { Finding } from '../finding.ts'
import type { PageLink } from '../facts/page-facts.ts'
import { decodeAddress } from '../sites/names.ts'
import { importedPath, includedPaths } from './imported.ts'
import { resolve } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** Anchors that browsers and footnotes make. */
const builtIn = /^(?:$|top$|_top$|:~:|fn|user-content-|cite|L\d)/

export function checkPage(index: SiteIndex, page: SitePage): Finding[] {
  return [
    ...checkSyntax(page),
    ...page.facts.links.flatMap((link) => checkLink(index, page, link)),
    ...checkIncludes(index, page),
  ]
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

function checkLink(index: SiteIndex, page: SitePage, { kind, url, line }: PageLink): Finding[] {
  const place = { path: page.path, line, target: url }
  if (kind === 'import') {
    const path = importedPath(index, page, url)
    if (path === undefined || index.has(path) || index.hasFolder(path)) return []
    return [{ ...place, kind, message: `imports ${url}, which does not exist` }]
  }
  const found = resolve(index, page, url)
  if (found.kind === 'missing') {
    const what = kind === 'image' ? 'shows the image' : 'links to'
    return [{ ...place, kind, message: `${what} ${url}, which does not exist` }]
  }
  if (kind === 'image' || found.kind !== 'page' || hasAnchor(index, found.page, found.fragment)) return []
  const message = `links to ${url}, but ${found.page.path} has no such heading`
  return [{ ...place, kind: 'anchor', message }]
}

function hasAnchor(index: SiteIndex, page: SitePage, fragment: string): boolean {
  if (builtIn.test(fragment)) return true
  const anchors = index.anchors(page)
  if (!anchors) return true
  const { normalise } = page.site.slugs
  const name = decodeAddress(fragment)
  return anchors.has(fragment) || anchors.has(name) || (normalise !== undefined && anchors.has(normalise(name)))
}

function checkIncludes(index: SiteIndex, page: SitePage): Finding[] {
  return page.facts.includes.flatMap(({ style, url, line }) => {
    if (page.site.includes?.style !== style || /^https?:/.test(url)) return []
    if (includedPaths(page, url).some((path) => path.startsWith('..') || index.has(path))) return []
    const message = `includes ${url}, which does not exist`
    return [{ kind: 'include', path: page.path, line, target: url, message }]
  })
}
