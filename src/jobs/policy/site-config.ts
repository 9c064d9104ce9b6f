// Recognises site configuration files that contain code, which building the site runs, and their language.

import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { foldPath } from './fold-path.ts'

/** `data` runs nothing. `unknown` cannot be parsed here, so every change to it is shown. */
export type ConfigLanguage = 'javascript' | 'typescript' | 'data' | 'unknown'

export type SiteConfig = {
  readonly language: ConfigLanguage
  /** Whether a string can name a module to load (`plugins: ['x']`), and not only pages. */
  readonly namesModules: boolean
}

const navigation = ['sidebars.*', 'sidebar.*', '_meta.*', '_category_.*']

const configuration = [
  'docusaurus.config.*',
  'astro.config.*',
  'next.config.*',
  'nuxt.config.*',
  'vite.config.*',
  'svelte.config.*',
  'gatsby-config.*',
  'gatsby-node.*',
  'gridsome.config.*',
  'rspress.config.*',
  'vocs.config.*',
  'docs.config.*',
  'theme.config.*',
  'source.config.*',
  'content.config.*',
  'contentlayer.config.*',
  'velite.config.*',
  'eleventy.config.*',
  '.eleventy.*',
  'metalsmith.*',
  'tailwind.config.*',
  'postcss.config.*',
  'babel.config.*',
  'mdx-components.*',
  '**/{.vitepress,.vuepress,.storybook,.dumi}/**/*.*',
  '.{dumi,umi}rc.*',
  '**/_plugins/**/*.rb',
  'conf.py',
]

const isNavigation = createGlobMatcher(navigation.flatMap(toGlobs))
const isConfiguration = createGlobMatcher(configuration.flatMap(toGlobs))

const languages: Readonly<Record<string, ConfigLanguage>> = {
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  cts: 'typescript',
  mts: 'typescript',
  json: 'data',
  json5: 'data',
  yml: 'data',
  yaml: 'data',
  toml: 'data',
  md: 'data',
  css: 'data',
  scss: 'data',
  svg: 'data',
  png: 'data',
  jpg: 'data',
  ico: 'data',
  woff2: 'data',
}

/** Returns undefined for a file that is not site configuration. */
export function findSiteConfig(path: string): SiteConfig | undefined {
  const folded = foldPath(path)
  const namesModules = isConfiguration(folded)
  if (!namesModules && !isNavigation(folded)) return undefined
  return { language: languages[folded.slice(folded.lastIndexOf('.') + 1)] ?? 'unknown', namesModules }
}
