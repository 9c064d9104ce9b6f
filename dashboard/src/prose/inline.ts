// Splits a paragraph of the agent into text, code, emphasis and links. Pure: knows no element. HTML stays text.

export type Inline =
  | { readonly kind: 'code' | 'text'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'del'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly Inline[] }

/** In the order of what wins: code, links and addresses, then emphasis. Nothing of it spans a blank line. */
const pattern = new RegExp(
  [
    String.raw`\\(?<escaped>[!-/:-@[-\`{-~])`,
    '(?<ticks>`+)(?<code>[^`\\n](?:[^\\n]*?[^`\\n])?)\\k<ticks>(?!`)',
    String.raw`!?\[(?<label>[^[\]\n]+)\]\((?<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+"[^"\n]*")?\)`,
    String.raw`<(?<auto>https?:\/\/[^\s<>]+)>`,
    String.raw`(?<bare>(?<![\w/])https?:\/\/[^\s<>\`]*[^\s<>\`.,;:!?'")\]}*_~|])`,
    String.raw`\*\*(?<strong>\S(?:[^\n]*?\S)?)\*\*`,
    String.raw`(?<!\w)__(?<strong2>\S(?:[^\n]*?\S)?)__(?!\w)`,
    String.raw`~~(?<del>\S(?:[^\n]*?\S)?)~~`,
    String.raw`\*(?<em>[^\s*](?:[^\n*]*[^\s*])?)\*`,
    String.raw`(?<!\w)_(?<em2>[^\s_](?:[^\n_]*[^\s_])?)_(?!\w)`,
  ].join('|'),
  'g',
)

/** Emphasis in emphasis, and no deeper: hostile text must not cost more than its length. */
const mostDepth = 3
const longestText = 5_000

export function splitInline(text: string, depth = 0): readonly Inline[] {
  if (text.length > longestText) return [toText(text)]
  const parts: Inline[] = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const inner = (words = '') => (depth < mostDepth ? splitInline(words, depth + 1) : [toText(words)])
    const part = toPart(found.groups ?? {}, inner)
    if (part === undefined) continue
    if (found.index > end) parts.push(toText(text.slice(end, found.index)))
    parts.push(part)
    end = found.index + found[0].length
  }
  if (end < text.length) parts.push(toText(text.slice(end)))
  return joinTexts(parts)
}

/** The words of a line without its marks, for a place that has room for text alone. */
export function plainWords(line: string): string {
  const wordsOf = (parts: readonly Inline[]): string =>
    parts.map((part) => ('parts' in part ? wordsOf(part.parts) : part.text)).join('')
  return wordsOf(splitInline(line.replace(/^\s*(?:(?:#{1,6}|[-*+>]|\d{1,9}[.)])\s+)+/, '')))
}

type Groups = Readonly<Record<string, string | undefined>>

function toPart(groups: Groups, inner: (words?: string) => readonly Inline[]): Inline | undefined {
  const { escaped, code, label, target = '', auto, bare, strong, strong2, del, em, em2 } = groups
  if (escaped !== undefined) return toText(escaped)
  if (code !== undefined) return { kind: 'code', text: code.length > 2 ? code.replace(/^ (.*) $/, '$1') : code }
  if (label !== undefined) {
    const href = toAddress(target)
    return href === undefined ? undefined : { kind: 'link', href, parts: inner(label) }
  }
  const address = auto ?? bare
  if (address !== undefined) return { kind: 'link', href: address, parts: [toText(address)] }
  if ((strong ?? strong2) !== undefined) return { kind: 'strong', parts: inner(strong ?? strong2) }
  if (del !== undefined) return { kind: 'del', parts: inner(del) }
  return { kind: 'em', parts: inner(em ?? em2) }
}

/** Only addresses of the web lead anywhere: a path of the repository has no page here. */
function toAddress(target: string): string | undefined {
  return /^https?:\/\//.test(target) && URL.canParse(target) ? target : undefined
}

function toText(text: string): Inline {
  return { kind: 'text', text }
}

function joinTexts(parts: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = toText(last.text + part.text)
    else joined.push(part)
  }
  return joined
}
