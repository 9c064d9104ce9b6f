// Lists what may still name a page after a move or a deletion: every mention of its old address in configuration, found as
// text, whether or not anything understands the file.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { isAsciidocPath } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { toGlobs } from '../../../docs-syntax/glob.ts'
import { configuring, isKeyOf, scriptGlobs, toolFolder } from '../../../sites/by-path/known-files.ts'
import { showPath } from '../result.ts'
import { readTextFile } from '../text-file.ts'
import type { ToolContext } from '../../tool.ts'
import { namesIn, type NamedPage, type OpenedSites } from './open-sites.ts'

/** `path:line`. */
export type Mention = { readonly path: string; readonly line: number }

const files = [
  '*.{json,jsonc,yml,yaml,toml}',
  '_redirects',
  '*.{adoc,asciidoc,asc}',
  '*.{md,markdown,html}',
  '*.astro',
  '*.{js,ts,mjs,mts,cjs,cts}',
  ...scriptGlobs,
]
const noConfig = /(?:^|\/)(?:package(?:-lock)?|composer|tsconfig[^/]*)\.json$|-lock\.ya?ml$/
const script = /\.[cm]?[jt]s$/
const configName = /config|sidebar|nav|menu|toc|redirect|route/i
const word = /[^\s"'`()<>[\]{},|=;]+/g
const maxLines = 20_000
const maxShown = 30
/** Pages whose links are followed; only what a template writes may be a name that nothing understands. */
const templated = /\.(?:md|markdown|html)$/i
/** Characters of a word, and of the text around it. */
const maxWord = 300

type Known = {
  readonly opened: OpenedSites
  /** Files and `path:line` that the result lists already. */
  readonly skip: ReadonlySet<string>
  /** The new path of a page that was moved: names that it keeps are right. */
  readonly to?: string
}

/** `page`: a page or any other file, as it was before. */
export async function findMentions(
  page: NamedPage,
  known: Known,
  { workspace, signal }: ToolContext,
): Promise<Mention[]> {
  const kept = known.to === undefined ? new Set() : mentionNames({ ...page, path: known.to }, known.opened)
  const names = new Set([...mentionNames(page, known.opened)].filter((name) => !kept.has(name)))
  const found: Mention[] = []
  // The configuration itself may be a program, with redirects in it.
  const configs = known.opened.sites.flatMap(({ config }) => config ?? [])
  const endings = new Set([...names].map((name) => posix.basename(name)))
  for (const path of await filesWith(endings, [...files, ...configs], { workspace, signal })) {
    const file =
      path === page.path || known.skip.has(path) ? { problem: 'missing' } : await readTextFile(workspace, path)
    if ('problem' in file) continue
    const lines = file.text.split(/\r\n|\r|\n/)
    for (const [index, line] of lines.entries()) {
      if (templated.test(path) && !/\{[{%]/.test(line)) continue
      const isNamed =
        (mentions(line, names, path) || isNamedInAsciidoc(line, page.path, path) || isKeyOf(page.path, path, line)) &&
        !known.skip.has(`${path}:${index + 1}`)
      if (isNamed) found.push({ path, line: index + 1 })
    }
  }
  return found
}

/** `[may still name it: a.ts:3, b.json:7]`; nothing without a mention. */
export function describeMentions(mentionsFound: readonly Mention[]): string[] {
  if (mentionsFound.length === 0) return []
  const shown = mentionsFound.slice(0, maxShown).map(({ path, line }) => `${showPath(path)}:${line}`)
  const more = mentionsFound.length > maxShown ? `, and ${mentionsFound.length - maxShown} more places` : ''
  return [`[may still name it: ${shown.join(', ')}${more}]`]
}

/** Every way to write the page, without slashes at its ends and without an extension. */
function mentionNames(page: NamedPage, opened: OpenedSites): ReadonlySet<string> {
  const { path } = page
  const { site, name } = opened.placeOf(path) ?? {}
  if (!isPagePath(path)) return new Set([path, ...(site ? [inside(site.root, path) ?? path] : [])])
  const names = namesIn(opened, page)
  // Nobody knows at which address a site without a generator serves the page.
  const ends = site?.hasGenerator === false ? path.split('/').map((_part, at, parts) => parts.slice(at).join('/')) : []
  const served = [names?.address, names && `${site?.base}${names.address}`, ...(names?.ids ?? [])]
  const written = [path, name, ...served, ...ends.slice(0, -1)]
  return new Set(written.flatMap((name) => (name === undefined || plainName(name) === '' ? [] : [plainName(name)])))
}

function plainName(written: string): string {
  const [path = ''] = written.replace(/^https?:\/\/[^/]+/i, '').split(/[?#]/)
  const name = path.replace(/^\.?\/+|[/:]+$/g, '').replace(/\.(?:mdx?|markdown|html)$/i, '')
  return name.includes('/') ? name.replace(/\/(?:_?index|readme)$/i, '') : name
}

async function filesWith(
  endings: ReadonlySet<string>,
  searched: readonly string[],
  { workspace, signal }: ToolContext,
): Promise<string[]> {
  const paths = new Set<string>()
  const globs = searched.flatMap(toGlobs)
  for (const pattern of endings) {
    const query = { pattern, syntax: 'literal', ignoreCase: false, globs, limit: maxLines } as const
    const { matches } = await workspace.search(query, signal)
    for (const { path } of matches) {
      const isWanted = !toolFolder.test(path) && !noConfig.test(path) && (!script.test(path) || isConfiguring(path))
      if (isWanted) paths.add(path)
    }
  }
  return [...paths].toSorted()
}

function mentions(line: string, names: ReadonlySet<string>, path: string): boolean {
  for (const found of line.matchAll(word)) {
    if (found[0].length > maxWord || !names.has(plainName(found[0]))) continue
    const before = line.slice(Math.max(0, found.index - maxWord), found.index)
    const end = found.index + found[0].length
    const after = line.slice(end, end + maxWord)
    if (isSource(path, { before, word: found[0], after })) continue
    if (/\b(?:label|text|title)["']?\s*:\s*["'`]?$/.test(before)) continue
    if (/\//.test(found[0]) || /\.(?:mdx?|markdown|rst)$/.test(found[0])) return true
    // A single word names a page only where pages are listed, and there only as a whole value.
    const isWhole = /(?:^|[[{:,\-\s])\s*["'`]?$/.test(before) && /^["'`]?\s*(?:[,\]}#]|$)/.test(after)
    if (isWhole && isConfiguring(path) && !isText(before)) return true
  }
  return false
}

/** A name of Antora (`ops:partial$run.adoc`) or a path, which ends in the name of the file. */
function isNamedInAsciidoc(line: string, page: string, path: string): boolean {
  if (!isAsciidocPath(path)) return false
  const name = posix.basename(page)
  return Array.from(line.matchAll(word)).some(([found]) => {
    const written = found.slice(0, maxWord).replace(/#.*$/, '')
    return (
      written === name || written.endsWith(`/${name}`) || written.endsWith(`:${name}`) || written.endsWith(`$${name}`)
    )
  })
}

function isConfiguring(path: string): boolean {
  return configName.test(path) || configuring.test(path)
}

/** `label: 'install'` is a text. */
function isText(before: string): boolean {
  return /\b(?:label|text|title|name|description|group|icon|tag|type|theme)["']?\s*:\s*["'`]?$/.test(before)
}

/** The address that a redirect leads away from. */
function isSource(
  path: string,
  { before, word: found, after }: { before: string; word: string; after: string },
): boolean {
  if (posix.basename(path) === '_redirects') return before.trim() === ''
  if (/(?:^|[^\w])(?:source|from)["']?\s*[:=]\s*["']?$/.test(before)) return true
  const isKey = found.endsWith(':') || /^["'`]?\s*:/.test(after)
  return isKey && (/\.md:?$/.test(found) || /^["'`]?\s*:\s*["'`]/.test(after))
}
