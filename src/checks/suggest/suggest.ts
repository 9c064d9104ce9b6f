// Suggests where a link, an image, an import or an entry of the navigation should lead to, if that is clear. Only for
// findings that somebody asks about. Every suggestion was looked up by the rules that found the problem.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { CheckResult } from '../check-tree.ts'
import type { Finding } from '../finding.ts'
import { parseAddress } from '../../sites/address.ts'
import { hasAnchor } from '../rules/page-rules.ts'
import { isPage, resolve } from '../rules/resolve.ts'
import { writtenAnchors } from '../rules/own-anchors.ts'
import type { SitePage } from '../rules/site-page.ts'
import { decodePercent } from '../../lib/plain-text.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import { choose, chooseText, toParts } from './choose.ts'
import { suggestEntry } from './suggest-entry.ts'
import { suggestFile, suggestPart } from './suggest-file.ts'
import { addressesOf } from './write-address.ts'

/** Returns the text to write in the place of the finding's target; undefined if nothing is clearly meant. */
export type Suggester = (finding: Finding) => string | undefined

/** Each is compared with all pages. A check with more problems has others than a wrong name. */
const mostAsked = 500
/** A longer address is hostile. */
const maxTarget = 300

/** Keep it for as long as the result: it makes lists of the pages once. */
export function createSuggester({ index, sites }: CheckResult): Suggester {
  const known = createCandidates(index, sites)
  let asked = 0
  return (finding) => {
    asked += 1
    if (asked > mostAsked || finding.target.length > maxTarget) return undefined
    if (finding.kind === 'navigation') return suggestEntry(known, finding)
    const page = index.page(finding.path)
    return page && suggestOnPage(known, page, finding)
  }
}

/** Adds a suggestion to each finding that has a clear one. `result`: the check that found them. */
export function withSuggestions<One extends Finding>(result: CheckResult, findings: readonly One[]): One[] {
  const suggest = createSuggester(result)
  return findings.map((finding) => {
    const suggestion = suggest(finding)
    return suggestion === undefined ? finding : { ...finding, suggestion }
  })
}

function suggestOnPage(known: Candidates, from: SitePage, { kind, target }: Finding): string | undefined {
  if (kind === 'link') return isFile(target) ? suggestFile(known, from, target) : suggestPage(known, from, target)
  if (kind === 'image') return suggestFile(known, from, target)
  if (kind === 'anchor') return suggestAnchor(known, from, target)
  return kind === 'import' || kind === 'include' ? suggestPart(known, from, { kind, url: target }) : undefined
}

/** Whether the address ends in the extension of a file that is no page; a version such as `v1.2` does not. */
function isFile(target: string): boolean {
  const extension = posix.extname(split(target).written)
  return extension !== '' && !/^\.(?:mdx?|markdown|html?|\d.*)$/i.test(extension)
}

function suggestPage(known: Candidates, from: SitePage, target: string): string | undefined {
  const { written, query, fragment } = split(target)
  const wanted = toParts(nameIn(from, decodePercent(written)))
  const candidates = known.pages(from.site)
  const near = candidates.filter(({ value }) => value.mount === from.mount)
  const page = choose(wanted, near) ?? choose(wanted, candidates)
  const address = page && page !== from ? writeAddress(known, from, written, page) : undefined
  return page && address && address + query + fragmentOf(known, page, fragment)
}

/** The name of a page below the folder of its site, as the address gives it. */
function nameIn({ site, mount, path }: SitePage, written: string): string {
  if (!written.startsWith('/')) {
    const joined = posix.join(posix.dirname(path), written)
    return inside(mount.folder, joined) ?? joined
  }
  const routes = [site.base, ...site.mounts.map(({ routes: [route = ''] }) => route)]
  const longest = routes.toSorted((a, b) => b.length - a.length).find((route) => written.startsWith(`${route}/`))
  return written.slice((longest ?? '').length + 1)
}

function writeAddress({ index }: Candidates, from: SitePage, written: string, page: SitePage): string | undefined {
  return addressesOf(from, written, page).find((address) => resolve(index, from, parseAddress(from, address)) === page)
}

/** The fragment if the page has it, else the most similar one. It may be missing. */
function fragmentOf({ index }: Candidates, page: SitePage, fragment: string | undefined): string {
  if (fragment === undefined) return ''
  const known = hasAnchor(index, page, fragment) ? fragment : chooseText(decodePercent(fragment), anchorsOf(page))
  return known === undefined ? '' : `#${known}`
}

function suggestAnchor(known: Candidates, from: SitePage, target: string): string | undefined {
  const found = resolve(known.index, from, parseAddress(from, target))
  const { written, query, fragment = '' } = split(target)
  if (!isPage(found)) return undefined
  const wanted = decodePercent(fragment)
  const similar = chooseText(wanted, anchorsOf(found))
  if (similar !== undefined) return `${written}${query}#${similar}`
  // A name of one word, such as `usage`, may be on any page.
  const page = /[-_]/.test(wanted) ? known.pageWithAnchor(from.site, wanted) : undefined
  const address = page && writeAddress(known, from, written === '' ? styleOf(known, from) : written, page)
  return address && `${address}#${wanted}`
}

/** An address from which the form of addresses on the page can be seen. */
function styleOf({ index }: Candidates, from: SitePage): string {
  const links = from.facts.links.filter(({ kind }) => kind === 'link').map(({ url }) => split(url).written)
  const found = links.find((written) => written !== '' && isPage(resolve(index, from, parseAddress(from, written))))
  return found ?? `./${posix.basename(from.path)}`
}

function anchorsOf({ facts, site }: SitePage): string[] {
  return [...writtenAnchors(facts, site.slugs)]
}

function split(target: string): {
  readonly written: string
  readonly query: string
  readonly fragment: string | undefined
} {
  const [, written = '', query = '', fragment] = /^([^?#]*)(\?[^#]*)?(?:#([^]*))?$/.exec(target.trim()) ?? []
  return { written, query, fragment }
}
