// How Docusaurus names its pages: docs, posts of blogs, and pages of their own.

import { posix } from 'node:path'
import { withoutExtension } from '../names.ts'
import type { PageFields } from '../site.ts'

/** Dates and versions, such as `2024-01-02-log` and `7.0-notes`, are no numbers to sort by. */
const numbered = /^(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])/

/** `1-intro.md` is served at `intro`; `slug` and `id` in the frontmatter replace the name, or the whole address. */
export function docName(path: string, fields: PageFields, keepsNumbers = false): string {
  const written = withoutExtension(path).split('/')
  const parts = keepsNumbers ? written : withoutNumbers(path)
  const folders = parts.slice(0, -1)
  const { slug, id } = fields?.strings ?? {}
  if (slug !== undefined) return trim(slug.startsWith('/') ? slug : posix.join('/', ...folders, slug))
  // The name of a file is compared with its folder as both are written.
  const name = written.at(-1) ?? ''
  const isFirst = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === written.at(-2)?.toLowerCase()
  return [...folders, ...(isFirst ? [] : [id ?? parts.at(-1) ?? ''])].join('/')
}

/** A sidebar names a page by its path without numbers, or with the `id` of its frontmatter. */
export function docId(path: string, fields: PageFields): string {
  const parts = withoutNumbers(path)
  return [...parts.slice(0, -1), fields?.strings['id'] ?? parts.at(-1) ?? ''].join('/')
}

/** `2024-05-06-first.md` is served at `2024/05/06/first`. */
export function postName(path: string, fields: PageFields): string {
  const slug = fields?.strings['slug']
  if (slug !== undefined) return trim(slug)
  const name = withoutExtension(path).replace(/\/index$/, '')
  const dated = /^(.*?)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*)$/.exec(name)
  return dated ? trim(posix.join(dated[2]?.replaceAll('-', '/') ?? '', `${dated[1]}${dated[3]}`)) : name
}

export function pageName(path: string, fields: PageFields): string {
  return trim(fields?.strings['slug'] ?? withoutExtension(path).replace(/(?:^|\/)index$/, ''))
}

function withoutNumbers(path: string): string[] {
  return withoutExtension(path)
    .split('/')
    .map((part) => part.replace(numbered, ''))
}

function trim(route: string): string {
  return route.replace(/^\/+|\/+$/g, '')
}
