// Writes redirects, and second pages at an address, in the forms that a site already uses.

import { posix } from 'node:path'
import type { Reference } from './references.ts'
import type { PlantedSite } from './site.ts'

export type RedirectPlace = {
  readonly file: string
  readonly source: string
  readonly text: string
  readonly page: string
  /** Text at the line of the source, if it is another line than that of the destination. */
  readonly mark?: string
}

/** The text of a file that keeps redirects with one more, from the address of the page. Undefined: no file of the site keeps any. */
export function addRedirect(
  site: PlantedSite,
  text: (path: string) => string,
  { url, target }: Reference,
  to: string,
): RedirectPlace | undefined {
  const address = url.replace(/[#?].*$/, '').replace(/\.(?:html|md)$/, '')
  for (const file of site.texts.keys()) {
    const found = write(site, { file, text: text(file), page: target, address, to })
    if (found) return { file, page: target, ...found }
  }
  return undefined
}

type Writing = {
  readonly file: string
  readonly text: string
  readonly page: string
  readonly address: string
  readonly to: string
}

function write(
  site: PlantedSite,
  { file, text, page, address, to }: Writing,
): { source: string; text: string; mark?: string } | undefined {
  const name = posix.basename(file)
  if (name === '_redirects') return { source: address, text: `${address} /${to} 301\n${text}` }
  if (name === 'netlify.toml' && text.includes('[[redirects]]')) {
    const mark = `from = "${address}"\n  to = "/${to}"`
    return { source: address, text: `${text}\n[[redirects]]\n  ${mark}\n`, mark }
  }
  if (/^(?:vercel|docs|mint)\.json$/.test(name) && /"redirects":\s*\[\s*\{/.test(text)) {
    return {
      source: address,
      text: text.replace(
        /"redirects":\s*\[/,
        (start) => `${start}\n{ "source": "${address}", "destination": "/${to}" },`,
      ),
    }
  }
  if (name.startsWith('docusaurus.config') && /\bredirects:\s*\[\s*\{/.test(text)) {
    return {
      source: address,
      text: text.replace(/\bredirects:\s*\[/, (start) => `${start}\n{ from: '${address}', to: '/${to}' },`),
    }
  }
  if (name.startsWith('astro.config') && /\bredirects:\s*\{/.test(text)) {
    return { source: address, text: text.replace(/\bredirects:\s*\{/, (start) => `${start}\n'${address}': '/${to}',`) }
  }
  if (name === 'conf.py' && /^rediraffe_redirects = \{$/m.test(text)) {
    const source = posix.relative(site.folder, page)
    const end = posix.extname(source)
    return {
      source: source.slice(0, -end.length),
      text: text.replace(/^rediraffe_redirects = \{$/m, (start) => `${start}\n    "${source}": "${to}${end}",`),
    }
  }
  const map = /^mkdocs\.ya?ml$/.test(name) ? /^([ \t]*)redirect_maps:[ \t]*\n([ \t]+)(?=\S)/m.exec(text) : null
  if (!map) return undefined
  const source = posix.relative(site.folder, page)
  const at = map.index + map[0].length
  return {
    source: source.replace(/\.md$/, ''),
    text: `${text.slice(0, at)}'${source}': '${to}.md'\n${map[2]}${text.slice(at)}`,
  }
}

/** The path of a second page at the same address. Undefined: the kind of site has no such clash by names. */
export function twinOf({ kind, paths }: PlantedSite, page: string): string | undefined {
  const { dir, name, ext } = posix.parse(page)
  if (/^(?:index|_index|readme)$/i.test(name) || ext === '.rst' || ext === '.adoc') return undefined
  const at = (end: string) => {
    const path = posix.join(dir, name + end)
    return paths.has(path) ? undefined : path
  }
  switch (kind) {
    case 'mkdocs':
    case 'hugo':
      return at('/index.md')
    case 'docusaurus':
    case 'starlight':
      return ext === '.md' ? at('.mdx') : at('.md')
    case 'nextra':
    case 'fumadocs':
      return ext === '.mdx' && name !== 'page' ? at('.md') : undefined
    case 'mintlify':
      return ext === '.mdx' ? at('.md') : undefined
    case 'jekyll':
      return ext === '.md' && !/^\d{4}-/.test(name) ? at('.markdown') : undefined
    case 'antora':
    case 'mdbook':
    case 'myst':
    case 'plain':
    case 'sphinx':
    // The pages `a.md` and `a/index.md` of VitePress are two files that two addresses serve.
    case 'vitepress':
    default:
      return undefined
  }
}
