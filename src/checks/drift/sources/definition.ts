// Whether a line of code in any language says what a name is, or only uses it: a declaration, a key, an option, a text of its own.

import { termKeys } from '../../../docs-syntax/terms/term-keys.ts'

const comment = /^\s*(?:\/\/|#(?!\[|!\[|define|ifn?def|include)|\*|\/\*|--\s|;|<!--|"""|%)/
export const imported =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|using\s|#include|@import\b|package\s)|\brequire\(|\bimport\(/
const declaring =
  /\b(?:def|fn|func|fun|function|class|struct|enum|union|trait|interface|type|const|let|var|val|static|module|macro_rules!|record|object|sub|proc|property|attr_(?:reader|writer|accessor)|alias|define|export|public|private|protected|pub|async|get|set)\b[\s\w<>,:&*'()[\]!]*$/

/** A name within a function. */
const local = /^\s+(?:const|let|var)\s+(?:mut\s+)?[{[]?[\w\s,]*$/

/** `declared`: a declaration, a key, a field. `text`: a text that is the name, which may also be a value of something else. */
export type Definition = 'declared' | 'text'

/**
 * Whether the line has the name in the form of `written`: `socialLinks` is another thing than `SocialLinks`, and `SumTask` than
 * `sum_task`, but a setting `maxLines` may be a field `MaxLines` or `max_lines` of the code.
 */
export function hasForm(written: string, key: string, { path, line }: { path: string; line: string }): boolean {
  // In a script, nothing is defined so: the line is a part of a text.
  if (/\.[cm]?[jt]sx?$/.test(path) && /^\w+\s*=(?!=)/.test(line)) return false
  const isPascal = /^[A-Z][a-z\d]+[A-Z]/.test(written)
  const isCamel = /^[a-z\d]+[A-Z]/.test(written) && !/\.(?:go|cs)$/.test(path)
  const isSnake = /^[a-z\d]+(?:_[a-z\d]+)+$/.test(written)
  return Array.from(line.matchAll(/[A-Za-z\d_-]*[A-Za-z\d]/g), ([one]) => one).some(
    (one) =>
      termKeys(one).whole === key &&
      !(
        (isPascal && !/^_*[A-Z]/.test(one)) ||
        (isCamel && /^[A-Z][a-z]/.test(one)) ||
        (isSnake && !/[_-]/.test(one.replace(/^[_-]+/, '')))
      ),
  )
}

/** `key`: as `docs-syntax/terms/term-keys.ts` makes it. */
export function definitionOf(key: string, line: string): Definition | undefined {
  if (comment.test(line) || imported.test(line)) return undefined
  let found: Definition | undefined
  for (const { 0: written, index } of line.matchAll(/[A-Za-z\d_-]*[A-Za-z\d]/g)) {
    if (termKeys(written).whole !== key) continue
    const [before, after] = [line.slice(0, index), line.slice(index + written.length)]
    if (isParameter(before) || local.test(before)) continue
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
  if (/^\s*(?:\w+\s*)?[{(]?[\s"'`]*$/.test(before) && /^["'`]?\s*\??(?::(?![:=])|=(?!=)|=>)/.test(after)) return true
  // A method.
  if (/^\s*(?:\w+\.)?$/.test(before) && /^\s*(?:<[^>]*>)?\(.*\)\s*(?:(?::\s*[^;]+)?[{;]|:\s*\S.*)\s*$/.test(after))
    return true
  if (/[\w)]\.$/.test(before) && /^\s*=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)/.test(after)) return true
  if (/^\s*(?:module\.)?exports\.$|\bprototype\.$/.test(before) && /^\s*=(?!=)/.test(after)) return true
  // A field of a struct of Go; a variant of an enum.
  if (/^\s*$/.test(before) && /^\s+[\w*[\]."`]+(?:\s+`.*)?\s*,?$/.test(after)) return true
  return /^\s*$/.test(before) && /^\s*(?:\([^)]*\)|\{.*)?,\s*$/.test(after)
}

/** A name between the parentheses of a declaration: callers may give it another one. */
function isParameter(before: string): boolean {
  const part = before.slice(
    /^.*\b(?:def|fn|func|fun|function|sub|proc|async)\b/.exec(before)?.[0].length ?? before.length,
  )
  return part.split('(').length > part.split(')').length
}
