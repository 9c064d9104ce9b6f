// Finds the changed files that readers do not see: code, files of tools, templates, redirects to other hosts, and
// configuration that runs or loads something. The reviewer must see each of them.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import { findAddedCode } from '../code/added-code.ts'
import type { ChangedContent } from '../content/change.ts'
import { search } from '../content/known.ts'
import { createSiteFileOf, type SiteFile } from '../site-code.ts'
import type { Finding } from '../verdict.ts'
import { findIncludedPaths } from './judge-includes.ts'
import { findAddedSettings, hostOf } from './settings.ts'

type Change = Pick<ChangedContent, 'base' | 'edits' | 'before' | 'signal'>

type ChangedFile = { readonly path: string; readonly before: string | undefined; readonly after: string }

const decoder = new TextDecoder()

export async function findShownFiles(change: Change): Promise<readonly Finding[]> {
  const { base, edits, before } = change
  const siteFileOf = createSiteFileOf(base.entries().map(({ path }) => path))
  const isSnippet = createIsSnippet(change)
  const found: Finding[] = []
  for (const { path, content } of edits) {
    if (content === null) continue
    const old = before.get(path)
    const changed = { path, before: old && decoder.decode(old), after: decoder.decode(content) }
    const file = siteFileOf(path)
    const isSeen =
      changed.before === changed.after || ('mayBeSnippet' in file && file.mayBeSnippet && (await isSnippet(path)))
    if (!isSeen) found.push(...judgeFile(file, changed))
  }
  return found
}

function judgeFile(file: SiteFile, changed: ChangedFile): readonly Finding[] {
  const { path, before, after } = changed
  const shown = { path, line: null, remedy: null }
  switch (file.kind) {
    case 'read':
      return []
    case 'code':
      return [{ ...shown, kind: 'code', message: file.what }]
    case 'tool':
      return [{ ...shown, kind: 'file', message: file.what }]
    case 'template':
      return findAddedTags(changed)
    case 'redirects':
      return findAddedRedirects(changed)
    case 'script':
      return findAddedCode(file.config, before, after).map(({ line, what }) => {
        return { ...shown, kind: 'code', line, message: `adds ${what}` }
      })
    case 'settings':
    default:
      return findAddedSettings({ ...changed, prefix: file.prefix }).map(({ key, line, what, host }) => {
        return { ...shown, kind: host === undefined ? 'code' : 'redirect', line, message: `sets ${what}`, key }
      })
  }
}

const tag = /\{\{[^]{0,500}?\}\}|\{%[^]{0,500}?%\}|<%[^]{0,500}?%>|\{\{|\{%|<%/g

/** A template without a new tag is only text. */
function findAddedTags({ path, before = '', after }: ChangedFile): readonly Finding[] {
  const known = new Set(Array.from(before.matchAll(tag), ([text]) => text))
  const added = Array.from(after.matchAll(tag)).find(([text]) => !known.has(text))
  if (!added) return []
  const line = lineAt(lineStarts(after), added.index)
  return [{ kind: 'code', path, line, message: 'adds a tag to a template, which runs in the build', remedy: null }]
}

/** `/old https://other.example/:splat 302!` */
function findAddedRedirects({ path, before = '', after }: ChangedFile): readonly Finding[] {
  const known = new Set(before.split('\n').map((line) => line.trim()))
  return after.split('\n').flatMap((line, at) => {
    const host = known.has(line.trim()) ? undefined : hostOf(line.trim().split(/\s+/)[1] ?? '')
    if (host === undefined) return []
    return [
      { kind: 'redirect', path, line: at + 1, message: `sends readers to ${inlineCode(host)}`, remedy: null } as const,
    ]
  })
}

const importing = '.js .cjs .mjs .jsx .ts .mts .tsx .vue .svelte .astro .mdx .py .rb .yml .yaml .toml .json'.split(' ')

/**
 * Whether readers see the file, because a page of the base inserts it or another one of its folder, and no code and no
 * configuration of the base names it.
 */
function createIsSnippet({ base, signal }: Change): (path: string) => Promise<boolean> {
  let included: Promise<ReadonlySet<string>> | undefined
  return async (path) => {
    const folder = posix.dirname(path)
    if (folder === '.') return false
    included ??= findIncludedPaths({ base, signal })
    const known = await included
    if (!known.has(path) && !known.has(`${folder}/`)) return false
    const name = posix.basename(path).replace(/\.[^.]+$/, '')
    const pattern = `${posix.basename(folder)}[./]${name.replaceAll(/[^\w-]/g, '\\$&')}|['"]\\./${name.replaceAll(/[^\w-]/g, '\\$&')}`
    const globs = importing.map((one) => `**/*${one}`)
    const query = { pattern, syntax: 'regex', ignoreCase: false, globs, limit: 20 } as const
    return (await search(base, query, signal)).length === 0
  }
}
