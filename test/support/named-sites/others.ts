// Sites whose generators are written in Python, Ruby, Rust or Go.

import { fields, type NamedSite, text } from './named-site.ts'

export const otherSites: readonly NamedSite[] = [
  [
    'Sphinx',
    {
      'doc/conf.py': "project = 'Acme'\nextensions = ['myst_parser']\nexclude_patterns = ['old']\n",
      'doc/index.rst': 'A\n=\n',
    },
    [
      ['doc/index.rst', 'A\n=\n', '/'],
      ['doc/a/b.rst', 'A\n=\n', '/a/b'],
      ['doc/a/index.md', text, '/a'],
      ['doc/old/a.rst', 'A\n=\n', undefined],
      ['README.rst', 'A\n=\n', undefined],
    ],
  ],
  [
    'Jekyll',
    {
      '_config.yml':
        'permalink: pretty\ncollections:\n  docs:\n    output: true\n  notes: {}\ndefaults:\n- scope: { path: _docs/api }\n  values: { permalink: "/api/:name/" }\n',
    },
    [
      ['index.md', fields('title: A'), '/'],
      ['about.md', fields('title: A'), '/about'],
      ['guides/index.md', fields('title: A'), '/guides'],
      ['own.md', fields('permalink: /custom/'), '/custom'],
      ['_docs/a/b.md', fields('title: A'), '/docs/a/b'],
      ['_docs/api/run.md', fields('title: A'), '/api/run'],
      ['_posts/2024-02-03-big-news.md', fields('title: A'), '/2024/02/03/big-news'],
      ['_posts/2024-02-03-news.md', fields('categories: [a, b]'), '/a/b/2024/02/03/news'],
      ['_posts/2024-02-03-zone.md', fields('date: 2024-02-03 00:30:00 +0200'), '/2024/02/02/zone'],
      ['_notes/a.md', fields('title: A'), undefined],
      ['_drafts/a.md', fields('title: A'), undefined],
    ],
  ],
  [
    'Jekyll in another time zone',
    { '_config.yml': 'permalink: pretty\ntimezone: America/Los_Angeles\n' },
    [['_posts/2024-02-03-zone.md', fields('date: 2024-02-03 07:30:00 +0000'), '/2024/02/02/zone']],
  ],
  [
    'MkDocs',
    { 'mkdocs.yml': 'docs_dir: documentation\n' },
    [
      ['documentation/index.md', text, '/'],
      ['documentation/g/README.md', text, '/g'],
      ['documentation/g/a.md', text, '/g/a'],
      ['docs/a.md', text, undefined],
    ],
  ],
  [
    'Zensical, with a configuration of MkDocs that is not read',
    {
      'zensical.toml': "[project]\nsite_name = 'A'\ndocs_dir = 'text'\nnav = [{ 'A' = 'a.md' }]\n",
      'mkdocs.yml': 'docs_dir: docs\n',
    },
    [
      ['text/index.md', text, '/'],
      ['text/g/README.md', text, '/g'],
      ['text/g/a.md', text, '/g/a'],
      ['docs/a.md', text, undefined],
    ],
  ],
  [
    'mdBook with single quotes',
    { 'book.toml': "[book]\nsrc = 'text'\n", 'text/SUMMARY.md': '- [A](a.md)\n' },
    [
      ['text/a.md', text, '/a'],
      ['text/g/README.md', text, '/g'],
      ['text/SUMMARY.md', text, undefined],
    ],
  ],
  [
    'Hugo',
    {
      'hugo.toml':
        "baseURL = 'https://a.example/b/'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n[permalinks]\nblog = '/:year/:month/:title/'\n",
      'content/_index.md': text,
    },
    [
      ['content/docs/Sub/Page One.md', text, '/docs/sub/page-one', 'ref page one'],
      ['content/docs/url.md', fields('url: /x/y'), '/x/y'],
      ['content/docs/url.de.md', fields('url: x/y.html'), '/de/x/y'],
      ['content/docs/section/_index.md', fields('slug: no'), '/docs/section'],
      ['content/docs/leaf/index.md', fields('slug: own'), '/docs/own'],
      ["content/docs/a(b)&c,d'e.md", text, '/docs/abcde'],
      ['content/blog/sub/q.md', fields('title: "Über & Co, x"\ndate: 2024-03-05'), '/2024/03/über-co-x'],
      ['content/blog/toml.md', '+++\ntitle = "T M"\ndate = 2024-03-05\n+++\n', '/2024/03/t-m'],
      ['content/docs/json.md', '{\n"title": "A",\n"slug": "s"\n}\n\n# A\n', '/docs/s'],
      ['layouts/_shortcodes/a.md', text, undefined],
    ],
  ],
  [
    'Hugo with mounts and bundles',
    {
      'site/config/_default/hugo.yaml': 'languages: { en: {}, pt-BR: {} }\ndisablePathToLower: true\n',
      'site/config/_default/module.yaml':
        'mounts:\n  - { source: content/en, target: content }\n  - { source: content/pt, target: content, lang: pt-br }\n  - { source: ../guides, target: content/guides, excludeFiles: "x/**" }\n',
      'site/content/en/leaf/index.md': text,
    },
    [
      ['site/content/en/A.md', text, '/A'],
      ['site/content/pt/A.md', text, '/pt-br/A'],
      ['site/content/en/leaf/part.md', text, undefined],
      ['guides/a.md', text, '/guides/a'],
      ['guides/x/a.md', text, undefined],
    ],
  ],
  [
    'HonKit',
    { 'book.json': '{ "root": "./manual" }', 'manual/SUMMARY.md': '* [A](a.md)\n' },
    [
      ['manual/README.md', text, '/'],
      ['manual/g/README.md', text, '/g'],
      ['manual/g/a.md', text, '/g/a'],
      ['manual/SUMMARY.md', text, undefined],
      ['manual/_layouts/a.md', text, undefined],
      ['a.md', text, undefined],
    ],
  ],
  [
    'GitBook with names of its own',
    {
      '.gitbook.yaml': 'root: ./docs/\nstructure:\n  readme: start.md\n  summary: ./toc.md\n',
      'docs/toc.md': '* [A](a.md)\n',
    },
    [
      ['docs/start.md', text, '/'],
      ['docs/g/README.md', text, '/g'],
      ['docs/toc.md', text, undefined],
    ],
  ],
  ['a book without a configuration', { 'README.md': text, 'SUMMARY.md': '* [A](a.md)\n' }, [['a.md', text, '/a']]],
  [
    'MkDocs with a list for a plugin',
    { 'mkdocs.yml': 'site_name: A\n', 'docs/README.md': text, 'docs/SUMMARY.md': '* [A](a.md)\n' },
    [['docs/SUMMARY.md', text, '/SUMMARY']],
  ],
  [
    'docsify',
    {
      'docs/index.html': "<script>window.$docsify = { homepage: 'home.md' }</script>\n",
      'docs/_sidebar.md': '[A](a)\n',
    },
    [
      ['docs/home.md', text, '/'],
      ['docs/g/README.md', text, '/g'],
      ['docs/g/index.md', text, '/g/index'],
      ['docs/g/_part.md', text, undefined],
      ['docs/_sidebar.md', text, undefined],
    ],
  ],
]
