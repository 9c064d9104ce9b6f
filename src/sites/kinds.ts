// The kinds of sites. Apart from what reads them, because the command line names them in its help.

export const siteKinds = [
  'mintlify',
  'docusaurus',
  'vitepress',
  'starlight',
  'mkdocs',
  'mdbook',
  'nextra',
  'antora',
  'jekyll',
  'sphinx',
  'fumadocs',
  'hugo',
  'gitbook',
  'docsify',
  'vuepress',
  'astro',
  'plain',
] as const

/** As readers know them; undefined without a generator. */
export const siteTitles: Readonly<Record<(typeof siteKinds)[number], string | undefined>> = {
  mintlify: 'Mintlify',
  docusaurus: 'Docusaurus',
  vitepress: 'VitePress',
  starlight: 'Starlight (Astro)',
  mkdocs: 'MkDocs',
  mdbook: 'mdBook',
  nextra: 'Nextra',
  antora: 'Antora',
  jekyll: 'Jekyll',
  sphinx: 'Sphinx',
  fumadocs: 'Fumadocs',
  hugo: 'Hugo',
  astro: 'Astro',
  gitbook: 'GitBook or HonKit',
  docsify: 'docsify',
  vuepress: 'VuePress',
  plain: undefined,
}

/** For texts that explain a setting: a site in a folder, and a key in its configuration. */
export const siteExample = { kind: 'mkdocs', path: 'docs', key: 'mkdocs.yml:plugins' } as const
