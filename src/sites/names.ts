// The usual ways from the path of a page to its address, and back. Used by several kinds of site.

import { posix } from 'node:path'

const extension = /\.(?:mdx?|markdown|rst|adoc|asciidoc|asc)$/i

/** Fields of a page's frontmatter that hold addresses of the page itself. */
export const addressFields = /^(?:aliases|url|permalink|redirect_from)$/

/** Dependencies, and what tests and templates contain: no site of the repository itself. */
export const elsewhere = /(?:^|\/)(?:node_modules|vendor|(?:__)?(?:fixtures?|tests?|templates?)(?:__)?)\//i

/** `guides/install` for `guides/install.md`, and `guides` for `guides/index.md`. */
export function indexName(path: string): string {
  return withoutExtension(path).replace(/(?:^|\/)(?:index|readme)$/i, '')
}

export function withoutExtension(path: string): string {
  return path.replace(extension, '')
}

/** The files that a name without an extension may mean: a page, or the first page of a folder. */
export function pagePaths(name: string): string[] {
  if (extension.test(name)) return [name]
  const names = [name, posix.join(name, 'index'), posix.join(name, 'README')]
  return names.flatMap((one) => ['.mdx', '.md'].map((ending) => one + ending))
}

/** The id of an object that a page describes. `named`: as a role names it, such as `confval html_theme`, or `term page`. */
export function objectId(named: string): string {
  const name = named.startsWith('term ') ? named.toLowerCase() : named.replace(/^\S+ /, '')
  return `object:${name}`
}

/** The id by which pages name a label of Sphinx, in lower case. */
export function labelId(name: string): string {
  return `label ${name}`
}

export function folderOf(path: string): string {
  return posix.dirname(path).replace(/^\.$/, '')
}

/** A folder as a person writes it, in the form of this code: `docs` for `./docs/`, and '' for the root of the repository. */
export function toFolder(written: string): string {
  return posix.normalize(`${written}/`).replace(/^\.?\/+|\/+$/g, '')
}

/** An address, and its fragment without `#`. */
export function splitName(url: string): { readonly name: string; readonly fragment: string } {
  const at = url.indexOf('#')
  return at === -1 ? { name: url, fragment: '' } : { name: url.slice(0, at), fragment: url.slice(at + 1) }
}
