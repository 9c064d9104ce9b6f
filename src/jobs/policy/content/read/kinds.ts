// How the content of a file is read, by its name and by the kind of the site. Pure.

import { runsInPages } from '../../../../sites/by-path/known-files.ts'
import { findSiteConfig } from '../../site-code.ts'

/** `mdx`: also Markdown that a site reads as MDX. `data` has addresses and HTML in strings. */
export type ContentKind =
  | 'mdx'
  | 'markdown'
  | 'html'
  | 'style'
  | 'data'
  | 'restructured'
  | 'asciidoc'
  | 'org'
  | 'textile'
  | 'notebook'
  | 'translation'
  | 'text'

/** Languages in which the generator of a site runs parts of its pages. */
export type TemplateLanguage = Exclude<(typeof runsInPages)[number][1], 'mdx'>

/** Readers of Markdown that see less code than CommonMark. `raw-titles`: beside `python-markdown`, or another. */
export type Dialect = 'raw-titles' | 'python-markdown' | 'kramdown'

export type Content = {
  readonly path: string
  readonly text: string
  readonly kind: ContentKind
  readonly templates: readonly TemplateLanguage[]
  readonly dialects: readonly Dialect[]
}

export type ContentReading = Pick<Content, 'kind' | 'templates' | 'dialects'>
export type KindOf = (path: string) => ContentReading | undefined

const kinds: readonly (readonly [RegExp, ContentKind])[] = [
  [/\.mdx$/i, 'mdx'],
  [/\.(?:md|markdown|mdown|mkd|qmd|rmd|mdoc)$/i, 'markdown'],
  [/\.(?:html?|xhtml|xht|svg|xml|mml|mht|mhtml|rss|atom)$/i, 'html'],
  [/\.(?:njk|nunjucks|liquid|hbs|handlebars|mustache|ejs|erb|jinja2?|j2|gotmpl|tmpl|tpl)$/i, 'html'],
  [/\.(?:css|scss|sass|less|styl)$/i, 'style'],
  [/\.(?:jsonc?|json5|ya?ml|toml)$/i, 'data'],
  [/\.rst$/i, 'restructured'],
  [/\.(?:adoc|asciidoc|asc)$/i, 'asciidoc'],
  [/\.org$/i, 'org'],
  [/\.textile$/i, 'textile'],
  [/\.ipynb$/i, 'notebook'],
  [/\.po$/i, 'translation'],
  [/\.(?:txt|text)$/i, 'text'],
]

/**
 * Returns a function that says how a file is read; undefined for a file whose content is not judged here.
 * `hasSuperFences`: MkDocs reads fences by an extension that sees all of them.
 */
export function createKindOf(paths: Iterable<string>, hasSuperFences = false): KindOf {
  const found = new Set<(typeof runsInPages)[number][1]>()
  for (const path of paths) for (const [name, language] of runsInPages) if (name.test(path)) found.add(language)
  const isMdx = found.has('mdx')
  const templates = [...found].filter((one) => one !== 'mdx')
  const dialects: Dialect[] = []
  if (found.has('liquid')) dialects.push('kramdown')
  if (found.has('jinja')) dialects.push('raw-titles')
  if (found.has('jinja') && !hasSuperFences) dialects.push('python-markdown')
  return (path) => {
    const kind = kinds.find(([name]) => name.test(path))?.[1] ?? (findSiteConfig(path) ? 'data' : undefined)
    return kind && { kind: kind === 'markdown' && isMdx ? 'mdx' : kind, templates, dialects }
  }
}
