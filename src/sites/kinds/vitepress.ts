// VitePress: a folder `.vitepress` with a `config` file or folder, in the folder of the site. Navigation is written as
// code, so its entries are found by their key `link`, anywhere in its files.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { type NavigationEntry, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { vitepressSlugs } from '../slugs.ts'

const script = /\.[cm]?[jt]s$/

export const vitepress: SiteOpener = {
  kind: 'vitepress',
  config: /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/,
  usual: '.vitepress/config.ts',
  open: async (config, files) => {
    const root = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
    const configs = findScripts(root, files)
    const strings = await readStrings(configs, files)
    const srcDir = outermost(strings, 'srcDir') ?? '.'
    const folder = posix.join(root, srcDir).replace(/^\.$/, '').replace(/\/$/, '')
    const rewrites = strings.some(({ keys }) => keys[0] === 'rewrites')
    return {
      ...siteDefaults,
      kind: 'vitepress',
      root,
      config,
      configs,
      mounts: [{ folder, routes: [''] }],
      isIgnored: (path) => /(?:^|\/)(?:\.|node_modules\/)/.test(path),
      nameOf: (path) => path.replace(/\.md$/i, '').replace(/(?:^|\/)index$/, ''),
      assets: [posix.join(folder, 'public')],
      slugs: vitepressSlugs,
      base: (outermost(strings, 'base') ?? '').replace(/\/$/, ''),
      madeAt: createMadeAt(folder, rewrites, files),
      navigation: { entries: strings.flatMap(toEntry), folders: [], computed: [], lists: 'usual' },
      includes: { style: 'vitepress', folders: [folder] },
    }
  },
}

/** The configuration, and the scripts beside it that hold parts of it. */
function findScripts(root: string, files: SiteFiles): string[] {
  const folder = posix.join(root, '.vitepress')
  return files.paths.filter((path) => {
    const name = inside(folder, path)
    return name !== undefined && script.test(name) && !/^(?:theme|cache|dist)\//.test(name)
  })
}

function toEntry({ keys, value, file, line, start, end, siblings }: FoundString): NavigationEntry[] {
  if (keys.at(-1) !== 'link' || !value.startsWith('/') || siblings['target'] !== undefined) return []
  return [{ file, line, start, end, name: value, target: { address: value } }]
}

/** Addresses of dynamic routes (`[name].md`), or all of them when pages are rewritten. */
function createMadeAt(folder: string, rewrites: boolean, files: SiteFiles): Site['madeAt'] {
  const fixed = files.paths.flatMap((path) => {
    const name = inside(folder, path)
    return name !== undefined && /\[\w+\][^/]*\.md$/.test(name) ? [`/${name.slice(0, name.indexOf('['))}`] : []
  })
  return (route) => (rewrites || fixed.some((start) => route.startsWith(start)) ? 'code' : undefined)
}
