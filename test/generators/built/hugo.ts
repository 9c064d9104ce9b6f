import { runBuild } from '../generator.ts'
import { type BuiltSite, fields, headings } from './site.ts'

const build: BuiltSite['build'] = (folder) => runBuild('public', folder, ['hugo', '--quiet', '--buildFuture'])
const template = '{{ .Content }}'
const templates = {
  'layouts/_default/single.html': template,
  'layouts/_default/list.html': template,
  'layouts/index.html': template,
}

export const hugoBuilt: BuiltSite = {
  kind: 'hugo',
  package: 'hugo',
  build,
  files: {
    ...templates,
    'hugo.toml': `baseURL = 'https://acme.example/'
disableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']
[permalinks]
blog = '/:year/:month/:title/'
notes = '/n/:sections[1:]/:slug'
`,
    'content/_index.md': headings,
    'content/docs/_index.md': fields('title: Docs\nslug: no'),
    'content/docs/Sub Folder/Page One.md': headings,
    'content/docs/a(b)&c.md': '# A\n\n## Two {#own}\n\n## Two\n\n## Two {.x}\n\nThree\n=====\n',
    'content/docs/slug.md': fields('slug: other'),
    'content/docs/url.md': fields('url: /x/y'),
    'content/docs/leaf/index.md': fields('title: Leaf'),
    'content/docs/leaf/part.md': headings,
    'content/docs/toml.md': `+++\ntitle = "T"\nslug = "t-m"\n+++\n\n${headings}`,
    'content/docs/json.md': `{\n"title": "J",\n"slug": "s"\n}\n\n${headings}`,
    'content/docs/shortcode.md':
      '---\ntitle: X\n---\n\n# A {{< ref "slug.md" >}}\n\n## B {{% param title %}}\n\n## C\n',
    'content/blog/first.md': fields('title: "Über & Co, x"\ndate: 2024-03-05'),
    'content/notes/a/b.md': fields('title: B c'),
    'content/README.md': headings,
  },
}

export const hugoLanguages: BuiltSite = {
  kind: 'hugo',
  package: 'hugo',
  build,
  files: {
    ...templates,
    'config/_default/hugo.yaml': `baseURL: https://acme.example/
defaultContentLanguage: en
disableKinds: [taxonomy, term, RSS, sitemap]
markup: { goldmark: { parser: { autoHeadingIDType: github-ascii } } }
languages: { en: { title: A }, de: { title: B } }
`,
    'content/_index.md': headings,
    'content/_index.de.md': headings,
    'content/docs/a.md': headings,
    'content/docs/a.de.md': headings,
    'content/docs/b.de.md': fields('url: c/d'),
    'content/docs/e.de.md': fields('url: /c/e'),
  },
}
