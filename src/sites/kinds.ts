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
  'plain',
] as const
