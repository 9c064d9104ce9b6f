// Writes a fault into the text of a page in the page's own syntax: Markdown, reStructuredText or AsciiDoc. It comes after a
// heading that is in no code block and no container, as a paragraph of its own.

import type { Random } from './random.ts'

export type Syntax = 'markdown' | 'rst' | 'adoc'

export function syntaxOf(path: string): Syntax {
  return path.endsWith('.rst') ? 'rst' : /\.(?:adoc|asciidoc)$/.test(path) ? 'adoc' : 'markdown'
}

/** Blanks out code, comments and frontmatter; lines stay. */
export function visibleLines(path: string, text: string): string[] {
  const lines = text
    .replace(
      /<!--[^]*?-->|\{% raw %\}[^]*?\{% endraw %\}|\{\/\*[^]*?\*\/\}|^export (?:default )?(?:async )?function[^]*?^\}/gm,
      (found) => found.replace(/[^\n]/g, ' '),
    )
    .split('\n')
  const syntax = syntaxOf(path)
  let fence: string | undefined
  let block: number | undefined
  const end = frontmatterEnd(lines)
  return lines.map((line, at) => {
    if (at < end) return ''
    if (syntax === 'rst') {
      const indent = line.search(/\S/)
      if (block !== undefined && indent !== -1 && indent <= block) block = undefined
      if (block !== undefined) return ''
      if (
        /^\s*\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight|raw|toctree|[^\w\s|])|(?<!^\s*\.\. .*)::\s*$/.test(
          line,
        ) ||
        /^\s*\.\.(?:\s+(?![\w|[_-]+.*::|_)|$)/.test(line)
      )
        block = Math.max(0, indent)
      return block === undefined ? line.replace(/``[^`]*``/g, '') : ''
    }
    const mark = (
      syntax === 'adoc' ? /^(?:-{4,}|\.{4,}|\/{4,}|```+)\s*$/ : /^\s*(?:[-*+>]\s+|\d+\.\s+)*(`{3,}|~{3,})/
    ).exec(line)
    const written = mark ? (mark[1] ?? line.trim()) : undefined
    if (written !== undefined) {
      if (fence === undefined) fence = written
      else if (written.startsWith(fence)) fence = undefined
      return ''
    }
    if (fence !== undefined || (syntax === 'adoc' && line.startsWith('//'))) return ''
    return syntax === 'markdown' ? line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '') : line
  })
}

function frontmatterEnd(lines: readonly string[]): number {
  const mark = lines[0]?.trim()
  if (mark !== '---' && mark !== '+++') return 0
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === mark)
  return end === -1 ? 0 : end + 1
}

/** Puts the paragraph after one of the headings, or at the end of a page without any. */
export function insertParagraph(path: string, text: string, paragraph: string, random: Random): string {
  const lines = text.split('\n')
  const shown = visibleLines(path, text)
  const syntax = syntaxOf(path)
  const places = shown.flatMap((line, at) => {
    if (syntax === 'rst') {
      const isTitle =
        /^([=\-~^"'*+#])\1{2,}\s*$/.test(line) && /^\S/.test(shown[at - 1] ?? '') && (lines[at + 1] ?? '') === ''
      return isTitle && !/^([=\-~^"'*+#])\1{2,}/.test(shown[at - 1] ?? '') ? [at] : []
    }
    return (syntax === 'adoc' ? /^={2,5} \S/ : /^#{1,6} \S/).test(line) && (shown[at + 1] ?? '').trim() === ''
      ? [at]
      : []
  })
  const at = places.length === 0 ? lines.length - 1 : random.pick(places)
  return [...lines.slice(0, at + 1), '', paragraph, '', ...lines.slice(at + 1)].join('\n')
}
