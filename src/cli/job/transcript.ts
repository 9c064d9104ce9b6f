// `docent job transcript`: prints the transcript of a job page by page. For people, long texts are shortened; with `--json`
// everything is printed, as lines that `docent job replay` reads.

import type { TranscriptPage } from '../../jobs/transcript/read.ts'
import type { TranscriptResponse, TranscriptResult, TranscriptTurn } from '../../jobs/transcript/response.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import { type ProjectOption, withProjectOfJob } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { type Output, paint } from '../output.ts'
import { headLine, runLine, turnLine } from './transcript-lines.ts'

const shownLines = 12
const shownCharacters = 300

export function printTranscript(
  context: CommandContext,
  id: string,
  options: ProjectOption & { readonly json?: true },
): Promise<void> {
  const { output } = context
  return withProjectOfJob(context, options, id, async (api, projectId) => {
    const path = `/v2/agent/${projectId}/job/${encodeURIComponent(id)}/turns`
    const printed = new Set<string>()
    let isFirst = true
    for await (const page of pagesOf(api, path)) {
      if (isFirst && options.json) output.print(headLine(id, page.erasedAt))
      if (isFirst && !options.json) printErased(output, page)
      isFirst = false
      for (const run of page.runs) {
        if (options.json && !printed.has(run.id)) output.print(runLine(run))
        printed.add(run.id)
      }
      for (const turn of page.turns) {
        if (options.json) output.print(turnLine(turn))
        else printTurn(output, turn)
      }
    }
  })
}

async function* pagesOf(api: Api, path: string): AsyncGenerator<TranscriptPage, void> {
  for (let cursor: string | null = '', query = ''; cursor !== null;) {
    const { body } = await api.send('GET', `${path}?limit=200${query}`)
    const page = JSON.parse(body) as TranscriptPage
    yield page
    cursor = page.nextCursor
    query = `&cursor=${encodeURIComponent(cursor ?? '')}`
  }
}

function printErased(output: Output, { erasedAt, turns }: TranscriptPage): void {
  if (erasedAt !== null) output.print(`The turns before ${erasedAt} were erased, as the project keeps them no longer.`)
  else if (turns.length === 0) output.print('The job has no turns yet.')
}

function printTurn(output: Output, turn: TranscriptTurn): void {
  const { run, number, createdAt, isRedacted, response, results } = turn
  const mark = isRedacted ? ', redacted' : ''
  output.print(paint(output, 'bold', `Run ${run}, turn ${number}  ${createdAt}${mark}${usageOf(response)}`))
  for (const { notice, text } of turn.input) {
    printText(output, notice === null ? '> ' : `> [${plainText(notice)}] `, text)
  }
  if (response) printResponse(output, response, results ?? [])
  for (const { path, sha256 } of turn.edits) {
    output.print(`  ${sha256 === null ? 'deleted' : 'changed'} ${oneLine(path)}`)
  }
  output.print('')
}

function usageOf(response: TranscriptResponse | null): string {
  if (response === null) return ''
  return `  ${plainText(response.model)}, ${response.usage.inputTokens} + ${response.usage.outputTokens} tokens`
}

function printResponse(output: Output, response: TranscriptResponse, results: readonly TranscriptResult[]): void {
  if (response.text.trim() !== '') printText(output, '', response.text)
  for (const { name, input, error } of response.refusedCalls) {
    output.print(paint(output, 'red', `✗ ${call(name, input)}`))
    printText(output, '    ', error)
  }
  for (const { id, name, input } of response.calls) {
    const result = results.find(({ callId }) => callId === id)
    output.print(paint(output, result?.isError === true ? 'red' : 'cyan', `→ ${call(name, input)}`))
    if (result) printText(output, '    ', result.text)
  }
}

function call(name: string, input: unknown): string {
  return oneLine(`${name} ${JSON.stringify(input) ?? ''}`)
}

function oneLine(text: string): string {
  return plainText(shorten(text, shownCharacters)).replaceAll(/[\n\t]/g, ' ')
}

/** `before` is the beginning of the first line; the others are indented as far. */
function printText(output: Output, before: string, text: string): void {
  const lines = plainText(text.trimEnd()).split('\n')
  const indent = ' '.repeat(before.length)
  for (const [index, line] of lines.slice(0, shownLines).entries()) {
    output.print(`${index === 0 ? before : indent}${shorten(line, shownCharacters)}`)
  }
  if (lines.length > shownLines) output.print(`${indent}… ${lines.length - shownLines} more lines (--json has all)`)
}
