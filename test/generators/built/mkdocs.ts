import { mkdocs } from '../mkdocs.ts'
import { type BuiltSite, headings } from './site.ts'

export const mkdocsBuilt: BuiltSite = {
  kind: 'mkdocs',
  package: 'mkdocs',
  build: mkdocs.build,
  files: {
    'mkdocs.yml': `site_name: Acme
docs_dir: content
site_dir: site
theme:
  name: material
markdown_extensions:
  - attr_list
  - toc
plugins:
  - search
`,
    'content/index.md': headings,
    'content/a.md':
      '# A\n\n## Two {#own}\n\n## Two\n\n## Two\n\n## 1.0 <small>new</small> { id="1.0" }\n\n## Two { .x }\n\n## Two { .x #last }\n',
    'content/letters.md': '# 日本\n\n## 日本 A\n\n## 日本\n\n## 中文\n',
    'content/b.markdown': headings,
    'content/g/README.md': headings,
    'content/h/index.md': headings,
    'content/h/README.md': headings,
    'content/h/Index.md': headings,
    'content/Upper Case.md': headings,
    'content/_x/a.md': headings,
    'content/.hidden/a.md': headings,
    'content/templates/a.md': headings,
  },
}

export const mkdocsFiles: BuiltSite = {
  kind: 'mkdocs',
  package: 'mkdocs',
  build: mkdocs.build,
  files: {
    'mkdocs.yml': 'site_name: Acme\nuse_directory_urls: false\nnav: [index.md]\n',
    'docs/index.md': headings,
    'docs/a.md': '# A\n\n## Two {#own}\n',
    'docs/g/README.md': headings,
    'docs/g/b.md': headings,
  },
}
