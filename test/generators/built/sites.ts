import { antoraBuilt } from './antora.ts'
import { astroBuilt } from './astro.ts'
import { docusaurusBuilt, docusaurusVersions } from './docusaurus.ts'
import { honkitBuilt } from './honkit.ts'
import { hugoBuilt, hugoLanguages } from './hugo.ts'
import { jekyllBuilt, jekyllDates } from './jekyll.ts'
import { mkdocsBuilt, mkdocsFiles } from './mkdocs.ts'
import { fumadocsBuilt, nextraBuilt } from './next.ts'
import type { BuiltSite } from './site.ts'
import { sphinxBuilt } from './sphinx.ts'
import { starlightBuilt } from './starlight.ts'
import { vitepressBuilt, vitepressPlain } from './vitepress.ts'
import { vuepressBuilt } from './vuepress.ts'

/** By the name of the kept list: `kept/<name>.json`. */
export const builtSites: Readonly<Record<string, BuiltSite>> = {
  antora: antoraBuilt,
  astro: astroBuilt,
  docusaurus: docusaurusBuilt,
  'docusaurus-versions': docusaurusVersions,
  fumadocs: fumadocsBuilt,
  honkit: honkitBuilt,
  hugo: hugoBuilt,
  'hugo-languages': hugoLanguages,
  jekyll: jekyllBuilt,
  'jekyll-dates': jekyllDates,
  mkdocs: mkdocsBuilt,
  'mkdocs-files': mkdocsFiles,
  nextra: nextraBuilt,
  sphinx: sphinxBuilt,
  starlight: starlightBuilt,
  vitepress: vitepressBuilt,
  'vitepress-plain': vitepressPlain,
  vuepress: vuepressBuilt,
}
