// Finds the files that pages insert, and where they are. A directive counts wherever it is on the page: most generators
// follow it inside a code block, too, which is what snippets are for. Pure.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import { siteFolders } from '../../../sites/by-path/known-files.ts'
import { decodeText } from '../content/html/address.ts'

export type Include = {
  /** `copies`: a link or role, for which the generator publishes the file. */
  readonly use: 'inserts' | 'copies'
  /** The address as the page has it, without the part of the file that it selects. */
  readonly url: string
  /** Counted from 1. */
  readonly line: number
}

/** Each finds the address in its first group. Repetitions are bounded, so that no text takes long. */
const forms: readonly RegExp[] = [
  // mdBook
  /\{\{\s{0,40}#(?:include|rustdoc_include|playground|playpen|template)\s{1,40}([^\s{}]{1,500})/g,
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
  /^[ \t]{0,200}\.\.[ \t]{1,40}(?:include|literalinclude|graphviz|uml|mermaid|raw|csv-table|highlightlang|plantuml)::[ \t]{0,40}(?:\r?\n[ \t]{1,40}|[ \t])(?!:)([^\s]{1,500})[ \t]*$/gm,
  /^[ \t]{0,200}:(?:file|url|path|source|content-url):[ \t]{1,40}([^\s]{1,500})[ \t]*$/gm,
  /^[ \t>]{0,200}(?:`{3,20}|~{3,20}|:{3,20})\{(?:include|literalinclude|graphviz|embed)\}[ \t]{1,40}([^\s]{1,500})/gm,
  // AsciiDoc
  /^include::([^[\]\s]{1,500})\[/gm,
  // Org
  /^[ \t]{0,200}#\+(?:include|setupfile):[ \t]{0,40}"?([^\s"]{1,500})/gim,
  // Loaders of bundlers
  /["'](?:[\w-]{0,80}!){1,9}([^"'!\r\n]{1,500})["']/g,
  /\bfrom\s{1,40}["']([^"'\r\n]{1,500}\?(?:raw|url|inline)[^"'\r\n]{0,100})["']/g,
]
/** Arguments of directives that name a format and not a file. */
const noFile = /^(?:html|latex|xml|text|python|none|svg)$|^<[\w-]+\.txt>$/i

const snippetBlock = /^[ \t]*-{1,20}8<-{1,20}[ \t]*$/

/** Also the files that links and roles copy. */
export function findIncludes(text: string): readonly Include[] {
  return [...findInserted(text), ...findCopied(text)]
}

function findInserted(text: string): readonly Include[] {
  const starts = lineStarts(text)
  const found = forms.flatMap((form) =>
    Array.from(text.matchAll(form), (match) => ({ url: match[1] ?? '', line: lineAt(starts, match.index) })),
  )
  return [...found, ...findSnippetBlocks(text)]
    .map(({ url, line }) => ({ use: 'inserts' as const, url: withoutSelection(url), line }))
    .filter(({ url }) => url !== '' && !noFile.test(url))
}

const role = /(?::download:|\{download\})`(?:[^`<>]{0,500}<([^<>`]{1,500})>|([^`<>]{1,500}))`/g
const link = /\](?:\(|:)\s{0,40}<?([^\s<>()]{1,500})/g
/** Docusaurus copies a file with an extension, except pages, and whatever `@site/` names. */
const copied = /^@site\/|\.(?!mdx?$|html?$|rst$|adoc$)[a-z]\w*$/i
const hiddenPart = /(?:^|\/)\.(?!\.?(?:\/|$))/
/** Files with a dot that repositories show, and their pages link. */
const openPart = new RegExp(
  String.raw`(?:^|/)\.(?:${siteFolders}|github|gitlab|gitea|forgejo|vscode|devcontainer|storybook|well-known|snippets|includes|editorconfig|gitignore|gitattributes|prettier\w*|eslint\w*|markdownlint[\w.-]*|pre-commit[\w.-]*|gitlab-ci\.yml|readthedocs\.ya?ml|nvmrc|env\.(?:example|sample|template|dist))(?=/|$)`,
  'gi',
)

/** Roles, and links to files that no reader should get or that are outside. Other links are only links. */
function findCopied(text: string): Include[] {
  const starts = lineStarts(text)
  const roles = Array.from(text.matchAll(role), (match) => ({ raw: match[1] ?? match[2] ?? '', at: match.index }))
  const links = Array.from(text.matchAll(link), (match) => ({ raw: match[1] ?? '', at: match.index })).filter(
    ({ raw }) => {
      const url = plainUrl(raw)
      return (
        !/^(?:[a-z][\w+.-]*:|#|[\\/])/i.test(url) &&
        (copied.test(url) || hiddenPart.test(url.replaceAll(openPart, '/x')))
      )
    },
  )
  return [...roles, ...links].map(({ raw, at }) => {
    return { use: 'copies', url: plainUrl(raw).replaceAll(openPart, '/x'), line: lineAt(starts, at) }
  })
}

/** Without escapes, percent encoding and what follows the path. */
function plainUrl(raw: string): string {
  const plain = decodeText(raw).replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return plain.replace(/[?#].*$/, '')
}

/** A list of files between two lines `--8<--`. */
function findSnippetBlocks(text: string): Omit<Include, 'use'>[] {
  const found: Omit<Include, 'use'>[] = []
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

const openFolder = new RegExp(String.raw`^\.(?:${siteFolders}|snippets|includes)$`)
const secretName =
  /^(?:\.|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars|tfstate|asc|gpg|ovpn)$|(?:.*[._-])?(?:secret|credential|password)s?(?:\.(?:json|ya?ml|toml|txt|ini|csv|xml|properties))?$|shadow$)/i

function isSecretPath(path: string): boolean {
  return path.split('/').some((part) => !/^\.{1,2}$/.test(part) && !openFolder.test(part) && secretName.test(part))
}
