// The spellings under which one thing may be written in code and in its documentation. Pure.

import type { Term } from '../docs-syntax/terms/code-terms.ts'

const word = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/**
 * Any of them proves the term. A flag is a field or a property in code, as is a name such as `max-lines`; a setting in capitals may be
 * a field. Every other name has to be there as it is written.
 */
export function formsOf({ kind, text }: Pick<Term, 'kind' | 'text'>): readonly string[] {
  if (/^[a-z\d]+(?:-[a-z\d]+)+$/.test(text)) return spellingsOf(text)
  if (kind === 'variable') return [text, text.toLowerCase()]
  if (kind !== 'flag') return [text]
  const [flag = text] = text.split(/[/.:]/)
  const name = flag.replace(/^--?(?:no-)?/, '')
  return [...new Set([flag, name, ...spellingsOf(name)])].filter((one) => one.length > 1)
}

/** All spellings of a name, to find where it is defined: `maxLines`, `max_lines`, `max-lines`, `MAX_LINES`, `MaxLines`. */
export function spellingsOf(name: string): readonly string[] {
  const words = (name.match(word) ?? []).map((one) => one.toLowerCase())
  if (words.length < 2) return [...new Set([name, name.toLowerCase()])]
  const capital = words.map((one) => one.charAt(0).toUpperCase() + one.slice(1))
  const camel = [words[0], ...capital.slice(1)].join('')
  const joined = [words.join('_'), words.join('-'), words.join('_').toUpperCase(), camel, capital.join('')]
  return [...new Set([name, ...joined])]
}

/** A name of more parts is not taken apart. */
const mostParts = 12

/**
 * The texts of which code may put a name together: those that end in `_` may begin it, and one without may end it. An environment
 * variable may end in the name of a field.
 */
export function piecesOf(name: string): readonly string[] {
  const parts = name.match(/^_*[A-Za-z\d]+_|[A-Za-z\d]+_|[A-Za-z\d]+$/g) ?? []
  if (parts.length < 2 || parts.length > mostParts || parts.join('') !== name) return []
  const pieces = parts.flatMap((_, from) =>
    parts.slice(from).map((__, to) => parts.slice(from, from + to + 1).join('')),
  )
  const wanted = pieces.filter((piece) => piece !== name && /[A-Za-z]{3}/.test(piece))
  return [...wanted, ...(/[a-z]/.test(name) ? [] : wanted.filter(isEnd).map((piece) => piece.toLowerCase()))]
}

function isEnd(piece: string): boolean {
  return !piece.endsWith('_')
}

/** Whether pieces that are present make up the name. */
export function isMadeOf(name: string, present: ReadonlySet<string>): boolean {
  const hasEnd = (rest: string) => present.has(rest) || (!/[a-z]/.test(name) && present.has(rest.toLowerCase()))
  const reached = [0]
  for (const from of reached) {
    if (from > 0 && hasEnd(name.slice(from))) return true
    for (let at = name.indexOf('_', from + 1); at !== -1; at = name.indexOf('_', at + 1)) {
      if (!reached.includes(at + 1) && present.has(name.slice(from, at + 1))) reached.push(at + 1)
    }
  }
  return false
}

const isWord = (character: string | undefined) => character !== undefined && /[\w$]/.test(character)

/** Whether the text has the name as a whole: not as a part of a longer one. */
export function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (isWhole(text, name, at)) return true
  }
  return false
}

function isWhole(text: string, name: string, at: number): boolean {
  const end = at + name.length
  const [before, after] = [text[at - 1], text[end]]
  if (isWord(name[0]) && isWord(before)) return false
  if (isWord(name.at(-1)) && isWord(after)) return false
  // `max-lines` is no part of `max-lines-count`.
  if (!name.includes('-')) return true
  return (
    !(after === '-' && isWord(text[end + 1])) &&
    !(before === '-' && isWord(text[at - 2]) && !text.slice(0, at).endsWith('no-'))
  )
}

const definers =
  /(?:^|[^\w.])(?:def|class|fn|func|function|struct|enum|type|interface|trait|const|let|var|val|get|set|static|mod|module|macro|attr_\w+|option|describe|export)\s+(?:\w+\s+){0,2}[:*]?$/
const item = /^\s*(?:#{1,6}|[-*+|]|\.\. [\w:-]+::|=+|<\w+)\s*[^\w]*$/

/** Whether a keyword of a language defines the name in the line. */
export function isDeclared(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return at !== -1 && isWhole(line, name, at) && definers.test(line.slice(0, at))
}

/** Whether the line looks as if it defines the name, in code or in documentation: by form, for any language. */
export function isDefinition(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    if (!isWhole(line, name, at)) continue
    const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
    if (definers.test(before) || item.test(before)) return true
    if (/\w\.$/.test(before) && !/\b(?:this|self|cls|exports|prototype)\.$/.test(before)) continue
    if (/^[`"']?\??\s*(?:[:=](?!=)|\()/.test(after)) return true
  }
  return false
}

/** Whether the line begins something that has parts: a class, an object, a table, a heading. */
export function isContainer(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    if (!isWhole(line, name, at)) continue
    const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
    if (definers.test(before) || /\bimpl\b[^{]*$/.test(before) || item.test(before) || /^\s*\[+[\w.-]*$/.test(before))
      return true
    if (/^[`"']?\??\s*(?:[:=](?!=)[^;]*[{[(]?\s*$|\{|:\s*$|=\s*\w*[{[(])/.test(after) || /^\(\s*\{?\s*$/.test(after))
      return true
  }
  return false
}

export function isClass(line: string, name: string): boolean {
  const at = line.indexOf(name)
  return (
    at !== -1 &&
    isWhole(line, name, at) &&
    /\b(?:class|struct|interface|enum|trait|impl|type|object)\b[^={(]*$/.test(line.slice(0, at))
  )
}

/** Whether the owner is shortly before the part in one line, and no sentence is between them. An import has either order. */
export function isJoinedIn(line: string, owner: readonly string[], part: readonly string[]): boolean {
  const [first = ''] = part
  const parts = first.startsWith('--') ? [first] : part
  if (
    /^\s*(?:import|export|from|use|using|const|var)\b/.test(line) &&
    /\b(?:import|require|from|use|using)\b/.test(line)
  ) {
    return owner.some((one) => hasName(line, one)) && parts.some((one) => hasName(line, one))
  }
  return owner.some((one) => {
    for (let at = line.indexOf(one); at !== -1; at = line.indexOf(one, at + 1)) {
      if (!isWhole(line, one, at)) continue
      const rest = line.slice(at + one.length, at + one.length + 80)
      if (
        parts.some(
          (other) => hasName(rest, other) && !/[a-z,] [a-z]+ [a-z]+ /i.test(rest.slice(0, rest.indexOf(other))),
        )
      )
        return true
    }
    return false
  })
}
