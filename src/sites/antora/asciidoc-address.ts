// The links of AsciiDoc in a repository without a site lead to files beside the page, as Asciidoctor and the hosts of
// repositories resolve them.

import { posix } from 'node:path'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { type Address, trimSlash } from '../address.ts'
import { splitName } from '../names.ts'
import type { OwnLink } from '../site.ts'

/** Undefined: an address as browsers have it. */
export function asciidocAddress({ kind, url }: OwnLink, path: string): Address | undefined {
  if (!isAsciidocPath(path)) return undefined
  if (kind === 'ref') return url.includes('{') ? template : { kind: 'self', fragment: url }
  if (kind !== 'doc' && kind !== 'include' && kind !== 'image') return undefined
  if (/\{|\$/.test(url)) return template
  if (/^(?:https?:|data:|\/\/)/i.test(url)) return { kind: 'foreign' }
  // Names of Antora, whose component is not in this repository.
  if (/^[^/]*[:@]/.test(url)) return { kind: 'unread', reason: 'outside' }
  const { name, fragment } = splitName(url)
  if (name.startsWith('/')) return { kind: 'unread', reason: 'context' }
  const target = trimSlash(posix.join(posix.dirname(path), name))
  if (target.startsWith('..')) return { kind: 'unread', reason: 'outside' }
  return { kind: 'named', paths: kind === 'doc' ? withEndings(target) : [target], ids: [], fragment }
}

/** The path of a file from the page, with the ending that the link has. */
export function asciidocName({ url }: OwnLink, page: string, to: string): string | undefined {
  const { name } = splitName(url)
  if (/[{}]/.test(url) || /[\s[\],#<>]/.test(to)) return undefined
  const path = posix.relative(posix.dirname(`/${page}`), `/${to}`)
  const dots = name.startsWith('./') && !path.startsWith('.') ? './' : ''
  const ending = /\.html$/.exec(name)?.[0] ?? (posix.extname(name) === '' ? '' : posix.extname(path))
  const plain = isAsciidocPath(path) ? path.slice(0, -posix.extname(path).length) + ending : path
  return `${dots}${plain}${url.slice(name.length)}`
}

export const template: Address = { kind: 'unread', reason: 'template' }

/** A document may be named without its extension, or with that of the page that is made of it. */
function withEndings(target: string): string[] {
  const plain = target.replace(/\.html$/, '')
  return [target, ...['.adoc', '.asciidoc', '.asc'].map((ending) => plain + ending)]
}
