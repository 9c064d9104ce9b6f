// Measures how deep a JSON text nests, before it is parsed: V8 needs seconds for a megabyte of open brackets, and no
// other request gets a response meanwhile.

/** The limit on nesting. Docent's own bodies nest three levels deep. */
export const maxDepth = 64

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Counts brackets outside of strings, in one pass. The text may be malformed: the parser detects that. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (character === openBracket || character === openBrace) depth += 1
    else if (character === closeBracket || character === closeBrace) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

/** Returns the end of the string that begins at `start`: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** True after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first -= 1
  return (at - first) % 2 === 1
}
