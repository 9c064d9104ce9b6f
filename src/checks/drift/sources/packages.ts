// The packages of the sources and their dependencies, by what manifests and folders say.

import { termKeys } from '../../../docs-syntax/terms/term-keys.ts'

const manifest =
  /(?:^|\/)(?:package\.json|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.(?:txt|in)|Pipfile|go\.mod|Gemfile|[^/]+\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.csproj|mix\.exs|pubspec\.yaml)$/i
/** Names as manifests write them: keys, entries of lists, modules. */
const named = /["'(\s/>]?(@?[A-Za-z][\w.-]{2,60}(?:\/[\w.-]{2,60})*)["')<]?\s*(?:[:=,;)\]]|v?\d|[<>=~^!]|$)/gm

export function isManifest(path: string): boolean {
  return manifest.test(path)
}

const shortestWord = 4
/** Manifests that are programs, of which only texts name dependencies: the `self` of `def finalize(self)` is not one. */
const program = /\.(?:py|rb|gemspec|gradle|kts|exs)$|(?:^|\/)Gemfile$/i
const quoted = /["']([@A-Za-z][\w./@-]{2,80})\s*(?:["']|[<>=~^!;[ ])/g

/** The keys of all names in a manifest, also those of its own fields: too many keep a finding back, and too few do not. */
export function dependenciesIn(path: string, text: string): string[] {
  return namesIn(path, text).flatMap(dependencyKeysOf)
}

function dependencyKeysOf(name: string): string[] {
  const { whole, segments } = termKeys(name)
  return [whole, segments.at(-1) ?? whole]
}

/** The words of a dependency such as `kramdown-syntax-coderay`: one is often that of its options, `coderay_wrap`. */
function dependencyWordsOf(name: string): string[] {
  return /^[a-z]+(?:-[a-z]+)+$/.test(name) ? name.split('-').filter((word) => word.length >= shortestWord) : []
}

/** As the manifest writes them. */
function namesIn(path: string, text: string): string[] {
  return Array.from(text.matchAll(program.test(path) ? quoted : named), ({ 1: name = '' }) => name)
}

/** The keys that may name a package in `acme.pages.Page` and `@acme/pages`: parts from the first one on. */
export function packageKeysOf(text: string): string[] {
  const { whole, segments } = termKeys(text)
  return [whole, ...segments.map((_, at) => segments.slice(0, at + 1).join(''))]
}

export type Packages = {
  /** Whether a source, or a package of it, has this name. */
  isOwn(key: string): boolean
  /** Whether a source has a package, or the folder of one, with this name. */
  isPackage(key: string): boolean
  isDependency(key: string): boolean
  /** Whether the first word of the name is one of a dependency: `coderay_wrap` is an option of `kramdown-syntax-coderay`. */
  isNamedLikeDependency(name: string): boolean
}

type ReadPackages = Packages & {
  addManifest(path: string, text: string): void
  /** `path`: of a file of the product. */
  addFolder(path: string): void
}

const headLength = 8_000
/** The folder of a package in its repository, which other packages of it may name as a dependency. */
const packageFolder = /^(?:(?:src|lib|packages|crates|pkg|apps|libs)\/)?([\w.-]+)\//
/** `"name": "acme"`, `name = 'acme'`, `s.name = "acme"`, `setup(name="acme"`. */
const ownName = /^(?:.*[\s.(,{])?["']?name["']?\s*[:=]\s*["']([^"']+)["']/m

/** `names`: of the sources. The packages of a source are not dependencies of it, although each names the others. */
export function createPackages(names: readonly string[]): ReadPackages {
  const own = new Set(names.map((name) => termKeys(name).whole))
  const folders = new Set<string>()
  const dependencies = new Set<string>()
  const words = new Set<string>()
  const isPackage = (key: string) => own.has(key) || folders.has(key)
  return {
    isOwn: (key) => own.has(key),
    isPackage,
    isDependency: (key) => dependencies.has(key) && !isPackage(key),
    isNamedLikeDependency: (name) => {
      const [first = ''] = termKeys(name.replace(/^-+/, '')).words
      return words.has(first) && !isPackage(first) && ![...own].some((one) => one.includes(first))
    },
    addManifest: (path, text) => {
      for (const one of namesIn(path, text)) {
        for (const key of dependencyKeysOf(one)) dependencies.add(key)
        for (const word of dependencyWordsOf(one)) words.add(word)
      }
      const name = ownName.exec(text.slice(0, headLength))?.[1]
      if (name !== undefined) own.add(termKeys(name).whole)
    },
    addFolder: (path) => {
      const folder = packageFolder.exec(path)?.[1]
      if (folder !== undefined) folders.add(termKeys(folder).whole)
    },
  }
}
