// Writes the pages for language models: each as its Markdown beside the HTML, `llms.txt` with their list, and
// `llms-full.txt` with all that the navigation names.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

export async function writeForModels({ srcDir, outDir, pages, rewrites }: SiteConfig, about: string): Promise<void> {
  for (const page of pages) {
    const to = join(outDir, rewrites.map[page] ?? page)
    await mkdir(dirname(to), { recursive: true })
    await copyFile(join(srcDir, page), to)
  }
  const list: string[] = []
  const texts: string[] = []
  for (const { text, items } of sidebar) {
    list.push(`\n## ${text}\n`)
    for (const item of items) {
      const address = `${item.link.replace(/\/$/, '/index')}.md`
      const page = await readFile(join(outDir, address), 'utf8')
      const sentence = firstSentence(page)
      list.push(`- [${item.text}](${address})${sentence ? `: ${sentence}` : ''}`)
      texts.push(`<!-- ${address} -->\n\n${page}`)
    }
  }
  await writeFile(join(outDir, 'llms.txt'), `# Docent\n\n> ${about}\n${list.join('\n')}\n`)
  await writeFile(join(outDir, 'llms-full.txt'), texts.join('\n'))
}

/** Empty for a page that begins with a list. */
function firstSentence(page: string): string {
  const [first = ''] = page.replace(/^# .*\n+/, '').split('\n\n', 1)
  if (/^(?:[-*|#]|```)/.test(first)) return ''
  const plain = first.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)|\*\*/g, '$1')
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
