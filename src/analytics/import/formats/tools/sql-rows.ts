// Reads the rows of some tables from the lines of a dump of PostgreSQL: blocks of COPY in the text format, and INSERT statements
// with one row a line. Remembers the columns of those tables only. Never throws.

/** By name of column. NULL is absent. */
export type Cells = ReadonlyMap<string, string>

export type SqlRow = { readonly table: string; readonly cells: Cells }

const copy = /^COPY (\S{1,200}) \(([^)]{1,8000})\) FROM stdin;\s*$/i
const insert = /^INSERT INTO (\S{1,200})(?: \(([^)]{1,8000})\))? VALUES\s?/i
const create = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\S{1,200}) \($/i
const column = /^\s+("[^"]{1,100}"|\w{1,100})\s/
const mostColumns = 200

type State = {
  /** The lines are inside of it. */
  in: 'nothing' | 'copy' | 'create' | 'values'
  /** Undefined: of a table that nobody asks for. */
  table: string | undefined
  readonly columns: Map<string, readonly string[]>
}

/** Call it for every line, in order. Returns undefined for a line that is no row of these tables. */
export function createRows(tables: readonly string[]): (line: string) => SqlRow | undefined {
  const state: State = { in: 'nothing', table: undefined, columns: new Map() }
  const wanted = (name: string | undefined) => tables.find((table) => table === bareName(name ?? ''))
  return (line) => {
    if (state.in === 'copy') return readCopied(state, line)
    if (state.in === 'values') return readValues(state, line)
    if (state.in === 'create') return readColumn(state, line)
    return begin(state, line, wanted)
  }
}

function begin(
  state: State,
  line: string,
  wanted: (name: string | undefined) => string | undefined,
): SqlRow | undefined {
  const copied = copy.exec(line)
  if (copied) {
    open(state, 'copy', wanted(copied[1]), copied[2])
    return undefined
  }
  const created = create.exec(line)
  if (created) {
    const table = wanted(created[1])
    open(state, 'create', table, undefined)
    if (table !== undefined) state.columns.set(table, [])
    return undefined
  }
  const inserted = insert.exec(line)
  if (!inserted) return undefined
  const table = wanted(inserted[1])
  if (inserted[2] !== undefined && table !== undefined) state.columns.set(table, namesIn(inserted[2]))
  state.table = table
  const rest = line.slice(inserted[0].length).trim()
  if (rest !== '') return readValues(state, rest)
  state.in = 'values'
  return undefined
}

function open(state: State, as: State['in'], table: string | undefined, columns: string | undefined): void {
  state.in = as
  state.table = table
  if (table !== undefined && columns !== undefined) state.columns.set(table, namesIn(columns))
}

function readCopied(state: State, line: string): SqlRow | undefined {
  if (line === String.raw`\.`) {
    state.in = 'nothing'
    return undefined
  }
  if (state.table === undefined) return undefined
  return toRow(
    state,
    line.split('\t').map((cell) => (cell === String.raw`\N` ? undefined : unescapeCopied(cell))),
  )
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescapeCopied(cell: string): string {
  if (!cell.includes('\\')) return cell
  return cell.replaceAll(/\\(.)/g, (_, character: string) => controls[character] ?? character)
}

function readColumn(state: State, line: string): undefined {
  if (/^\);?/.test(line)) {
    state.in = 'nothing'
    return
  }
  const name = column.exec(line)?.[1]
  if (name === undefined || state.table === undefined || /^(?:constraint|primary|unique|check)$/i.test(name)) return
  const before = state.columns.get(state.table) ?? []
  if (before.length < mostColumns) state.columns.set(state.table, [...before, bareName(name)])
}

/** `(…),` or `(…);`, after which the statement ends. */
function readValues(state: State, line: string): SqlRow | undefined {
  const cells = splitValues(line.trim())
  state.in = cells?.isLast === false ? 'values' : 'nothing'
  return cells === undefined || state.table === undefined ? undefined : toRow(state, cells.values)
}

/** Undefined: not one row. */
function splitValues(
  text: string,
): { readonly values: readonly (string | undefined)[]; readonly isLast: boolean } | undefined {
  if (!text.startsWith('(')) return undefined
  const values: (string | undefined)[] = []
  const value = /\s*(?:E?'((?:[^']|'')*)'|([^',()]{0,200}))\s*([,)])/y
  value.lastIndex = 1
  while (values.length < mostColumns) {
    const found = value.exec(text)
    if (found === null) return undefined
    const [, quoted, bare = '', end] = found
    values.push(quoted === undefined ? toBare(bare.trim()) : quoted.replaceAll("''", "'"))
    if (end === ')') break
  }
  const rest = text.slice(value.lastIndex)
  // A conflict that the dump tolerates comes before the end.
  return rest === ',' ? { values, isLast: false } : rest.endsWith(';') ? { values, isLast: true } : undefined
}

function toBare(text: string): string | undefined {
  return /^null$/i.test(text) ? undefined : text
}

function toRow({ table, columns }: State, values: readonly (string | undefined)[]): SqlRow | undefined {
  const names = table === undefined ? undefined : columns.get(table)
  if (table === undefined || names?.length !== values.length) return undefined
  const cells = new Map<string, string>()
  for (const [index, cell] of values.entries()) if (cell !== undefined) cells.set(names[index] ?? '', cell)
  return { table, cells }
}

function namesIn(list: string): readonly string[] {
  return list.split(',', mostColumns).map((name) => bareName(name.trim()))
}

/** Without its schema and quotes. */
function bareName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).replaceAll('"', '')
}
