// Whether a line of code in any language says what a name is, or only uses it: a declaration, a key, an option, a text of its own.

const comment = /^\s*(?:\/\/|#(?!\[|!\[|define|ifn?def|include)|\*|\/\*|--\s|;|<!--|"""|%)/
export const imported =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#include|@import\b|package\s)|\brequire\(|\bimport\(/
const declaring =
  /\b(?:def|fn|func|fun|function|class|struct|enum|union|trait|interface|type|const|let|var|val|static|module|macro_rules!|record|object|sub|proc|property|attr_(?:reader|writer|accessor)|alias|define|export|public|private|protected|pub|async|get|set)\b[\s\w<>,:&*'()[\]!]*$/

/** `declared`: a declaration, a key, a field. `text`: a text that is the name, which may also be a value of something else. */
export type Definition = 'declared' | 'text'

/** `key`: as `docs-syntax/terms/term-keys.ts` makes it. */
export function definitionOf(key: string, line: string): Definition | undefined {
  if (comment.test(line) || imported.test(line)) return undefined
  let found: Definition | undefined
  for (const { 0: written, index } of line.matchAll(/[A-Za-z\d_-]*[A-Za-z\d]/g)) {
    if (toKey(written) !== key) continue
    const [before, after] = [line.slice(0, index), line.slice(index + written.length)]
    if (declares(before, after)) return 'declared'
    // It begins the text, which may say then how an option is written.
    if (/["'`]\W{0,4}(?:[\w-]+[.:/])*$/.test(before) && /^\W{0,3}["'`]|^[\s=<[:]/.test(after)) found = 'text'
  }
  return found
}

function declares(before: string, after: string): boolean {
  // An argument of a call is a name of what is called.
  if (/^\s+$/.test(before) && /^\s*=(?!=).*,\s*$/.test(after)) return false
  if (declaring.test(before)) return true
  // A key or a field.
  if (/^\s*(?:\w+\s*)?[{(]?[\s"'`]*$/.test(before) && /^["'`]?\s*\??(?::(?!:)|=(?!=)|=>)/.test(after)) return true
  // A method.
  if (/^\s*(?:\w+\.)?$/.test(before) && /^\s*(?:<[^>]*>)?\(.*\)\s*(?:(?::\s*[^;]+)?[{;]|:\s*\S.*)\s*$/.test(after))
    return true
  if (/[\w)]\.$/.test(before) && /^\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)/.test(after)) return true
  if (/^\s*(?:module\.)?exports\.$|\bprototype\.$/.test(before) && /^\s*=(?!=)/.test(after)) return true
  // A field of a struct of Go; a variant of an enum.
  if (/^\s*$/.test(before) && /^\s+[\w*[\]."`]+(?:\s+`.*)?\s*,?$/.test(after)) return true
  return /^\s*$/.test(before) && /^\s*(?:\([^)]*\)|\{.*)?,\s*$/.test(after)
}

function toKey(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]+/g, '')
}
