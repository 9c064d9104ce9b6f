// Reads the terms of a piece of code or of a line of a diff: names, flags, variables, paths, in whatever language. It needs no
// grammar, so it reads a line that was cut out of its file. Takes linear time for any text.

/**
 * `flag`: `--name`, `-x`. `variable`: `NAME_OF_IT`, an environment variable or a constant. `path`: with a slash. `name`: an
 * identifier whose form says so: `a_b`, `a.b`, `A::b`, `aB`, `a-b`. `word`: a run of letters that may be any word. `number`:
 * also versions and numbers with a unit. `address`: with a scheme.
 */
export type TermKind = 'flag' | 'variable' | 'path' | 'name' | 'word' | 'number' | 'address'

/** `start`: its offset in the text. `text`: as written, without signs around it. */
export type Term = { readonly text: string; readonly kind: TermKind; readonly start: number }

/** `GET /v1/x`, with one space. */
export type Operation = { readonly text: string; readonly start: number }

/** Longer ones are data, such as an image in the code. */
const maxTerm = 100
const maxRun = 2_000
/** A method and a path, also in two cells of a table or two spans of code. */
const operation = /\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)\b[\s|`*"',:(]{1,8}(\/[\w$@~./:%{}<>*-]{0,200})/g

export function readTerms(text: string): Term[] {
  return read(text, false)
}

/** Those of which `isMarkedByForm` is true: most words of prose are passed over at once. */
export function readMarkedTerms(text: string): Term[] {
  return read(text, true).filter(isMarkedByForm)
}

export function readOperations(text: string): Operation[] {
  return Array.from(text.matchAll(operation), ({ 1: method, 2: path, index: start }) => ({
    text: `${method} ${withoutEnd(path ?? '')}`,
    start,
  }))
}

/**
 * Whether a text names something of a product even where nothing marks it as code: `--flag`, `snake_case`, `camelCase`, `a.b()`.
 * Words with a hyphen, such as `built-in`, and `and/or` do not.
 */
export function isMarkedByForm({ text, kind }: Pick<Term, 'text' | 'kind'>): boolean {
  switch (kind) {
    case 'flag':
      return text.startsWith('--')
    case 'variable':
      return true
    case 'path':
      return /^[./~@]|\.\w{1,5}$|_/.test(text)
    case 'name':
      return /[_$:@]|[a-z\d][A-Z]|\w\w\.\w\w|\w{2}\.\w/.test(text)
    case 'word':
    case 'number':
    case 'address':
    default:
      return false
  }
}

function read(text: string, onlyMarked: boolean): Term[] {
  const terms: Term[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (classOf(text, at) === 0) continue
    const start = at
    let isPlain = true
    let before = 0
    for (let kind = classOf(text, at); kind !== 0; kind = classOf(text, ++at)) {
      if (kind === classes.other || (kind === classes.upper && before === classes.lower)) isPlain = false
      before = kind
    }
    if (isPlain && onlyMarked) continue
    if (at - start > maxRun) continue
    if (isPlain && text[start - 1] !== '\\') push(text.slice(start, at), start, 'word', terms)
    else addTerms(text.slice(start, at), start, text, terms)
  }
  return terms
}

const classes = { lower: 1, upper: 2, other: 3 } as const
const classOfCode = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return classes.lower
  if (/[A-Z]/.test(character)) return classes.upper
  return /[\d_$@~./:#+-]/.test(character) ? classes.other : 0
})

function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at)
  // Past the end, it is not a number.
  return code < 128 ? (classOfCode[code] ?? 0) : 0
}

function addTerms(written: string, index: number, whole: string, terms: Term[]): void {
  if (written.includes('://')) push(written, index, 'address', terms)
  else if (!hasSingleColon(written)) pushTrimmed(written, index, whole, terms)
  // `name:value`, and not `a::b`.
  else {
    for (const { 0: part, index: from } of written.matchAll(/(?:[^:]|::)+/g)) {
      pushTrimmed(part, index + from, whole, terms)
    }
  }
}

function hasSingleColon(text: string): boolean {
  return text.includes(':') && /(?<!:):(?!:)/.test(text)
}

function pushTrimmed(written: string, index: number, whole: string, terms: Term[]): void {
  let start = 0
  let end = written.length
  while (end > start && isMark(written.charCodeAt(end - 1))) end -= 1
  while (start < end && isOuter(written, start)) start += 1
  const before = whole[index + start - 1] ?? ''
  // `\n` in a text is a line break.
  if (before === '\\' && start === 0 && /^[nrt]/.test(written)) start += 1
  // In `f().name`, the sign belongs to what is before it.
  else if (/[)\]}?]/.test(before)) while (start < end && isMark(written.charCodeAt(start))) start += 1
  const text = written.slice(start, end)
  if (/[A-Za-z\d]/.test(text)) push(text, index + start, kindOf(text), terms)
}

function push(text: string, start: number, kind: TermKind, terms: Term[]): void {
  if (text.length <= maxTerm && (text.length > 1 || kind === 'number')) terms.push({ text, kind, start })
}

/** Signs that end no term. */
function isMark(code: number): boolean {
  // . / : # + - ~ @
  return (
    code === 46 ||
    code === 47 ||
    code === 58 ||
    code === 35 ||
    code === 43 ||
    code === 45 ||
    code === 126 ||
    code === 64
  )
}

/** A sign before a term that says nothing of it: `:name`, `#name`, `+name`, `...name`, `---`, `~a.b` of Sphinx, `.` before a space. */
function isOuter(written: string, at: number): boolean {
  const character = written[at]
  const next = written[at + 1] ?? ''
  if (character === ':' || character === '#' || character === '+') return true
  if (character === '~') return next !== '/'
  if (character === '-') return written.startsWith('---', at) || !/[\w-]/.test(next)
  if (character === '.')
    return written.startsWith('...', at) || !/[\w./]/.test(next) || /^\.\.(?![/.])/.test(written.slice(at))
  return false
}

function kindOf(text: string): TermKind {
  if (/^--?[A-Za-z]/.test(text)) return 'flag'
  if (/^[-v.]{0,2}\d/.test(text)) return 'number'
  if (text.includes('/')) return 'path'
  if (/^[A-Z][A-Z\d]*_[A-Z\d_]*$/.test(text)) return 'variable'
  return /[_.:$@#~+-]|[a-z\d][A-Z]/.test(text) ? 'name' : 'word'
}

function withoutEnd(path: string): string {
  let end = path.length
  while (end > 1 && (isMark(path.charCodeAt(end - 1)) || path[end - 1] === '*')) end -= 1
  return path.slice(0, end)
}
