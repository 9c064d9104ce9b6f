// Instructions about whole pages: move or rename, delete, create.

import { posix } from 'node:path'
import type { Clause } from './clauses.ts'
import type { CreatePage, DeletePage, MovePage } from '../instruction.ts'
import { type Masked, fence, quotation } from './masked.ts'

const file = '(?:(?:docs?|documentation|mdx|markdown)\\s+)?(?:pages?|files?|documents?|docs?|guides?|articles?|images?)'
const place = `(?:${quotation}|[\\w@~./()[\\]+-]*[\\w@)\\]/])`
const address = `(?:${quotation}|[\\w@~()[\\]+-]*\\/[\\w@~./()[\\]+-]*[\\w@)\\]/]|[\\w@~()[\\]+-]+\\.(?:mdx?|markdown|svg|png|jpe?g|gif|webp|json|ya?ml))`

const moving = new RegExp(
  `^(?<verb>move|rename|relocate)\\s+(?:the\\s+)?(?<noun>${file}\\s+)?(?<from>${place})(?<noun2>\\s+(?:page|file))?\\s*(?:\\b(?:to|into|as|under)\\b|→|->|=>)\\s*(?:be\\s+)?(?:the\\s+)?(?<folder>folder\\s+|directory\\s+|page\\s+|file\\s+)?(?<to>${place})(?<folder2>\\s+(?:folder|directory))?(?<rest>.*)$`,
  'iu',
)
const deleting = new RegExp(
  `^(?:delete|remove|drop|get\\s+rid\\s+of)\\s+(?:the\\s+)?(?<noun>${file}\\s+)?(?<paths>${place}(?:\\s*(?:,|and|,\\s*and)\\s*${address})*)(?<noun2>\\s+(?:page|file)s?)?(?<rest>.*)$`,
  'iu',
)
const creating = new RegExp(
  `^(?:add|create|write|make|start)\\s+(?:(?:a|an|the|another)\\s+)?(?:(?:new|empty|short)\\s+)*(?<noun>${file}(?![\\w/.-]))?\\s*(?:(?:at|called|named|under|in)\\s+)?(?:the\\s+path\\s+)?(?<path>${address})?(?<rest>.*)$`,
  'iu',
)

/** What may follow and is done anyway: links and navigation are always kept right. */
const afterwards =
  /^(?:[\s,]|and\b|also\b|everywhere\b|please\b|(?:with|along with|together with|including|incl\.?)\s|(?:update|fix|adjust|remove|delete|unlink|drop|change|clean up|keep)\s|(?:all|any|every|the|its|their|other|internal|inbound|existing)\s|(?:links?|references?|mentions?|navigation|nav|sidebar|menu|entry|entries|anchors?|redirects? not)\b|(?:to|of|for|in|from)\s+(?:it|them|this page|the page|that page|(?:the\s+)?(?:navigation|nav|sidebar|docs\.json|docs|documentation|site))\b|(?:that|which)\s+(?:point|lead|link)s?\s+(?:to|at)\s+it|accordingly|working|right|intact|too|as well)*$/i

export function parseMove({ text }: Clause, masked: Masked): MovePage | undefined {
  const found = moving.exec(text)?.groups
  if (!found || !afterwards.test(found['rest'] ?? '')) return undefined
  const from = masked.unmask(found['from'] ?? '')
  const to = masked.unmask(found['to'] ?? '')
  const isNamed = (found['noun'] ?? found['noun2']) !== undefined
  const isMove = found['verb']?.toLowerCase() !== 'rename'
  const isFolder = to.endsWith('/') || /folder|directory/i.test(`${found['folder'] ?? ''}${found['folder2'] ?? ''}`)
  if (/\s/.test(isNamed ? '' : from) || !isPlain(from) || !isPlain(to)) return undefined
  if (!isMove && !isNamed && !(looksLikePage(from) && (looksLikePage(to) || hasExtension(from)))) return undefined
  const isBeside = !isMove && !isFolder && !to.includes('/') && from.includes('/')
  return { kind: 'move', from, to: isBeside ? posix.join(posix.dirname(from), to) : to, isFolder }
}

export function parseDelete({ text }: Clause, masked: Masked): DeletePage[] | undefined {
  const found = deleting.exec(text)?.groups
  const rest = found?.['rest'] ?? ''
  if (!found || !afterwards.test(rest) || /^\s*from\s+(?:the\s+)?(?:nav|sidebar|menu)/i.test(rest)) return undefined
  const isNamed = (found['noun'] ?? found['noun2']) !== undefined
  const names = (found['paths'] ?? '').split(/\s*,\s*(?:and\s+)?|\s+and\s+/).map((name) => masked.unmask(name))
  if (!names.every((name) => isPlain(name) && (isNamed || looksLikePage(name)))) return undefined
  return names.map((path) => ({ kind: 'delete', path }))
}

