// Instructions about whole pages: move or rename, delete, create.

import { posix } from 'node:path'
import type { CreatePage, DeletePage, MovePage } from '../instruction.ts'
import { type Match, forms, hasExtension, isEnd, list, match, skip } from './forms.ts'
import type { Masked } from './masked.ts'
import type { Token } from './tokens.ts'
import { isUpkeep } from './upkeep.ts'

const adjective = '?doc|docs|documentation|mdx|markdown'
const file = `${adjective} ?noun=page|pages|file|files|document|documents|doc|docs|guide|guides|article|articles|image|images`
const singular = '?noun=page|file|pages|files'
const folder = '?folder=folder|directory'

const moving = forms(
  `verb=move|rename|relocate ${file} from=@place ${singular} to|into|as|under|→|->|=> ?be ?page|file ${folder} to=@place ${folder}`,
)
const deleting = forms(
  `delete|remove|drop ${file} paths=@addresses ${singular}`,
  `get rid of ${file} paths=@addresses ${singular}`,
)
const creating = forms(
  `add|create|write|make|start ?another *new|empty|short ${file} ?at|called|named|under|in ?path ?path=@address`,
)
const titled = forms('?with titled|entitled|called|named|title ?is ?: title=@quote', 'whose title is title=@quote')
const located = forms('at|in|as|under|with ?path path=@address')
const written = forms(
  '*with|containing|saying|that|says|reading|and|having|this|some|following|as ?text|content|contents|body|paragraph ?is ?: content=@block',
)
const opened = forms('with ?this ?following ?text|content', 'text|content')
const put = '?add|put|list|include ?it to|in|into|under|at'
const nav = 'navigation|nav|sidebar|menu'
const ending = `?navigation ?group|section ?of|in ?navigation|nav|sidebar|docs.json`
const grouped = forms(
  `${put} ${nav} ?in|under|at ?navigation ?group|section ?group=@quote ${ending}`,
  `${put} group|section group=@quote ${ending}`,
  `${put} group=@quote navigation|group|section ${ending}`,
)
const joints = new Set([...list, ';', ':'])

export function parseMove(tokens: readonly Token[], masked: Masked): MovePage | undefined {
  const move = match(moving, tokens)
  if (!move || !isUpkeep(tokens, move.end)) return undefined
  const from = textOf(move, 'from', masked)
  const to = textOf(move, 'to', masked)
  const isNamed = move.found['noun'] !== undefined
  const isRename = move.found['verb']?.[0]?.text === 'rename'
  const isFolder = to.endsWith('/') || move.found['folder'] !== undefined
  if ((!isNamed && /\s/.test(from)) || !isPlain(from) || !isPlain(to)) return undefined
  if (isRename && !isNamed && !(looksLikePage(from) && (looksLikePage(to) || hasExtension(from)))) return undefined
  const isBeside = isRename && !isFolder && !to.includes('/') && from.includes('/')
  return { kind: 'move', from, to: isBeside ? posix.join(posix.dirname(from), to) : to, isFolder }
}

export function parseDelete(tokens: readonly Token[], masked: Masked): readonly DeletePage[] | undefined {
  const gone = match(deleting, tokens)
  if (!gone || !isUpkeep(tokens, gone.end)) return undefined
  const next = tokens[skip(tokens, gone.end, new Set(['from']))]
  if (tokens[gone.end]?.text === 'from' && nav.split('|').includes(next?.text ?? '')) return undefined
  const isNamed = gone.found['noun'] !== undefined
  const paths = (gone.found['paths'] ?? []).filter(({ text }) => !list.has(text)).map((token) => masked.raw([token]))
  if (!paths.every((path) => isPlain(path) && (isNamed || looksLikePage(path)))) return undefined
  return paths.map((path) => ({ kind: 'delete', path }))
}

/** `content` is the text after a colon. */
export function parseCreate(tokens: readonly Token[], masked: Masked, content?: string): CreatePage | undefined {
  const start = match(creating, tokens)
  if (!start) return undefined
  const hasPath = start.found['path'] !== undefined
  const details = readDetails(tokens, masked, { at: start.end, hasPath, isOpen: content !== undefined })
  const path = hasPath ? textOf(start, 'path', masked) : (details?.['path'] ?? '')
  if (!details || !isPlain(path) || !(start.found['noun'] || looksLikePage(path))) return undefined
  const text = content === undefined ? (details['content'] ?? '') : contentOf(content, masked)
  return { kind: 'create', path, title: details['title'], content: text.trim(), group: details['group'] }
}

/**
 * Reads the group from a separate sentence such as `and add it to the navigation under "G"`. Returns undefined for any
 * other sentence.
 */
export function parseGroup(
  tokens: readonly Token[],
  masked: Masked,
): { readonly group: string | undefined } | undefined {
  const found = match(grouped, tokens)
  if (!found || !isEnd(tokens, found.end)) return undefined
  return { group: found.found['group'] && textOf(found, 'group', masked) }
}

type Place = { readonly at: number; readonly hasPath: boolean; readonly isOpen: boolean }

/**
 * Returns undefined if the tokens contain anything else. `isOpen`: a colon follows, so the sentence may end with
 * `with this text`.
 */
function readDetails(tokens: readonly Token[], masked: Masked, { at: start, hasPath, isOpen }: Place) {
  const details: Record<string, string> = {}
  const all = hasPath ? [titled, grouped, written] : [titled, located, grouped, written]
  for (let at = skip(tokens, start, joints); !isEnd(tokens, at);) {
    const next = all.map((one) => match(one, tokens, at)).find((one) => one !== undefined)
    const open = isOpen && !next ? match(opened, tokens, at) : undefined
    if (!next && !open) return undefined
    for (const [name, found] of Object.entries(next?.found ?? {})) details[name] ??= masked.raw(found ?? [])
    at = skip(tokens, next?.end ?? open?.end ?? at, joints)
  }
  return details
}

/** Returns the content of a fenced block or a quotation. Other text is returned unchanged. */
function contentOf(text: string, masked: Masked): string {
  return /^\s*[\u{e000}\u{e002}]\d+[\u{e001}\u{e003}]\s*$/u.test(text)
    ? masked.unmask(text.trim())
    : masked.restore(text)
}

function textOf({ found }: Match, name: string, masked: Masked): string {
  return masked.raw(found[name] ?? [])
}

/** Whether the text can be a path. Words with spaces can be one if the message calls them a page. */
function isPlain(path: string): boolean {
  return path !== '' && path.length <= 300 && !/[\n\r*?<>|"\0]/.test(path) && !/^[a-z]+:\/\//i.test(path)
}

/** Whether the text is certainly not a term: it has an extension, or only slashes and lower case. */
function looksLikePage(path: string): boolean {
  return hasExtension(path) || (/^[a-z0-9_@.~/()[\]-]+$/.test(path) && path.includes('/'))
}
