// Splits the agent's text into paragraphs, quotes and code blocks, and a paragraph into text and inline code. Pure: knows no
// element. Text that is still streaming may end anywhere.

export type Block = { readonly kind: 'code' | 'quote' | 'text'; readonly text: string }

/** A code block runs to its closing fence or, while text is streaming, to the end. A fence's line has no other backtick. */
const codeBlock = /^```[^`\n]*(?:\n|$(?![^]))(?<code>[^]*?)(?:^```[^\S\n]*$|$(?![^]))/gm

/** Lines that follow one another and begin with `>`. */
const quote = /^((?:>.*(?:\n|$(?![^])))+)/gm

export function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  const addText = (part: string): void => {
    for (const [at, piece] of part.split(quote).entries()) {
      const isQuote = at % 2 === 1
      const trimmed = (isQuote ? piece.replaceAll(/^> ?/gm, '') : piece).replace(/^\n+|\s+$/g, '')
      if (trimmed !== '') blocks.push({ kind: isQuote ? 'quote' : 'text', text: trimmed })
    }
  }
  let end = 0
  for (const found of text.matchAll(codeBlock)) {
    addText(text.slice(end, found.index))
    blocks.push({ kind: 'code', text: (found.groups?.code ?? '').replace(/\n$/, '') })
    end = found.index + found[0].length
  }
  addText(text.slice(end))
  return blocks
}

/** A backtick without a second one on its line is text. */
export function splitInline(text: string): readonly Block[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, at): Block => ({ kind: at % 2 === 1 ? 'code' : 'text', text: part }))
    .filter((part) => part.text !== '')
}
