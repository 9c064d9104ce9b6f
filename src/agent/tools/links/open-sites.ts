// Opens the sites of the files as they are now, for tools that follow the names of pages. The engine knows the sites; this
// only reads the workspace for it.

import { createDocsTree, type DocsTree } from '../../../docs-syntax/links.ts'
import { isAsciidocPath, readAsciidoc, toFields } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { readShortcodePage } from '../../../docs-syntax/shortcodes.ts'
import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import { readToml, tomlFields } from '../../../docs-syntax/toml.ts'
import { fieldsIn } from '../../../docs-syntax/yaml.ts'
import { findSites } from '../../../sites/find-sites.ts'
import { openLightFiles } from '../../../sites/light-files.ts'
import type { PageFields, Site } from '../../../sites/site.ts'
import { createPlaceOf, namesOf, type PlaceOf } from '../../../sites/site-map.ts'
import { readTextFile } from '../text-file.ts'
import type { ToolContext } from '../../tool.ts'
import type { Workspace } from '../../workspace.ts'

export type OpenedSites = {
  /** All files. */
  readonly paths: readonly string[]
  readonly sites: readonly Site[]
  readonly placeOf: PlaceOf
  /** Resolves addresses to files. */
  readonly tree: DocsTree
}

/** A page or any other file. `fields`: null for a file without frontmatter. */
export type NamedPage = { readonly path: string; readonly fields: PageFields }

/** `address`: without the base of the site; `/` for the first page. `ids`: as lists of the navigation name the page. */
export type PageNames = { readonly address: string; readonly ids: readonly string[] }

export async function openSites({
  workspace,
  sites: named = [],
}: Pick<ToolContext, 'workspace' | 'sites'>): Promise<OpenedSites> {
  const entries = await workspace.list()
  const files = openLightFiles({
    entries: () => entries.map((entry) => ({ ...entry, oid: '' })),
    // A link, or a file that is kept elsewhere, configures nothing.
    read: (path) => workspace.read(path).catch(() => undefined),
  })
  const sites = await findSites(files, named)
  const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)
  const roots = sites
    .filter(({ hasGenerator }) => hasGenerator)
    .flatMap(({ mounts }) => mounts.filter(({ isPart }) => !isPart))
    .map(({ folder, routes: [route = ''] }) => ({ folder, route }))
  return { paths, sites, placeOf: createPlaceOf(sites), tree: createDocsTree(paths, roots) }
}

/** Undefined: no site serves the file, or it is only a part of pages. */
export function namesIn({ placeOf }: Pick<OpenedSites, 'placeOf'>, { path, fields }: NamedPage): PageNames | undefined {
  const place = isPagePath(path) ? placeOf(path) : undefined
  if (!place || !place.site.hasGenerator || place.site.isIgnored(place.name, place.mount)) return undefined
  const { routes, ids } = namesOf(place, fields)
  if (routes.length === 0) return undefined
  const [route = ''] = routes
  return { address: route === '' ? '/' : route, ids }
}

export async function readNamed(workspace: Workspace, path: string): Promise<NamedPage> {
  const file = isPagePath(path) ? await readTextFile(workspace, path) : { problem: 'missing' }
  if (!('problem' in file) && isAsciidocPath(path)) return { path, fields: toFields(readAsciidoc(file.text)) }
  return { path, fields: 'problem' in file ? null : fieldsOf(parseNamed(path, file.text), file.text) }
}

/** JSON is the frontmatter of Hugo only. */
function parseNamed(path: string, text: string): MarkdownPage {
  return text.startsWith('{') ? readShortcodePage(text) : parsePage(path, text)
}

export function fieldsOf({ frontmatter }: MarkdownPage, text: string): PageFields {
  if (!frontmatter) return null
  const { kind, body, strings } = frontmatter
  return kind === 'toml' ? tomlFields(readToml(text.slice(body.start, body.end))) : fieldsIn(strings)
}
