// MkDocs: `mkdocs.yml`. Pages are the Markdown files below `docs_dir`; `nav` names them by their path there.

import { posix } from 'node:path'
import { readYaml } from '../../docs-syntax/yaml.ts'
import type { ConfigString } from '../facts/config-strings.ts'
import { folderOf } from './names.ts'
import { type NavigationEntry, type Redirect, type SiteOpener, siteDefaults } from './site.ts'
import { pythonSlugs } from './slugs.ts'

/** Plugins that add pages, or take the navigation from elsewhere. */
const pageMakers = /^(?:gen-files|literate-nav|awesome-pages|awesome-nav|mkdoxy|api-autonav|autoapi|multirepo|monorepo)/

export const mkdocs: SiteOpener = {
  kind: 'mkdocs',
  config: /(?:^|\/)mkdocs\.ya?ml$/,
  open: async (config, files) => {
    const text = (await files.text(config)) ?? ''
    const { problem, strings } = await files.config(config)
    const outermost = (name: string) => strings.find(({ keys }) => keys.length === 1 && keys[0] === name)?.value
    const folder = posix.join(folderOf(config), outermost('docs_dir') ?? 'docs')
    const makesPages = strings.some(({ keys, value }) => keys[0] === 'plugins' && pageMakers.test(value))
    const plugins = readYaml(text)
      .paths(3)
      .filter(([first]) => first === 'plugins')
    const isOpen = makesPages || plugins.some((path) => path.some((name) => pageMakers.test(name)))
    return {
      ...siteDefaults,
      kind: 'mkdocs',
      root: folderOf(config),
      config,
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: [{ folder, routes: [''] }],
      assets: [folder],
      slugs: pythonSlugs,
      // The icon is part of the themes.
      isGenerated: (route) => isOpen || route === '/img/favicon.ico',
      navigation: {
        entries: strings.flatMap((one) => toEntry(config, folder, one)),
        folders: [],
        lists: isOpen ? 'some' : 'usual',
      },
      redirects: toRedirects(config, strings, text),
      includes: { style: 'snippets', folders: [folderOf(config), folder, ...snippetFolders(config, strings)] },
    }
  },
}

function toEntry(file: string, folder: string, { keys, value, line }: ConfigString): NavigationEntry[] {
  if (keys[0] !== 'nav' || /^[a-z][\w+.-]*:|^\/|\*|\/$/i.test(value) || !/\.\w+$/.test(value)) return []
  return [{ file, line, name: value, target: { paths: [posix.join(folder, value)] } }]
}

/** The plugin `redirects` maps the path of a page that no longer exists to another page. */
function toRedirects(file: string, strings: readonly ConfigString[], text: string): Redirect[] {
  if (!text.includes('redirect_maps')) return []
  return strings.flatMap(({ keys, line }) => {
    const at = keys.indexOf('redirect_maps')
    const source = at === -1 ? undefined : keys[at + 1]
    return source === undefined ? [] : [{ file, line, source: `/${source.replace(/(?:(?:^|\/)index)?\.md$/, '')}` }]
  })
}

function snippetFolders(config: string, strings: readonly ConfigString[]): string[] {
  return strings
    .filter(({ keys }) => keys.includes('base_path'))
    .map(({ value }) => posix.join(folderOf(config), value.replace('!relative', '').trim()))
}
