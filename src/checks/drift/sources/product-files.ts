// Which files of a source say what the product has, by their paths: its code, and not its tests, examples, documentation, or what
// it is built with.

import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { TreeFile } from '../../../sites/tree.ts'
import { isManifest } from './packages.ts'

/** Larger files are data. */
const maxBytes = 2_000_000
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|svg|pdf|mp[34]|mov|webm|wav|ogg|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|zst|jar|class|exe|dll|so|dylib|wasm|node|pyc|parquet|arrow|sqlite|db|pack|bin|dat|map|snap)$/i
const foreign = /(?:^|\/)(?:node_modules|vendor|third[-_]party|\.yarn|bower_components)\/|[.-]min\.\w+$/i
const lock =
  /(?:^|\/)(?:[^/]*[.-]lock(?:\.\w+)?|pnpm-lock\.yaml|package-lock\.json|npm-shrinkwrap\.json|go\.sum|cargo\.lock)$/i

/** Changelogs and their parts, which are no pages; `history.ts` is code. */
const past =
  /(?:^|\/)(?:(?:change(?:log|s)\.d|\.changes?|\.changesets?|newsfragments)\/.*|(?:changelog|changes|history|news|release-?notes)(?:\.(?:txt|json|ya?ml|toml|html))?)$/i

/** Whether a name in the file is a name that the source has. A test that has it speaks of the product, too. */
export function isRead({ path, kind, size }: TreeFile): boolean {
  return kind === 'file' && size <= maxBytes && !isLeftOut(path)
}

function isLeftOut(path: string): boolean {
  return isPagePath(path) || past.test(path) || binary.test(path) || foreign.test(path) || lock.test(path)
}

const besideFolders: ReadonlySet<string> = new Set(
  (
    'test tests __tests__ testing testdata spec specs fixtures __fixtures__ __snapshots__ snapshots e2e bench benches benchmark ' +
    'benchmarks example examples sample samples demo demos playground playgrounds docs doc docs_src website site dist .github ' +
    '.circleci .gitlab .changeset changelog.d scripts tools ci locales i18n translations funtests templates'
  ).split(' '),
)
/** `testproj`, `test-app`. */
const besideFolder =
  /^tests?[-_]?(?:app|apps|lib|proj|project|projects|site|server|suite|util|utils|case|cases|helpers|support)$/
/** Languages, and what they are configured and described with. Documentation comes in any other form. */
const code =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py[ix]?|rb|rs|go|java|kts?|scala|groovy|cs|fs|vb|php|swift|mm?|[ch]|[ch]pp|cc|hh|cxx|lua|exs?|erl|hs|ml|mli|clj[cs]?|dart|zig|nim|jl|r|pl|pm|sh|bash|zsh|fish|ps1|psm1|nu|sql|proto|graphql|thrift|json5?|jsonc|ya?ml|toml|ini|cfg|conf|xml|tmpl|erb|cr|d|v|sol)$/i
const besideName =
  /^(?:\.|setup\.(?:py|cfg)$|tox\.ini$|noxfile\.py$|conftest\.py$|makefile$|dockerfile|jenkinsfile|rakefile$|(?:gulp|grunt)file|webpack\.|mkdocs.*\.ya?ml$|tsconfig.*\.json$|test_)|[._-](?:test|tests|spec|config)\.\w+$/i

/**
 * Whether what the file defined was a part of the product: it is no test, example or documentation, no setting of a tool, and no
 * list of dependencies.
 */
export function isProduct(path: string): boolean {
  if (!code.test(path) || isLeftOut(path) || isManifest(path)) return false
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  return (
    !/^(?:sites|www)\//.test(path) &&
    !parts.some((part) => besideFolders.has(part) || besideFolder.test(part)) &&
    !besideName.test(name)
  )
}
