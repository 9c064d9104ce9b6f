// The scripts that say which folders Fumadocs serves, and where: `source.config` and the loader, which has no fixed place
// (`lib/source.ts`). Nothing is evaluated: literals, and constants that hold one, are known.

import { inside } from '../../docs-syntax/links.ts'
import { type Call, callsOf, keysOf, literalOf } from '../../docs-syntax/script/calls.ts'
import { folderOf } from '../names.ts'
import type { SiteFiles } from '../site.ts'

export type FumadocsSource = {
  /** `baseUrl`: undefined if no loader is known to serve the folder. */
  readonly collections: readonly { readonly dir: string; readonly baseUrl: string | undefined }[]
  /** Empty for a site in one language. */
  readonly languages: readonly string[]
  readonly main: string | undefined
  /** Code makes the list of languages, and `languages` are those that files seem to have. */
  readonly hasOwnLanguages: boolean
  /** Addresses in the main language do not name it. */
  readonly hidesMain: boolean
  readonly isByFolder: boolean
  readonly hasOwnSchema: boolean
  /** The field of the frontmatter that has the address. */
  readonly slugField: string | undefined
  /** Code makes the addresses. */
  readonly hasOwnNames: boolean
}

const maxScripts = 40
const usual = 'content/docs'
// `geistdocs`: the settings of Vercel's template.
const near =
  /^(?:src\/|app\/)?(?:(?:lib|utils|app|config)\/(?:[\w-]+\/)?)?(?:[\w-]*(?:source|i18n|shared|constants?|config|layout\.shared|geistdocs)[\w-]*|source\/index)\.[jt]sx?$/

export async function readFumadocsSource(config: string, files: SiteFiles): Promise<FumadocsSource> {
  const root = folderOf(config)
  const paths = files.paths
    .filter((path) => path !== config && near.test(inside(root, path) ?? ''))
    .slice(0, maxScripts)
  const texts = await Promise.all([config, ...paths].map(async (path) => (await files.text(path)) ?? ''))
  const all = texts.join('\n').replace(/^\s*\/\/.*$/gm, '')
  const loaders = callsOf(all, 'loader')
  const definitions = [
    ...callsOf(all, 'defineDocs'),
    ...callsOf(all, 'defineCollections').filter(({ text }) => !/type:\s*['"]meta['"]/.test(text)),
  ]
  const known = definitions.length === 0 ? [{ name: 'docs', text: '' }] : definitions
  const i18n =
    callsOf(all, 'defineI18n')[0]?.text ?? /\bi18n\w*(?::\s*\w+)?\s*=\s*(\{[^]{0,1000}?\n\})/.exec(all)?.[1] ?? ''
  const main = literalOf(i18n, 'defaultLanguage', all)
  const isByFolder = /\bparser:\s*['"]dir['"]/.test(i18n)
  const languages = main === undefined ? [] : languagesOf(i18n, all)
  const slugs = loaders.map(({ text }) => text).join('\n')
  const slugField = /\bslugs:\s*slugsFromData\(\s*(?:['"](\w+)['"])?\s*\)/.exec(slugs)
  return {
    collections: known.map(({ name, text }) => ({
      dir: literalOf(text, 'dir', all) ?? usual,
      baseUrl: baseOf(name, { loaders, all, isOnly: known.length === 1 }),
    })),
    languages: main === undefined ? [] : [...new Set([main, ...(languages ?? languagesIn(files.paths, isByFolder))])],
    hasOwnLanguages: languages === undefined,
    main,
    hidesMain: /\bhideLocale:\s*['"](?:default-locale|always)['"]/.test(i18n),
    isByFolder,
    hasOwnSchema: definitions.some(({ text }) => /\bschema\b/.test(text)),
    slugField: slugField ? (slugField[1] ?? 'slug') : undefined,
    hasOwnNames: slugField === null && /\b(?:slugs|url)\s*[:(]/.test(slugs),
  }
}

/** Undefined: code makes the list. */
function languagesOf(i18n: string, all: string): string[] | undefined {
  const list = /\blanguages:\s*\[([^\]]*)\]/.exec(i18n)?.[1]
  const names = Array.from((list ?? '').matchAll(/['"]([\w-]+)['"]/g), ([, name = '']) => name)
  const constant = /\blanguages:\s*Object\.keys\((\w+)\)/.exec(i18n)?.[1]
  return names.length > 0 ? names : constant === undefined ? undefined : keysOf(constant, all)
}

/** The languages that files have, where code makes the list. */
function languagesIn(paths: readonly string[], isByFolder: boolean): string[] {
  const form = isByFolder
    ? /^(?:.*\/)?content\/(?:[\w-]+\/)?([a-z]{2}(?:-[A-Za-z]{2,4})?)\//
    : /\.([a-z]{2}(?:-[A-Za-z]{2,4})?)\.mdx?$/
  return [...new Set(paths.flatMap((path) => form.exec(path)?.[1] ?? []))]
}

type Loaders = { readonly loaders: readonly Call[]; readonly all: string; readonly isOnly: boolean }

function baseOf(collection: string, { loaders, all, isOnly }: Loaders): string | undefined {
  const own =
    isOnly && loaders.length === 1
      ? loaders[0]
      : loaders.find(
          ({ text }) =>
            collection !== '' && new RegExp(String.raw`\b${collection}\b`).test(text.replace(/['"][^'"\n]*['"]/g, '')),
        )
  if (loaders.length === 0 && isOnly) return '/docs'
  return own && literalOf(own.text, 'baseUrl', all)
}
