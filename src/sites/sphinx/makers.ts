// Whether a build of Sphinx makes pages that no file of the repository is: its extensions, and code, which is read and never run.

import { inside } from '../../docs-syntax/links.ts'
import type { SiteFiles } from '../site.ts'

/** Extensions that add no pages and no labels. */
export const plainExtensions =
  /^(?:sphinx\.ext\.(?:viewcode|todo|mathjax|imgmath|graphviz|ifconfig|extlinks|githubpages|coverage|doctest|inheritance_diagram|napoleon|imgconverter|duration)|myst_parser|recommonmark|sphinx_(?:copybutton|design|rtd_theme|reredirects|inline_tabs|sitemap|togglebutton|favicon)|sphinx_tabs\.tabs|notfound\.extension|sphinxext\.(?:rediraffe|opengraph))$/
/** Extensions that make pages. */
const pageMakers =
  /autosummary|autoapi|autodoc2|apidoc|gallery|nbsphinx|myst_nb|ablog|breathe|exhale|jupyter|multiversion/
/** Code in the configuration that may write pages. */
const pageCode =
  /builder-inited|config-inited|env-before-read-docs|source-read|env-get-outdated|write_text|write_bytes|shutil|subprocess|\bos\.(?:system|popen)\b|\bopen\([^\n]*["'][rbt+]*[wax][rbt+]*["']|(?<!-)\bapidoc\b/
const stubless = /^autosummary_generate\s*=\s*False\b/m
const maxHandlers = 20

type Build = { readonly text: string; readonly names: readonly string[]; readonly folder: string }

/** `text`: the configuration. `names`: its extensions. */
export async function readMakers(
  { text, names, folder }: Build,
  files: SiteFiles,
): Promise<'code' | 'generated' | undefined> {
  const paths = names.flatMap((name) => ownModules(name, folder, files))
  const own = await Promise.all(paths.map((path) => files.text(path)))
  // A module that is in several files is not read.
  if (own.some((one = '') => /^\s*from \./m.test(one))) return 'code'
  if ([withoutLastHandlers(text), ...own].some((one = '') => pageCode.test(one))) return 'code'
  const isMaker = (name: string) => pageMakers.test(name) && !(stubless.test(text) && name.endsWith('autosummary'))
  return names.some(isMaker) ? 'generated' : undefined
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
