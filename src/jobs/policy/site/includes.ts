// Finds the files that pages insert, and where they are. A directive counts wherever it is on the page: most generators
// follow it inside a code block, too, which is what snippets are for. Pure.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'

export type Include = {
  /** The address as the page has it, without the part of the file that it selects. */
  readonly url: string
  /** Counted from 1. */
  readonly line: number
}

/** Each finds the address in its first group. Repetitions are bounded, so that no text takes long. */
const forms: readonly RegExp[] = [
  // mdBook
  /\{\{#(?:include|rustdoc_include|playground|template)\s{1,40}([^\s{}]{1,500})/g,
  // Snippets of MkDocs
  /^[ \t]{0,200}-{1,20}8<-{1,20}[ \t]{1,40}["']([^"'\r\n]{1,500})["']/gm,
  // VitePress
  /^[ \t]{0,200}<<<[ \t]{0,40}([^\s{[\r\n]{1,500})/gm,
  /<!--[ \t]{0,40}@include:[ \t]{0,40}([^\s<>{]{1,500})/g,
  // Liquid, Jinja, Markdown-include, shortcodes of Hugo and Quarto
  /\{%-?\s{0,40}(?:include|include_relative|include-markdown|import|extends|embed|render)\s{1,40}["']([^"'\r\n]{1,500})["']/g,
  /\{%-?\s{0,40}include_relative\s{1,40}([^\s"'%]{1,500})/g,
  /\{!\s{0,40}([^\s{}!]{1,500})\s{0,40}!\}/g,
  /\{\{[<%]\s{0,40}(?:include|readfile|embed|rawfile|literalinclude|code-include)\s{1,40}(?:file\s{0,9}=\s{0,9})?["']?([^\s"'>%]{1,500})/g,
  // reStructuredText and MyST
  /^[ \t]{0,200}\.\.[ \t]{1,40}(?:include|literalinclude|graphviz|uml|mermaid|raw|csv-table|highlightlang|plantuml)::[ \t]{1,40}([^\s]{1,500})[ \t]*$/gm,
  /^[ \t]{0,200}:(?:file|url|path|source|content-url):[ \t]{1,40}([^\s]{1,500})[ \t]*$/gm,
  /^[ \t>]{0,200}(?:`{3,20}|~{3,20}|:{3,20})\{(?:include|literalinclude|graphviz|embed)\}[ \t]{1,40}([^\s]{1,500})/gm,
  // AsciiDoc
  /^include::([^[\]\s]{1,500})\[/gm,
  // Loaders of bundlers
  /["'](?:[\w-]{0,80}!){1,9}([^"'!\r\n]{1,500})["']/g,
  /\bfrom\s{1,40}["']([^"'\r\n]{1,500}\?(?:raw|url|inline)[^"'\r\n]{0,100})["']/g,
]
/** Arguments of directives that name a format and not a file. */
const noFile = /^(?:html|latex|xml|text|python|none|svg)$/i

const snippetBlock = /^[ \t]*-{1,20}8<-{1,20}[ \t]*$/

export function findIncludes(text: string): readonly Include[] {
  const starts = lineStarts(text)
  const found = forms.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => ({ url: match[1] ?? '', line: lineAt(starts, match.index) })),
  )
  return [...found, ...findSnippetBlocks(text)]
    .map(({ url, line }) => ({ url: withoutSelection(url), line }))
    .filter(({ url }) => url !== '' && !noFile.test(url))
}

/** A list of files between two lines `--8<--`. */
function findSnippetBlocks(text: string): Include[] {
  const found: Include[] = []
  if (!text.includes('8<')) return found
  let isInside = false
  for (const [at, line] of text.split('\n').entries()) {
    if (snippetBlock.test(line)) isInside = !isInside
    else if (isInside && line.trim() !== '') found.push({ url: line.trim().slice(0, 500), line: at + 1 })
  }
  return isInside ? [] : found
}

/** Without lines (`:3:7`), sections (`#region`, `:name`) and queries. */
function withoutSelection(url: string): string {
  if (/^(?:https?:)?\/\//i.test(url)) return url
  return url.replace(/[?#{].*$/, '').replace(/(?<=.)(?::[\w-]*)+$/, '')
}

/** Where an include leads. `host`: to another site. `paths`: the places that it may name, all in the repository. */
export type Target =
  | { readonly kind: 'host' | 'outside' | 'secret' }
  | { readonly kind: 'paths'; readonly paths: readonly string[] }

export function resolveInclude(from: string, url: string): Target {
  if (/^(?:[a-z][a-z0-9+.-]+:)?[/\\]{2}/i.test(url)) return { kind: 'host' }
  const name = url.replaceAll('\\', '/')
  if (isSecretPath(name)) return { kind: 'secret' }
  const plain = /^(?:@site\/|@\/|~\/|\/)(.*)$/.exec(name)?.[1]
  const folders = foldersOf(from)
  const paths =
    plain === undefined
      ? [...folders, ''].map((one) => posix.join(one, name))
      : ['', ...folders].map((one) => posix.join(one, plain))
  const inside = paths.filter((path) => !isOutside(path))
  // The folder of the page is the first place, and the root the last one, of a relative address.
  if (inside.length === 0 || isOutside(paths[0] ?? '')) return { kind: 'outside' }
  return { kind: 'paths', paths: [...new Set(inside)] }
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith('../') || path.startsWith('/') || /^[a-z]:/i.test(path)
}

/** The folder of a path, and those above it. */
function foldersOf(path: string): string[] {
  const found: string[] = []
  for (let folder = posix.dirname(path); folder !== '.' && folder !== '/'; folder = posix.dirname(folder))
    found.push(folder)
  return found
}

const secretName =
  /^(?:\.|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars|tfstate|asc|gpg|ovpn)$|(?:.*[._-])?(?:secret|credential|password)s?(?:\.(?:json|ya?ml|toml|txt|ini|csv|xml|properties))?$|shadow$)/i

function isSecretPath(path: string): boolean {
  return path
    .split('/')
    .some(
      (part) =>
        !/^\.{1,2}$/.test(part) && !/^\.(?:vitepress|vuepress|snippets|includes)$/.test(part) && secretName.test(part),
    )
}
