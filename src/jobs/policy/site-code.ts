// Says what reads a file: readers, the configuration of a site, the build, or some tool. Pure tables and a lookup by the
// path. Only what readers read passes unseen, so a file that no table knows counts as one that tools read.

import { createGlobMatcher, toGlobs } from '../../docs-syntax/glob.ts'
import { foldPath } from './fold-path.ts'

/** `data` runs nothing. `unknown` cannot be parsed here, so every change to it is shown. */
export type ConfigLanguage = 'javascript' | 'typescript' | 'data' | 'unknown'

export type SiteConfig = {
  readonly language: ConfigLanguage
  /** Whether a string can name a module to load (`plugins: ['x']`), and not only pages. */
  readonly namesModules: boolean
}

/**
 * `read`: readers see it, and its content is judged. `script` and `settings`: configuration as code and as data, whose
 * changes are compared. `prefix`: the keys above those of the file. `redirects`: a list of them. `template`: runs if it has
 * template tags. `code` and `tool`: every change is shown.
 */
export type SiteFile =
  | { readonly kind: 'read' | 'redirects' | 'template' }
  | { readonly kind: 'script'; readonly config: SiteConfig }
  | { readonly kind: 'settings'; readonly prefix: readonly string[] }
  | { readonly kind: 'code' | 'tool'; readonly what: string; readonly mayBeSnippet: boolean }

export type SiteFileOf = (path: string) => SiteFile

const navigation = ['sidebars.*', 'sidebar.*', '_meta.*', '_category_.*']

const scripts = [
  '{docusaurus,astro,next,nuxt,vite,svelte,rspress,vocs,docs,theme,source,content}.config.*',
  '{contentlayer,velite,eleventy,tailwind,postcss,babel}.config.*',
  '{gatsby-config,gatsby-node,gridsome.config,.eleventy,metalsmith,mdx-components}.*',
  '**/{.vitepress,.vuepress,.storybook,.dumi}/**/*.*',
  '.{dumi,umi}rc.*',
  '**/_plugins/**/*.rb',
  'conf.py',
]

/** They name what is fetched and built. */
export const playbooks = ['antora-playbook.{yml,yaml}']

/** Configuration as data: the keys that run or load something are shown. */
const settings = [
  'mkdocs*.{yml,yaml}',
  '{zensical,hugo,book,typst}.toml',
  'hugo.{yaml,yml,json}',
  '/config.{toml,yaml,yml,json}',
  '{_config,_quarto,_metadata,myst,antora,fern,retype}.{yml,yaml}',
  ...playbooks,
  '_quarto-*.{yml,yaml}',
  '_config.toml',
  '{docs,mint,book,redocly}.{json,yaml}',
  '**/.vitepress/**/*.{json,yml,yaml,toml}',
]
/** Each file of this folder of Hugo holds the keys of its name: `security.yaml`, `menus.en.toml`. */
const splitSettings = /(?:^|\/)config\/[^/]+\/(?:.*\/)?([^/.]+)[^/]*\.(?:toml|ya?ml|json)$/

/** Data that readers see, or that only lists pages, wherever it is. */
const plainData = [
  '{_toc,toc,summary,versions,_data,navigation,nav,authors,tags,redirects,citation}.{yml,yaml,json,toml}',
  '{openapi,swagger,asyncapi,schema}*.{json,yml,yaml}',
  '*.{openapi,schema,i18n}.{json,yml,yaml}',
  '{.pages,.nav.yml,.meta.yml,.authors.yml,.order,.nojekyll,.gitkeep,.keep}',
  '.github/*.md',
  '**/.gitbook/assets/**',
]
/** Forges copy these into the text that somebody else sends. */
const forms = ['**/{pull_request_template,issue_template}*', '**/{PULL_REQUEST_TEMPLATE,ISSUE_TEMPLATE}/**']

/** Folders whose data files a site shows. */
const dataFolder =
  /(?:^|\/)(?:_?data|docs?|documentation|content|contents|pages|i18n|locales?|lang|translations|api|openapi|reference|specs?|schemas?|static|public|assets|guides?|posts|blog|images?|img|media|snippets|versioned_[^/]+|_locales|website)\//

const templateFolder =
  /(?:^|\/)(?:(?:layouts|_layouts|_includes|_templates|overrides|archetypes|partials|shortcodes)\/|(?:templates|themes?)\/.*\.(?:html?|xml|txt|json|css)$)/

/** The configuration of linters and test runners, which CI starts. */
const linters =
  /^(?:\.?(?:[^/]*lint[^/]*|prettier[^/]*|cspell[^/]*|textlint[^/]*|remark[^/]*|vale[^/]*|jest[^/]*|vitest[^/]*|pytest[^/]*|mypy[^/]*|tox[^/]*|karma[^/]*|mocha[^/]*|alex[^/]*|rubocop[^/]*|rspec[^/]*|pylint[^/]*|pyre[^/]*|conftest\.py|commitlint[^/]*|lychee[^/]*|typos[^/]*|markdown-link-check[^/]*|mlc[^/]*|dependency-cruiser[^/]*)\.?)$/
const lintFile = /^\.|\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|cjs|mjs|js|ts|py)$|rc$/

/** Search engines, advertisers and certificate authorities believe the site that publishes them. */
const ownership =
  /^(?:google[0-9a-f]{10,20}\.html|bingsiteauth\.xml|(?:yandex|pinterest|baidu_verify|naver)[_-]?\w+\.(?:html|txt)|(?:app-)?ads\.txt|security\.txt|crossdomain\.xml|clientaccesspolicy\.xml|_routes\.json|serve\.json)$/

