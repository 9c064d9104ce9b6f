// What a script is: a generator that asks for tool calls and is given their answers, and a few steps that scripts
// share. A script depends on its instruction and the answers alone, so it can be run again over a transcript.

import { isInvisible } from '../../docs-syntax/text.ts'

export type Call = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
export type Answer = { readonly text: string; readonly isError: boolean }
/** Calls for one turn, and what they are for in a few words. */
export type Step = { readonly note: string; readonly calls: readonly Call[] }
export type Script<Result = Outcome> = Generator<Step, Result, readonly Answer[]>

export type Outcome = {
  readonly changed: boolean
  /** What was done, and what was left or could not be done: sentences. */
  readonly done: readonly string[]
  readonly left: readonly string[]
}

/** Remembers what is dear to work out again; the same key always has the same value. */
export type Memo = <Value>(key: readonly string[], make: () => Value) => Value

/** A page as it was read, with LF; or why it could not be. */
export type ReadPage = { readonly text: string } | { readonly problem: string }

/** The loop answers at most 64 calls a turn. */
const callsPerTurn = 50

export function unchanged(...left: string[]): Outcome {
  return { changed: false, done: [], left }
}

/** Makes calls that do not depend on one another, in as many turns as they need; answers in their order. */
export function* callAll(note: string, calls: readonly Call[]): Script<readonly Answer[]> {
  const answers: Answer[] = []
  for (let start = 0; start < calls.length; start += callsPerTurn) {
    const batch = calls.slice(start, start + callsPerTurn)
    const given = yield { note, calls: batch }
    answers.push(...batch.map((_, index) => given[index] ?? { text: 'Not run.', isError: true }))
  }
  return answers
}

export function* callOne(note: string, call: Call): Script<Answer> {
  const [answer] = yield* callAll(note, [call])
  return answer ?? { text: 'Not run.', isError: true }
}

/** All lines of an answer that comes in pages, without their head lines. Empty when it is an error. */
export function* callPaged(note: string, call: Call): Script<readonly string[]> {
  const lines: string[] = []
  for (let offset = 0; ;) {
    const input = offset === 0 ? call.input : { ...call.input, offset }
    const answer = yield* callOne(note, { ...call, input })
    if (answer.isError) return lines
    const [head = '', ...page] = answer.text.split('\n')
    lines.push(...page)
    const next = Number(/read on with offset (\d+)\]$/.exec(head)?.[1] ?? 0)
    if (next <= offset) return lines
    offset = next
  }
}

/** Paths of files in which the pattern stands. */
export function* searchFiles(note: string, input: Readonly<Record<string, unknown>>): Script<readonly string[]> {
  const lines = yield* callPaged(note, { tool: 'search', input: { ...input, filesOnly: true } })
  return lines.map((line) => line.replace(/: \d+$/, ''))
}

/** Paths of the files that fit the glob. */
export function* listFiles(note: string, glob?: string): Script<readonly string[]> {
  const input = { limit: 2000, ...(glob === undefined ? {} : { glob }) }
  const lines = yield* callPaged(note, { tool: 'list_files', input })
  return lines.flatMap((line) => (/\t\d+$/.test(line) ? [line.replace(/\t\d+$/, '')] : []))
}

/** Whole files, read on where they come in parts. */
export function* readPages(note: string, paths: readonly string[]): Script<ReadonlyMap<string, ReadPage>> {
  const pages = new Map<string, ReadPage>()
  const texts = new Map<string, string>()
  let waiting = paths.map((path) => ({ path, startLine: 1 }))
  while (waiting.length > 0) {
    const calls = waiting.map(({ path, startLine }) => ({
      tool: 'read_file',
      input: startLine === 1 ? { path } : { path, startLine },
    }))
    const answers = yield* callAll(note, calls)
    waiting = waiting.flatMap(({ path }, index) => {
      const part = toPart(answers[index])
      const text = (texts.get(path) ?? '') + ('text' in part ? part.text : '')
      texts.set(path, text)
      if ('text' in part && part.next !== undefined) return [{ path, startLine: part.next }]
      pages.set(path, 'text' in part ? { text } : part)
      return []
    })
  }
  return pages
}

type Part = { readonly text: string; readonly next: number | undefined } | { readonly problem: string }

function toPart(answer: Answer | undefined): Part {
  if (!answer || answer.isError) return { problem: answer?.text ?? 'Not run.' }
  const end = answer.text.indexOf('\n')
  const head = end === -1 ? answer.text : answer.text.slice(0, end)
  if (head.includes('are cut off')) return { problem: 'A line of it is too long to be read.' }
  const text = end === -1 ? '' : answer.text.slice(end + 1)
  const next = /read on with startLine (\d+)/.exec(head)?.[1]
  const shown = head.includes('shown as \\u{') ? showAgain(text) : text
  return { text: shown, next: next === undefined ? undefined : Number(next) }
}

/** Invisible characters that the tool wrote out, as they are in the file. */
function showAgain(text: string): string {
  return text.replace(/\\u\{([0-9A-F]{4,6})\}/g, (written, hex: string) => {
    const character = String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ff_ff))
    return isInvisible(character) ? character : written
  })
}
