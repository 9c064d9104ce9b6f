// VitePress: a folder `.vitepress` with a `config` file or folder, in the folder of the site. Navigation is written as
// code, so its entries are found by their key `link`, anywhere in its files. Not judged: anchors by a slug function of the
// configuration, except that of `github-slugger`.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { type NavigationEntry, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { githubViteSlugs, vitepressSlugs } from '../slugs.ts'

const script = /\.[cm]?[jt]s$/

export const vitepress: SiteOpener = {
  kind: 'vitepress',
  config: /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/,
  usual: '.vitepress/config.ts',
  open: async (config, files) => {
    const root = config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1))
    const configs = findScripts(posix.join(root, '.vitepress'), files)
    const strings = await readStrings(configs, files)
    const srcDir = outermost(strings, 'srcDir') ?? '.'
    const folder = posix.join(root, srcDir).replace(/^\.$/, '').replace(/\/$/, '')
    const rewrites = strings.filter(({ keys }) => keys[0] === 'rewrites' && keys.length === 2)
    const rewrite = createRewrite(rewrites.map(({ keys, value }) => [keys[1] ?? '', value]))
    const texts = await Promise.all(configs.map((path) => files.text(path)))
    const isComputed = !rewrite || (rewrites.length === 0 && texts.some((one) => /\brewrites\s*[:(,}]/.test(one ?? '')))
    const excluded = strings.filter(({ keys }) => keys[0] === 'srcExclude')
    const isExcluded = createGlobMatcher(excluded.map(({ value }) => value))
    return {
      ...siteDefaults,
      kind: 'vitepress',
      root,
      config,
      configs,
      mounts: [{ folder, routes: [''] }],
      isIgnored: (path) => /(?:^|\/)(?:\.|node_modules\/)/.test(path) || isExcluded(path),
      nameOf: (path) =>
        isDynamic(path) ? undefined : (rewrite?.(path) ?? path).replace(/\.md$/i, '').replace(/(?:^|\/)index$/, ''),
      assets: [posix.join(folder, 'public')],
      ...slugRule(texts.join('\n')),
      base: (outermost(strings, 'base') ?? '').replace(/\/$/, ''),
      madeAt: createMadeAt(folder, isComputed, files),
      navigation: { entries: strings.flatMap(toEntry), folders: [], computed: [], lists: 'usual', baseKey: 'base' },
      includes: { style: 'arrows', folders: [folder], prefix: '@/' },
    }
  },
}

/** The configuration in a folder, and the scripts beside it that hold parts of it. */
export function findScripts(folder: string, files: SiteFiles): string[] {
  return files.paths.filter((path) => {
    const name = inside(folder, path)
    return name !== undefined && script.test(name) && !/^(?:theme|cache|dist)\//.test(name)
  })
}

/** `slugify` of the configuration takes the place of the usual rule. */
function slugRule(code: string): Pick<Site, 'slugs' | 'addsAnchors'> {
  if (!/\bslugify\b/.test(code)) return { slugs: vitepressSlugs, addsAnchors: undefined }
  const isGithub = /['"]github-slugger['"]/.test(code)
  return { slugs: githubViteSlugs, addsAnchors: isGithub ? undefined : 'all' }
}

function toEntry({ keys, value, file, line, start, end, siblings }: FoundString): NavigationEntry[] {
  if (keys.at(-1) !== 'link' || !value.startsWith('/') || siblings['target'] !== undefined) return []
  return [{ file, line, start, end, name: value, target: { address: value } }]
}

const maxParts = 3

/** Applies the first of the rewrites that fits: `:name` is a part of a path, `:name*` the rest. Undefined: one has another pattern. */
function createRewrite(rewrites: readonly (readonly [from: string, to: string])[]) {
  const rules = rewrites.map(([from, to]) => {
    const names = Array.from(from.matchAll(/:(\w+)/g), ([, name = '']) => name)
    const source = from
      .replace(/[.+?^${}()|[\]\\]/g, (mark, at: number) =>
        /:\w+$/.test(from.slice(0, at)) && mark === '+' ? mark : `\\${mark}`,
      )
      .replace(/\/:\w+\*/g, '(?:/([^]*))?')
      .replace(/:\w+\*/g, '([^]*)')
      .replace(/:\w+\+/g, '([^]+)')
      .replace(/:\w+/g, '([^/]+)')
    const isPlain = !/[(){}^*\\]/.test(from.replace(/:\w+\*/g, '')) && names.length <= maxParts
    return { names, to, pattern: isPlain ? new RegExp(`^${source}$`) : undefined }
  })
  if (rules.some(({ pattern }) => pattern === undefined)) return undefined
  return (path: string): string | undefined => {
    for (const { names, to, pattern } of rules) {
      const found = pattern?.exec(path)
      if (!found) continue
      return to.replace(/(\/?):(\w+)[*+]?/g, (_, slash: string, name: string) => {
        const part = found[names.indexOf(name) + 1] ?? ''
        return part === '' ? '' : slash + part
      })
    }
    return undefined
  }
}

/** `[name].md` and `[name]/a.md`, whose pages a script beside them lists. */
function isDynamic(path: string): boolean {
  return /\[\w+\].*\.md$/.test(path)
}

/** Addresses of dynamic routes (`[name].md`), or all of them when pages are rewritten. */
function createMadeAt(folder: string, isComputed: boolean, files: SiteFiles): Site['madeAt'] {
  const fixed = files.paths.flatMap((path) => {
    const name = inside(folder, path)
    return name !== undefined && isDynamic(name) ? [`/${name.slice(0, name.indexOf('['))}`] : []
  })
  return (route) => (isComputed || fixed.some((start) => route.startsWith(start)) ? 'code' : undefined)
}
