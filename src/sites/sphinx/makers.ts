// Whether a build of Sphinx makes pages that no file of the repository is: its extensions, and code, which is read and never run.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { SiteFiles } from '../site.ts'
import type { PythonValue } from './python-config.ts'

/** Extensions that add no pages and no labels. */
export const plainExtensions =
  /^(?:sphinx\.ext\.(?:viewcode|todo|mathjax|imgmath|graphviz|ifconfig|extlinks|githubpages|coverage|doctest|inheritance_diagram|napoleon|imgconverter|duration)|linklint\.ext|myst_parser|recommonmark|sphinx_(?:copybutton|last_updated_by_git|design|rtd_theme|reredirects|inline_tabs|sitemap|togglebutton|favicon)|sphinx_tabs\.tabs|notfound\.extension|sphinxcontrib\.youtube|sphinxext\.(?:rediraffe|opengraph))$/
/** Extensions that make pages, or read files of other kinds as pages. */
const pageMakers = /apidoc|gallery|ablog|exhale|jupyterlite|multiversion/
const otherPages = /^(?:nb|nbsphinx)_custom_formats\b|^autosummary_filename_map\b/m
/** Extensions that make images. */
const imageMakers = /gallery|nbsphinx|myst_nb|ablog|breathe|exhale|jupyter|multiversion/
/** Extensions that make pages in one folder only: the setting that names it, and its usual name. */
const inFolder: readonly (readonly [RegExp, setting: string, usual: string])[] = [
  [/^autodoc2$/, 'autodoc2_output_dir', 'apidocs'],
  [/^autoapi\./, 'autoapi_root', 'autoapi'],
  [/^sphinxcontrib\.apidoc$/, 'apidoc_output_dir', 'api'],
]
/** A page of autosummary has the name of an object, and is no Markdown. */
const objectName = /\/(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*$/
/** Code in the configuration that may write pages. */
const pageCode =
  /builder-inited|config-inited|env-before-read-docs|source-read|env-get-outdated|write_text|write_bytes|shutil|subprocess|\bos\.(?:system|popen)\b|\bopen\([^\n]*["'][rbt+]*[wax][rbt+]*["']|(?<!-)\bapidoc\b/
const stubless = /^autosummary_generate\s*=\s*False\b/m
const maxHandlers = 20

type Build = {
  readonly text: string
  readonly names: readonly string[]
  readonly folder: string
  readonly get: (name: string) => PythonValue
}
type MadeByBuild = 'code' | 'generated' | undefined

/** `isAny`: a program makes pages. */
export type Makers = { readonly isAny: boolean; madeAt(route: string, name: string): MadeByBuild }

/** `text`: the configuration. `names`: its extensions; undefined if code names them. */
export async function readMakers(
  build: Omit<Build, 'names'> & { readonly names: readonly string[] | undefined },
  files: SiteFiles,
): Promise<Makers> {
  const { text, names, get } = build
  const everywhere = names === undefined ? 'code' : await madeEverywhere({ ...build, names }, files)
  const folders = inFolder.flatMap(([extension, setting, usual]) => {
    const { isComputed, strings } = get(setting)
    // A folder that code names may be any.
    return names?.some((name) => extension.test(name))
      ? [isComputed ? '/' : posix.join('/', strings[0]?.value ?? usual, '/')]
      : []
  })
  const hasSummaries = names?.some((name) => name.endsWith('autosummary')) === true && !stubless.test(text)
  const hasImages = names?.some((name) => imageMakers.test(name)) === true
  return {
    isAny: everywhere !== undefined || folders.length > 0 || hasSummaries,
    madeAt: (route, name) => {
      if (/\.(?:png|svg|jpe?g|gif|webp)$/i.test(route) && everywhere !== 'code')
        return hasImages ? 'generated' : undefined
      if (everywhere || folders.some((folder) => `${route}/`.startsWith(folder))) return everywhere ?? 'generated'
      return hasSummaries && objectName.test(route) && !/\.md$/i.test(name) ? 'generated' : undefined
    },
  }
}

async function madeEverywhere({ text, names, folder }: Build, files: SiteFiles): Promise<MadeByBuild> {
  const paths = names.flatMap((name) => ownModules(name, folder, files))
  const own = await Promise.all(paths.map((path) => files.text(path)))
  // A module that is in several files is not read.
  if (own.some((one = '') => /^\s*from \./m.test(one))) return 'code'
  if ([withoutLastHandlers(text), ...own].some((one = '') => pageCode.test(one))) return 'code'
  const isMaker = (name: string) => pageMakers.test(name) && !inFolder.some(([extension]) => extension.test(name))
  return names.some(isMaker) || otherPages.test(text) ? 'generated' : undefined
}

/** Without functions that run only when everything is written: they make no documents. */
function withoutLastHandlers(text: string): string {
  const connected = text.matchAll(/\bconnect\(\s*["']build-finished["'],\s*(\w+)/g).take(maxHandlers)
  const last = Array.from(connected, ([, name = '']) => name)
  // Once as it is defined, and once as it is connected.
  const alone = new Set(last.filter((name) => text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 2))
  return text.replace(/^def (\w+)\(.*\n(?:(?:[ \t].*|\).*)?\n)*/gm, (whole, name: string) =>
    alone.has(name) ? '' : whole,
  )
}

/** The files of a module of the repository. */
function ownModules(name: string, folder: string, files: SiteFiles): string[] {
  if (plainExtensions.test(name) || name.startsWith('sphinx.')) return []
  const path = name.replaceAll('.', '/')
  return files.paths.filter((one) => {
    const own = inside(folder, one) ?? one
    return own.endsWith(`${path}.py`) || own.endsWith(`${path}/__init__.py`)
  })
}
