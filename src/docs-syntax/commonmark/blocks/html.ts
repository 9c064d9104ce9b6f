// Blocks of HTML: the seven ways in which one begins, and how each of them ends.

import type { Line } from './line.ts'

/** `ending`: the last line contains it. Undefined: a blank line ends the block. */
export type HtmlBlock = { readonly ending: RegExp | undefined; readonly isWeak: boolean }

const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|' +
  'track|ul'

const attribute = String.raw`[ \t]+[:A-Z_a-z][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'/<=>${'`'}]*))?`
const starts: readonly { readonly start: RegExp; readonly skip: number; readonly block: HtmlBlock }[] = [
  strong(/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, 0, /<\/(?:script|pre|style|textarea)>/i),
  strong(/^<!--/, 2, /-->/),
  strong(/^<\?/, 1, /\?>/),
  strong(/^<![A-Za-z]/, 0, />/),
  strong(/^<!\[CDATA\[/, 0, /\]\]>/),
  strong(new RegExp(String.raw`^</?(?:${blockNames})(?:[\s>]|$|/>)`, 'i'), 0, undefined),
  {
    start: new RegExp(
      String.raw`^<(?:[A-Za-z][\dA-Za-z-]*(?:${attribute})*[ \t]*/?|/[A-Za-z][\dA-Za-z-]*[ \t]*)>[ \t]*$`,
    ),
    skip: 0,
    block: { ending: undefined, isWeak: true },
  },
]

/** `isWeak`: a tag that is alone on its line, which ends no paragraph. `ends`: the block ends on its first line. */
export function startHtml(
  source: string,
  line: Line,
): { readonly block: HtmlBlock; readonly ends: boolean } | undefined {
  const text = source.slice(line.first, line.end)
  const found = starts.find(({ start }) => start.test(text))
  return found && { block: found.block, ends: found.block.ending?.test(text.slice(found.skip)) ?? false }
}

function strong(start: RegExp, skip: number, ending: RegExp | undefined) {
  return { start, skip, block: { ending, isWeak: false } }
}