const readExtensions = new Set(
  (
    'md mdx markdown mdown mkd rst adoc asciidoc asc org ipynb qmd rmd html htm xhtml xht mht mhtml mml svg txt text textile ' +
    'mdoc mediawiki wiki creole pod rdoc typ tex bib csv tsv vtt srt xml rss atom webmanifest drawio excalidraw puml ' +
    'plantuml mmd mermaid dot d2 css scss sass less styl png jpg jpeg gif webp avif ico bmp tif tiff jxl pdf mp4 webm mov ' +
    'mp3 ogg wav m4a woff woff2 ttf otf eot po pot'
  ).split(' '),
)
const dataExtensions = new Set(['json', 'jsonc', 'json5', 'yml', 'yaml', 'toml'])

const codeExtensions = new Set(
  (
    'js cjs mjs jsx ts cts mts tsx vue svelte astro marko riot py pyw pyi ipy rb rake lua tengo php phtml pl pm r jl go rs ' +
    'java kt kts scala groovy cs fs vb c h cc cpp hpp m mm swift dart ex exs erl hs clj cljs ml el vim zig nim coffee ' +
    'litcoffee ls elm wasm wat xsl xslt ejs erb njk nunjucks liquid hbs handlebars mustache gotmpl tmpl tpl jinja jinja2 ' +
    'j2 pug jade haml slim shtml shtm stm jsp asp aspx cfm cgi awk sed applescript htc htaccess asis'
  ).split(' '),
)

/** Names without an extension that people read. */
const readNames = new Set(
  'license licence notice copying authors contributors maintainers changelog readme contributing thanks version robots'.split(
    ' ',
  ),
)

const matcherOf = (globs: readonly string[]) =>
  createGlobMatcher(globs.flatMap((glob) => (glob.startsWith('/') ? expand(glob) : toGlobs(glob))))

/** A leading slash: in the root only. */
function expand(glob: string): string[] {
  return toGlobs(`./${glob.slice(1)}`).map((plain) => plain.replace(/^\*\*\//, ''))
}

const isNavigation = matcherOf(navigation)
const isScript = matcherOf(scripts)
const isSettings = matcherOf(settings)
const isPlainData = matcherOf(plainData)
const isForm = matcherOf(forms.map((glob) => glob.toLowerCase()))

const languages: Readonly<Record<string, ConfigLanguage>> = {
  js: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  cts: 'typescript',
  mts: 'typescript',
}

function languageOf(extension: string): ConfigLanguage {
  return languages[extension] ?? (isPlain(extension) ? 'data' : 'unknown')
}

function isPlain(extension: string): boolean {
  return dataExtensions.has(extension) || readExtensions.has(extension)
}

/** Returns undefined for a file that is not site configuration. */
export function findSiteConfig(path: string): SiteConfig | undefined {
  const folded = foldPath(path)
  const namesModules = isScript(folded)
  const isKnown = namesModules || isNavigation(folded) || isSettings(folded)
  return isKnown ? { language: languageOf(extensionOf(folded)), namesModules } : undefined
}

/** `paths`: all files of the repository. Data files beside pages are data that the site shows. */
export function createSiteFileOf(paths: Iterable<string>): SiteFileOf {
  const folders = new Set<string>()
  for (const path of paths) {
    const folder = /^(.+)\/(?!readme\.)[^/]+\.(?:mdx?|markdown|rst|adoc|ipynb|qmd)$/i.exec(path)?.[1]
    if (folder !== undefined) folders.add(folder.toLowerCase())
  }
  return (path) => findSiteFile(foldPath(path), folders)
}

function findSiteFile(path: string, pageFolders: ReadonlySet<string>): SiteFile {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  const name = path.slice(folder === '' ? 0 : folder.length + 1)
  const extension = extensionOf(name)
  if (isForm(path)) return tool('is a form of the forge, whose text others send')
  if (isPlainData(path)) return { kind: 'read' }
  const configured = findConfigured(path)
  if (configured) return configured
  if (linters.test(name) && lintFile.test(name)) return tool('configures a linter or test runner')
  if (codeExtensions.has(extension)) return { kind: 'code', what: 'is a file of code', mayBeSnippet: true }
  if (/(?:^|\/)\./.test(path)) return tool('is a file that tools read')
  if (name === '_redirects') return { kind: 'redirects' }
  if (ownership.test(name)) return tool('tells other systems who owns the site')
  if (name === 'cname') return tool('sets the host of the site')
  if (templateFolder.test(path) && isPlain(extension)) return { kind: 'template' }
  if (readExtensions.has(extension) || readNames.has(name)) return { kind: 'read' }
  const isShown = dataFolder.test(path) || (folder !== '' && pageFolders.has(folder))
  if (dataExtensions.has(extension) && isShown) return { kind: 'read' }
  return { kind: 'tool', what: 'is a file that tools read', mayBeSnippet: extension !== '' }
}

function findConfigured(path: string): SiteFile | undefined {
  const prefix = splitSettings.exec(path)?.[1]
  if (prefix !== undefined) {
    return { kind: 'settings', prefix: ['config', 'hugo', 'languages'].includes(prefix) ? [] : [prefix] }
  }
  const config = findSiteConfig(path)
  if (!config) return undefined
  if (isSettings(path)) return { kind: 'settings', prefix: [] }
  if (config.language !== 'data') return { kind: 'script', config }
  return { kind: 'read' }
}

function tool(what: string): SiteFile {
  return { kind: 'tool', what, mayBeSnippet: false }
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1] ?? ''
}
