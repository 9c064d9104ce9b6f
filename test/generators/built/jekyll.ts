import { jekyll } from '../jekyll.ts'
import { type BuiltSite, fields } from './site.ts'

const page = fields('title: A')

const config = `title: Acme
permalink: pretty
plugins: [jekyll-redirect-from]
collections:
  docs:
    output: true
  guides:
    output: true
    permalink: /learn/:path/
  names:
    output: true
    permalink: /n/:name:output_ext
  slugs:
    output: true
    permalink: /s/:slug/:title
  notes: {}
exclude: [left, '*.skip.md', vendor]
include: [_kept.md]
defaults:
- scope: { path: '' }
  values: { layout: null }
- scope: { path: _docs/api }
  values: { permalink: '/api/:name/' }
- scope: { path: '', type: posts }
  values: { permalink: '/news/:year/:title/' }
- scope: { path: old/*/x }
  values: { permalink: '/glob/:basename/' }
`

export const jekyllBuilt: BuiltSite = {
  kind: 'jekyll',
  package: 'jekyll',
  build: jekyll.build,
  files: {
    '_config.yml': config,
    'index.md': page,
    'a.md': `---\n---\n\n# A\n\n## Two {#own}\n\n## Two\n{: #after}\n\n## Two\n\nSetext *one*\n---\n\n## [Link](/x) & more \`code\`\n\n## 日本 語\n\n## A: b -- c...\n\n## "Quoted" it's\n\n## 100% & more &amp; x\n\n## {#only}\n`,
    'b.markdown': page,
    'Upper Case.md': page,
    'über.md': page,
    'v1.2.md': page,
    'g/index.md': page,
    'g/README.md': page,
    'own.md': fields('permalink: /custom/'),
    'own-html.md': fields('permalink: /custom/x.html'),
    'own-plain.md': fields('permalink: /custom/plain'),
    'own-name.md': fields('permalink: /z/:basename:output_ext'),
    'moved.md': fields('redirect_from:\n- /before/\n- /before/x.html\n- /before-plain'),
    'moved-one.md': fields('redirect_from: /before-one/'),
    'no-fields.md': '# A\n',
    '_kept.md': page,
    '_hidden.md': page,
    '#mark.md': page,
    'left/a.md': page,
    'leftover.md': page,
    'deep/y.skip.md': page,
    'deep/_kept.md': page,
    'liquid.md': '---\n---\n\n## {{ site.title }}\n',
    'in-html.md': `---\n---\n\n<div markdown="1">\n\n## Inside\n\n</div>\n`,
    'x.skip.md': page,
    'old/a/x/b.md': page,
    '_docs/a.md': page,
    '_docs/a/b.md': page,
    '_docs/a/index.md': page,
    '_docs/api/run.md': page,
    '_docs/Upper Case.md': page,
    '_docs/_part.md': page,
    '_docs/no-fields.md': '# A\n',
    '_docs/2024-02-03-dated.md': page,
    '_guides/g/One Two.md': page,
    '_guides/no-fields.md': '# A\n',
    '_names/no-fields.md': '# A\n',
    '_names/g/One Two.md': page,
    '_names/v1.2.md': page,
    '_slugs/g/One Two.md': page,
    '_slugs/own.md': fields('slug: Other One'),
    '_notes/a.md': page,
    '_drafts/a.md': page,
    '_posts/2024-02-03-Big News.md': page,
    '_posts/2024-02-03-dots.in.name.md': page,
    '_posts/2024-2-3-short.md': page,
    '_posts/sub/2024-02-04-sub.md': page,
    '_posts/2024-02-05-own.md': fields('permalink: /post/:year-:month-:day/:slug'),
    '_posts/2024-02-06-slug.md': fields('slug: other'),
    '_posts/undated.md': page,
    'area/_posts/2024-02-07-area.md': page,
  },
}

const title = 'title: A\n'

/** Addresses of posts by date, and categories. */
export const jekyllDates: BuiltSite = {
  kind: 'jekyll',
  package: 'jekyll',
  build: jekyll.build,
  files: {
    '_config.yml':
      'baseurl: /p\ntimezone: America/Los_Angeles\ncollections_dir: all\ncollections:\n  docs: { output: true }\n',
    'index.md': page,
    'a.md': page,
    'g/index.md': page,
    'all/_docs/a.md': page,
    'all/_docs/g/index.md': page,
    '_posts/2024-02-03-apart.md': page,
    'all/_posts/2024-02-03-news.md': page,
    'all/_posts/2024-02-03-zone.md': fields(`${title}date: 2024-02-03 07:30:00 +0000`),
    'all/_posts/2024-02-03-category.md': fields(`${title}category: One Two`),
    'all/_posts/2024-02-03-categories.md': fields(`${title}categories: [A, b c]`),
    'all/_posts/2024-02-03-words.md': fields(`${title}categories: A b`),
    'all/_posts/2024-02-03-dated.md': fields(`${title}date: 2023-01-02`),
    'all/_posts/2024-02-03-ordinal.md': fields(
      `${title}permalink: '/:year/:y_day/:week/:short_day/:long_month/:title.html'`,
    ),
    'all/_posts/2024-02-03-none.md': fields(`${title}permalink: none`),
    'all/_posts/2024-02-03-Über uns!.md': page,
  },
}