const titled = new RegExp(
  `^(?:with\\s+)?(?:the\\s+|a\\s+)?(?:titled|entitled|title(?:\\s+is)?|called|named|whose\\s+title\\s+is)\\s*:?\\s*(${quotation})`,
  'iu',
)
const located = new RegExp(`^(?:at|in|as|under|with\\s+(?:the\\s+)?path)\\s+(?:the\\s+path\\s+)?(${address})`, 'iu')
const written = new RegExp(
  `^(?:(?:with|containing|saying|that\\s+says|reading|and|having)\\s+)*(?:(?:the|this|some|following|as)\\s+)*(?:(?:text|content|contents|body|paragraph)\\s*)?(?:is\\s*)?:?\\s*(${quotation}|${fence})`,
  'iu',
)
const grouped = new RegExp(
  `^(?:(?:add|put|list|include)\\s+it\\s+)?(?:to|in|into|under|at)\\s+(?:the\\s+)?(?:(?:navigation|nav|sidebar|menu)\\s*)?(?:(?:in|under|at)\\s+)?(?:the\\s+)?(?:(?:navigation\\s+)?(?:group|section)\\s+)?(?:(${quotation})(?:\\s+(?:navigation\\s+)?(?:group|section))?)?(?:\\s+(?:of|in)\\s+(?:the\\s+)?(?:navigation|nav|sidebar|docs\\.json))?`,
  'iu',
)

type Draft = { path: string; title: string | undefined; content: string | undefined; group: string | undefined }

export function parseCreate(clause: Clause, masked: Masked): CreatePage | undefined {
  const found = creating.exec(clause.text)?.groups
  if (!found) return undefined
  const content = clause.content === undefined ? undefined : contentOf(clause.content, masked)
  const draft: Draft = { path: masked.unmask(found['path'] ?? ''), title: undefined, content, group: undefined }
  if (!readDetails(found['rest'] ?? '', masked, draft)) return undefined
  const isNamed = found['noun'] !== undefined
  if (draft.path === '' || !isPlain(draft.path) || !(isNamed || looksLikePage(draft.path))) return undefined
  return {
    kind: 'create',
    path: draft.path,
    title: draft.title,
    content: (draft.content ?? '').trim(),
    group: draft.group,
  }
}

/** `and add it to the navigation under "G"`, as a sentence of its own. Undefined when it is something else. */
export function parseGroup(text: string, masked: Masked): { readonly group: string | undefined } | undefined {
  if (!/^(?:add|put|list|include)\s+it\b/i.test(text)) return undefined
  const found = grouped.exec(text)
  return found && found[0].length === text.length
    ? { group: found[1] === undefined ? undefined : masked.unmask(found[1]) }
    : undefined
}

function readDetails(text: string, masked: Masked, draft: Draft): boolean {
  let rest = trimJoint(text)
  while (rest !== '') {
    const length = readDetail(rest, masked, draft)
    if (length === 0)
      return (
        /^(?:with(?:\s+(?:the|this))?(?:\s+(?:text|content|following))*|text|content)$/i.test(rest) &&
        draft.content !== undefined
      )
    rest = trimJoint(rest.slice(length))
  }
  return true
}

function readDetail(rest: string, masked: Masked, draft: Draft): number {
  const title = titled.exec(rest)
  if (title && draft.title === undefined) draft.title = masked.unmask(title[1] ?? '')
  if (title) return title[0].length
  const path = draft.path === '' ? located.exec(rest) : null
  if (path) draft.path = masked.unmask(path[1] ?? '')
  if (path) return path[0].length
  const group = /\b(?:nav|navigation|sidebar|menu|group|section)\b/i.test(rest.slice(0, 60)) ? grouped.exec(rest) : null
  if (group) {
    draft.group = group[1] === undefined ? draft.group : masked.unmask(group[1])
    return group[0].length
  }
  const content = draft.content === undefined ? written.exec(rest) : null
  if (content) draft.content = masked.unmask(content[1] ?? '')
  return content?.[0].length ?? 0
}

/** What stands below the colon: a fenced block is its content, any other text is itself. */
function contentOf(text: string, masked: Masked): string {
  const isToken = new RegExp(`^\\s*(?:${fence}|${quotation})\\s*$`, 'u').test(text)
  return isToken ? masked.unmask(text.trim()) : masked.restore(text)
}

function trimJoint(text: string): string {
  return text
    .replace(/^(?:[\s,;.]|and\b(?!\s+(?:add|put|list|include)\b)|and\s+(?=(?:add|put|list|include)\b))+/i, '')
    .trim()
}

/** Can it be a path? Words with spaces can, when somebody says that they are one. */
function isPlain(path: string): boolean {
  return path !== '' && path.length <= 300 && !/[\n\r*?<>|"\0]/.test(path) && !/^[a-z]+:\/\//i.test(path)
}

function hasExtension(path: string): boolean {
  return /\.(?:mdx?|markdown|svg|png|jpe?g|gif|webp|avif|ico|pdf|mp4|json|ya?ml)$/i.test(path)
}

/** Nobody would take it for a term: it has an extension, or slashes and lower case only. */
function looksLikePage(path: string): boolean {
  return hasExtension(path) || (/^[a-z0-9_@.~/()[\]-]+$/.test(path) && path.includes('/'))
}
