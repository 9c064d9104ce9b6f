import { join } from 'node:path'
import { type Generator, installed, runBuild } from './generator.ts'

export const vitepress: Generator = {
  site: 'vitepress',
  // Images that are nowhere would fail the build.
  files: {
    '.vitepress/config.mjs':
      "export default { title: 'Tricks', ignoreDeadLinks: true, vue: { template: { transformAssetUrls: false } } }\n",
    'index.md': '# A\n',
  },
  pages: '',
  isLive: true,
  extensions: ['md'],
  createAccepts: async (folder) => {
    const site = (await import(join(installed, 'vitepress/dist/node/index.js'))) as VitePress
    const vue = (await import(join(installed, 'vue/compiler-sfc/index.mjs'))) as VueCompiler
    const markdown = await site.createMarkdownRenderer(folder)
    return (text) => {
      // Other languages than YAML would run here.
      if (/^---[^\r\n]/.test(text)) return false
      try {
        const source = `<div>${markdown.render(text)}</div>`
        const { errors } = vue.parse(`<template>${source}</template>`)
        return errors.length === 0 && vue.compileTemplate({ source, filename: 'a.md', id: 'a' }).errors.length === 0
      } catch {
        // Its frontmatter does not parse.
        return false
      }
    }
  },
  build: (folder) => {
    return runBuild('.vitepress/dist', folder, [
      process.execPath,
      join(installed, 'vitepress/bin/vitepress.js'),
      'build',
    ])
  },
}

type VitePress = {
  readonly createMarkdownRenderer: (folder: string) => Promise<{ readonly render: (text: string) => string }>
}
type Compiled = { readonly errors: readonly unknown[] }
type VueCompiler = {
  readonly parse: (text: string) => Compiled
  readonly compileTemplate: (options: Readonly<Record<'source' | 'filename' | 'id', string>>) => Compiled
}
