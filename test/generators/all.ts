import { docusaurus } from './docusaurus.ts'
import type { Generator } from './generator.ts'
import { jekyll } from './jekyll.ts'
import { mkdocs } from './mkdocs.ts'
import { vitepress } from './vitepress.ts'

export const generators: readonly Generator[] = [docusaurus, jekyll, mkdocs, vitepress]
