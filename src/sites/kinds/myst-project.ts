// A project of MyST (`myst.yml`) or of Jupyter Book 1 (`_toc.yml`), which have the syntax of Sphinx and no `conf.py`. Its table
// of contents names files. Not judged: addresses that are no file, roles with labels that are not found, and anchors of Jupyter
// Book 1 and of projects with notebooks or TeX. `#name` may lead to any page.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import type { ConfigString } from '../config-strings.ts'
import { folderOf } from '../names.ts'
import { mystSlugs } from '../slugs.ts'
import { type NavigationEntry, type Site, type SiteFiles, siteDefaults } from '../site.ts'

const builtAddress = /^\/(?!.*\.(?:md|ipynb|rst)(?:#|$))|(?:\.html?|\/)(?:[?#]|$)/i

export function isMystConfig(path: string): boolean {
  return /(?:^|\/)(?:myst|_toc)\.ya?ml$/.test(path)
}

/** `own`: what a site with `conf.py` in the folder would have too. Undefined: the folder has a `conf.py`, or this is another file. */
export async function openMystProject(config: string, files: SiteFiles, own: Partial<Site>): Promise<Site | undefined> {
  const folder = folderOf(config)
  const isToc = posix.basename(config).startsWith('_toc')
  const others = isToc ? ['conf.py', 'myst.yml', 'myst.yaml'] : ['conf.py']
  if (others.some((name) => files.has(posix.join(folder, name)))) return undefined
  const { problem, strings } = await files.config(config)
  const isProject = strings.some(({ keys: [first, second], value }) =>
    isToc
      ? first === 'root' || (first === 'format' && value.startsWith('jb-'))
      : first === 'project' || second !== undefined,
  )
  if (!isProject) return undefined
  const excluded = strings.flatMap(({ keys, value }) => (keys[0] === 'project' && keys[1] === 'exclude' ? [value] : []))
  const isExcluded = createGlobMatcher(excluded)
  const hasOthers = files.paths.some(
    (path) => /\.(?:ipynb|tex|typ|rst)$/i.test(path) && inside(folder, path) !== undefined,
  )
  return {
    ...siteDefaults,
    ...own,
    kind: 'sphinx',
    root: folder,
    config,
    configs: [config],
    problems: problem ? [{ ...problem, file: config }] : [],
    mounts: [{ folder, routes: [''] }],
    isIgnored: (name) => /(?:^|\/)(?:[._]|node_modules\/)/.test(name) || isExcluded(name),
    assets: [folder],
    addsAnchors: isToc || hasOthers ? 'all' : undefined,
    sharesAnchors: true,
    slugs: mystSlugs,
    // Addresses of pages depend on the theme and its options.
    addressOf: (link, page) =>
      link.kind === 'link' && builtAddress.test(link.url)
        ? { kind: 'unread', reason: 'generated' }
        : own.addressOf?.(link, page),
    navigation: {
      ...siteDefaults.navigation,
      entries: strings.flatMap((one) => toEntry(config, folder, one)),
      // A page that the contents leave out is not built.
      lists: strings.some(({ keys }) => ['glob', 'pattern'].includes(keys.at(-1) ?? '')) ? 'some' : 'usual',
    },
  }
}

/** `file` and `root` name a file, with its ending or without. */
function toEntry(file: string, folder: string, { keys, value, line, start, end }: ConfigString): NavigationEntry[] {
  const isOfContents = posix.basename(file).startsWith('_toc') || (keys[0] === 'project' && keys[1] === 'toc')
  const key = keys.at(-1) ?? ''
  if (!isOfContents || (key !== 'file' && key !== 'root') || /^[a-z]+:/i.test(value)) return []
  const path = posix.join(folder, value)
  const paths = ['', '.md', '.ipynb', '.rst', '.txt', '.tex', '.myst.json'].map((ending) => path + ending)
  return [{ file, line, start, end, name: value, target: { paths } }]
}
