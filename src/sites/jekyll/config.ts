// Reads the values of `_config.yml` that the addresses of a Jekyll site depend on.

import { posix } from 'node:path'
import { readYaml, readYamlValues } from '../../docs-syntax/yaml.ts'
import type { SiteFiles } from '../site.ts'

export type JekyllDefault = { readonly path: string; readonly type: string; readonly permalink: string }

export type JekyllConfig = {
  readonly source: string
  readonly base: string
  /** The outermost values, such as `repository`, which pages can insert. */
  readonly strings: ReadonlyMap<string, string>
  /** The time zone of its dates. */
  readonly zone: string
  /** A style such as `pretty`, or a template. */
  readonly permalink: string
  readonly collectionsFolder: string
  /** The collections that have pages, with their template. */
  readonly collections: ReadonlyMap<string, string | undefined>
  readonly defaults: readonly JekyllDefault[]
  readonly exclude: readonly string[]
  readonly include: readonly string[]
  /** Pages without frontmatter are pages too, as on GitHub Pages. */
  readonly hasOptionalFields: boolean
  /** The plugin jekyll-redirect-from runs. */
  readonly hasRedirects: boolean
  readonly makesPages: boolean
  readonly hasTheme: boolean
  /** Another program than kramdown makes the ids of headings. */
  readonly isOtherMarkdown: boolean
}

const pageMakers =
  /^jekyll-(?:archives|paginate|polyglot|multiple-languages|datapage|auto|tagging|category|toc-generator|i18n|import|scholar|openapi)/

const redirects = 'jekyll-redirect-from'

export async function readJekyllConfig(config: string, files: SiteFiles): Promise<JekyllConfig> {
  const text = (await files.text(config)) ?? ''
  const values = readYamlValues(text) ?? []
  const one = (...path: readonly string[]) =>
    values.find((value) => value.path.join('\n') === path.join('\n'))?.value ?? ''
  const list = (name: string) => values.filter(({ path }) => path[0] === name).map(({ value }) => value)
  const plugins = [...list('plugins'), ...list('gems')]
  const gems = (await files.text(posix.join(posix.dirname(config), 'Gemfile'))) ?? undefined
  const isHosted = gems === undefined ? plugins.length === 0 : gems.includes('github-pages')
  // Jekyll loads the gems of this group by itself, but GitHub Pages only the plugins of the configuration.
  const isLoaded = !isHosted && /:?jekyll_plugins/.test(gems ?? '')
  const names = new Set(values.flatMap(({ path: [first, name] }) => (first === 'collections' && name ? [name] : [])))
  const served = [...names].filter((name) => name !== 'posts' && one('collections', name, 'output') === 'true')
  const base = one('baseurl').replace(/^\/?|\/$/g, '')
  return {
    source: one('source') || '.',
    base: base === '' ? '' : `/${base}`,
    strings: new Map(
      values.flatMap(({ path: [name, ...rest], value }) => (rest.length === 0 ? [[String(name), value]] : [])),
    ),
    zone: one('timezone') || 'UTC',
    permalink: one('permalink') || 'date',
    collectionsFolder: one('collections_dir').replace(/^\.?\/|\/$/g, ''),
    collections: new Map(
      [...served, 'posts'].map((name) => [name, one('collections', name, 'permalink') || undefined]),
    ),
    defaults: readDefaults(text),
    exclude: list('exclude'),
    include: list('include'),
    hasOptionalFields: isHosted || [...plugins, gems ?? ''].some((name) => name.includes('optional-front-matter')),
    hasRedirects:
      plugins.includes(redirects) || (isLoaded && new RegExp(`^\\s*gem\\s+["']${redirects}["']`, 'm').test(gems ?? '')),
    makesPages: [...plugins, ...list('paginate')].some((name) => pageMakers.test(name) || /^\d+$/.test(name)),
    hasTheme: one('theme') !== '' || one('remote_theme') !== '',
    isOtherMarkdown: (one('markdown') || 'kramdown') !== 'kramdown' || (one('kramdown', 'input') || 'GFM') !== 'GFM',
  }
}

function readDefaults(text: string): JekyllDefault[] {
  const { strings } = readYaml(text)
  const items = Map.groupBy(
    strings.filter(({ path }) => path[0] === 'defaults'),
    ({ path }) => path[1],
  )
  const all = [...items.values()].flatMap((item): JekyllDefault[] => {
    const value = (...path: readonly string[]) =>
      item.find((found) => found.path.slice(2).join() === path.join())?.value
    const permalink = value('values', 'permalink')
    if (permalink === undefined) return []
    const path = (value('scope', 'path') ?? '').replace(/^\.?\/|\/$/g, '')
    return [{ path, type: value('scope', 'type') ?? '', permalink }]
  })
  // The last one that fits counts: the one with the longest path, and with a type.
  return all.toSorted((a, b) => a.path.length - b.path.length || a.type.length - b.type.length)
}
