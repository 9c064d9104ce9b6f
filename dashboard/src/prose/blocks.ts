// Splits Markdown of the agent into blocks. Pure: knows no element. Text that is still streaming may end anywhere, and what
// is not known here stays as it is written.

export type ListItem = { readonly depth: number; readonly mark: string; readonly text: string }

export type Block =
  | { readonly kind: 'code' | 'quote' | 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }

/** A code block runs to its closing fence or, while text is streaming, to the end. A fence's line has no other backtick. */
const codeBlock = /^```[^`\n]*(?:\n|$(?![^]))(?<code>[^]*?)(?:^```[^\S\n]*$|$(?![^]))/gm

export function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  let end = 0
  for (const found of text.matchAll(codeBlock)) {
    blocks.push(...splitText(text.slice(end, found.index)))
    blocks.push({ kind: 'code', text: (found.groups?.code ?? '').replace(/\n$/, '') })
    end = found.index + found[0].length
  }
  return [...blocks, ...splitText(text.slice(end))]
}

const itemLine = /^(?<indent>[ \t]*)(?<mark>[-*+]|\d{1,9}[.)])[ \t]+(?<text>\S.*)$/
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

function splitText(text: string): readonly Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  const flush = () => {
    const joined = trim(paragraph.join('\n'))
    if (joined !== '') blocks.push({ kind: 'text', text: joined })
    paragraph = []
  }
  for (let at = 0; at < lines.length;) {
    const taken = takeBlock(lines, at, paragraph.at(-1)?.trim() ?? '')
    if (taken === undefined) {
      paragraph.push(lines[at] ?? '')
      at += 1
    } else {
      flush()
      blocks.push(taken.block)
      at = taken.end
    }
  }
  flush()
  return blocks
}

/** A longer line is text: patterns over it would take long. */
const longestLine = 2_000

/** Without the empty lines around it; the first line keeps its spaces. */
function trim(text: string): string {
  return text.replace(/^\n+/, '').trimEnd()
}

type Taken = { readonly block: Block; readonly end: number }

/** The block that begins at a line, or undefined for a line of a paragraph. `before`: the line above in its paragraph. */
function takeBlock(lines: readonly string[], at: number, before: string): Taken | undefined {
  const line = lines[at] ?? ''
  if (line.length > longestLine) return undefined
  const heading = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line)
  if (heading)
    return { block: { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }, end: at + 1 }
  if (/^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line))
    return { block: { kind: 'rule' }, end: at + 1 }
  if (line.startsWith('>')) {
    const quoted = takeWhile(lines, at, (one) => one.startsWith('>'))
    const text = quoted.map((one) => one.replace(/^> ?/, '')).join('\n')
    return { block: { kind: 'quote', text: trim(text) }, end: at + quoted.length }
  }
  if (line.includes('|') && isDelimiter(lines[at + 1] ?? '')) return takeTable(lines, at)
  // A number at the start of a wrapped line is no list.
  const item = itemLine.exec(line)?.groups
  if (item && (before === '' || !/^\d/.test(item['mark'] ?? ''))) return takeList(lines, at)
  return undefined
}

function isDelimiter(line: string): boolean {
  return line.length <= longestLine && delimiterRow.test(line)
}

function takeTable(lines: readonly string[], at: number): Taken | undefined {
  const head = toCells(lines[at] ?? '')
  if (head.length !== toCells(lines[at + 1] ?? '').length) return undefined
  const body = takeWhile(lines, at + 2, (one) => one.trim() !== '' && one.includes('|'))
  const rows = body.map((one) => {
    const cells = toCells(one)
    return head.map((_, index) => cells[index] ?? '')
  })
  return { block: { kind: 'table', head, rows }, end: at + 2 + body.length }
}

/** A pipe in code or after a backslash is part of its cell. */
function toCells(line: string): readonly string[] {
  const cells = line.trim().match(/(?:\\.|`[^`]*`|[^|])+|\|(?=\|)/g) ?? []
  return cells.map((cell) => (cell === '|' ? '' : cell.trim().replaceAll(String.raw`\|`, '|')))
}

/** Lines that continue an item are part of it; a blank line between two items is left out. */
function takeList(lines: readonly string[], at: number): Taken {
  const items: { depth: number; mark: string; text: string }[] = []
  let end = at
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const found = itemLine.exec(line)?.groups
    const next = lines[end + 1] ?? ''
    if (found) {
      const depth = Math.min(3, Math.floor((found['indent'] ?? '').replaceAll('\t', '    ').length / 2))
      items.push({ depth, mark: found['mark'] ?? '', text: found['text'] ?? '' })
    } else if (line.trim() === '') {
      if (!itemLine.test(next) && !/^[ \t]{2,}\S/.test(next)) break
    } else if (/^[ \t]/.test(line) || (lines[end - 1] ?? '').trim() !== '') {
      const last = items.at(-1)
      if (last === undefined || /^ {0,3}(?:#|>)/.test(line)) break
      last.text += `\n${line.trim()}`
    } else break
  }
  return { block: { kind: 'list', items }, end }
}

function takeWhile(lines: readonly string[], at: number, holds: (line: string) => boolean): readonly string[] {
  const rest = lines.slice(at)
  const end = rest.findIndex((line) => !holds(line))
  return end === -1 ? rest : rest.slice(0, end)
}
