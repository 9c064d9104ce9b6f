// A folder of Markdown files that no generator was recognised for, and Nextra, whose navigation is code: only links count.

import { posix } from 'node:path'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { asciidocAddress, asciidocName } from '../asciidoc-address.ts'
import { folderOf, indexName } from '../names.ts'
import { hostSlugs } from '../slugs.ts'
import { type OwnLink, type Site, siteDefaults, type SiteOpener } from '../site.ts'
import type { Address } from '../address.ts'

/** Dependencies, and what tests and templates contain, are not documentation. */
const noPages =
  /(?:^|\/)i18n\/[^/]+\/docusaurus-|(?:^|\/)(?:\.|node_modules\/|vendor\/|(?:__)?(?:fixtures?|tests?|templates?|snapshots?)(?:__)?\/)/i

export function createPlainSite(root: string): Site {
  return {
    ...siteDefaults,
    kind: 'plain',
    root,
    config: undefined,
    mounts: [{ folder: root, routes: [''] }],
    isIgnored: (path) => noPages.test(path),
    // Markdown in a repository is shown by its host, which reads MDX as Markdown.
    syntaxOf: (path) => (isAsciidocPath(path) ? 'asciidoc' : /\.rst$/i.test(path) ? 'rst' : 'markdown'),
    reads: () => true,
    addressOf: (link, path) => asciidocAddress(link, path) ?? sphinxNameElsewhere(link),
    nameFor: asciidocName,
    assets: [root],
    slugs: hostSlugs,
    // A rooted address may belong to a site that is not in this repository.
    madeAt: (_route, isRooted) => (isRooted ? 'site' : undefined),
  }
}

/** A name of Sphinx, whose site is not in this repository. */
function sphinxNameElsewhere({ kind }: OwnLink): Address | undefined {
  return /^(?:doc|ref|any|file)$/.test(kind) ? { kind: 'unread', reason: 'site' } : undefined
}

export const nextra: SiteOpener = {
  kind: 'nextra',
  config: /(?:^|\/)next\.config\.[cm]?[jt]s$/,
  usual: 'next.config.mjs',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    if (!isNamed && !/['"]nextra['"]/.test(text)) return undefined
    const root = folderOf(config)
    const folders = ['content', 'src/content', 'pages', 'src/pages', 'app', 'src/app'].map((name) =>
      posix.join(root, name),
    )
    const used = folders.filter((folder) =>
      files.paths.some((path) => path.startsWith(`${folder}/`) && /\.mdx?$/.test(path)),
    )
    return {
      ...siteDefaults,
      kind: 'nextra',
      root,
      config,
      configs: [config],
      mounts: used.map((folder) => ({ folder, routes: [''] })),
      // Only in the folder `app` does a page have the name `page`.
      nameOf: (path) =>
        used.every((folder) => folder.endsWith('app'))
          ? indexName(path)
              .replace(/(?:^|\/)page$/, '')
              .replace(/(?:^|\/)\([^/]*\)/g, '')
          : indexName(path),
      assets: [posix.join(root, 'public')],
      madeAt: createMadeAt(root, files.paths),
    }
  },
}

/** Pages that are components, and everything when a part of the address is dynamic. */
function createMadeAt(root: string, paths: readonly string[]): Site['madeAt'] {
  const scripts = paths.filter(
    (path) => path.startsWith(root) && /(?:^|\/)(?:(?:pages|app)\/.*\.[jt]sx?|app\/(?:.*\/)?page\.mdx?)$/.test(path),
  )
  const isOpen = scripts.some((path) => path.includes('['))
  const routes = new Set(
    scripts.map((path) =>
      path.replace(/^.*?(?:pages|app)(?=\/)/, '').replace(/(?:\/(?:index|page|route))?\.(?:[jt]sx?|mdx?)$/, ''),
    ),
  )
  return (route) => (routes.has(route) ? 'page' : isOpen ? 'code' : undefined)
}
