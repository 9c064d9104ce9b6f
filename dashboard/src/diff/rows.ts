// A diff by file as rows: what a virtual list shows, one row of the screen each. Pure.

export type Line = {
  readonly kind: 'added' | 'removed' | 'same'
  readonly before: number | undefined
  readonly after: number | undefined
  readonly text: string
}

export type Patched = { readonly path: string; readonly patch: string; readonly binary: boolean }

export type Row<File extends Patched> =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'line'; readonly line: Line; readonly file: File }
  | { readonly kind: 'note'; readonly text: string }

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/

export function toRows<File extends Patched>(
  files: readonly File[],
  isFolded: (path: string) => boolean,
): readonly Row<File>[] {
  return files.flatMap((file) => {
    const head: Row<File> = { kind: 'file', file }
    if (isFolded(file.path)) return [head]
    if (file.binary) return [head, { kind: 'note', text: 'A binary file.' }]
    return [head, ...toLines(file)]
  })
}

function toLines<File extends Patched>(file: File): readonly Row<File>[] {
  const rows: Row<File>[] = []
  let before = 0
  let after = 0
  let isInHunk = false
  for (const text of file.patch.split('\n')) {
    const head = hunkHead.exec(text)
    if (head) {
      ;[before, after] = [Number(head[1]), Number(head[2])]
      isInHunk = true
      rows.push({ kind: 'hunk', text: (head[3] ?? '').trim() })
      continue
    }
    if (!isInHunk || text === '') continue
    const mark = text.charAt(0)
    const rest = text.slice(1)
    if (mark === '\\') rows.push({ kind: 'note', text: 'No newline at the end of the file' })
    else if (mark === '+') rows.push(lineOf(file, { kind: 'added', before: undefined, after: after++, text: rest }))
    else if (mark === '-') rows.push(lineOf(file, { kind: 'removed', before: before++, after: undefined, text: rest }))
    else if (mark === ' ') rows.push(lineOf(file, { kind: 'same', before: before++, after: after++, text: rest }))
  }
  return rows.length === 0 ? [{ kind: 'note', text: 'Only the name or the mode has changed.' }] : rows
}

function lineOf<File extends Patched>(file: File, line: Line): Row<File> {
  return { kind: 'line', line, file }
}
