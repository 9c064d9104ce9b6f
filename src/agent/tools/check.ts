// The tool `check`, which lists the problems of the documentation. It changes no files.

import { z } from 'zod'
import type { FoundProblems, Problem } from '../checks.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import { reasons, sayNotJudged } from '../../sites/coverage.ts'

import { createSelector, toSelection } from '../../docs-syntax/glob.ts'
import { showInvisible } from '../../docs-syntax/text.ts'
import { count, fitLines, readDescription, refuse, showPath } from './result.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'
import { startOf } from '../../lib/plain-text.ts'

const mostLines = 100
/** Pages, and texts of one. */
const mostLosses = 20
const mostNamed = 5

const input = z.object({
  glob: z.string().max(1000).optional(),
  old: z.boolean().optional(),
  offset: z.int().min(0).optional(),
})

type Input = z.infer<typeof input>

export function createCheckTool(): Tool<Input> {
  const description = readDescription('check', import.meta.url)
  return { name: 'check', description, input, readsOutside: true, run: check }
}

async function check({ glob, old = false, offset = 0 }: Input, { checks }: ToolContext): Promise<ToolResult> {
  if (!checks) return refuse('This documentation cannot be checked: finish without it.')
  const isWanted = createSelector(toSelection(glob))
  const found = await checks.find({ which: old ? 'old' : 'new', isWanted, offset, limit: mostLines })
  const lines = fitLines(found.problems.map(sayProblem))
  const listed = found.problems.slice(0, lines.length)
  const last = offset + listed.length
  const isMore = listed.length > 0 && last < found.counts[old ? 'old' : 'new']
  const lost = old ? [] : sayLosses(found.losses)
  return {
    text: fitLines([head(found, { old, offset, shown: listed.length }), ...sayUnjudged(found), ...lines, ...lost]).join(
      '\n',
    ),
    facts: { found: listed, ...(isMore ? { next: last } : {}) },
  }
}

/** The three most frequent reasons: a line for what the changes touch and nobody can judge. */
export function sayUnjudged({ coverage }: Pick<FoundProblems, 'coverage'>): readonly string[] {
  const missing = sayNotJudged(coverage)
  if (missing === undefined) return []
  const shown = coverage.notJudged.slice(0, 3)
  const why = shown.map(({ reason, count: number, example }) => `${number}: ${reasons[reason]} (${oneLine(example)})`)
  return [`[of what your changes touch, ${missing}; ${why.join('; ')}]`]
}

/** Formats a problem as `guides/a.md:12: link: links to /setup, which does not exist — did you mean /install?` */
export function sayProblem({ path, line, kind, message, suggestion }: Problem): string {
  const hint = suggestion === null ? '' : ` — did you mean ${oneLine(suggestion)}?`
  return `${showPath(path)}:${line}: ${kind}: ${oneLine(message)}${hint}`
}

/** Formats what pages lost, one a line, after a line that says what they are; no line if they lost nothing. */
export function sayLosses(losses: readonly PageLoss[]): readonly string[] {
  if (losses.length === 0) return []
  const more = losses.length > mostLosses ? [`and ${count(losses.length - mostLosses, 'more page')}`] : []
  return ['[lost, on no page any more]', ...losses.slice(0, mostLosses).map(sayLoss), ...more]
}

function sayLoss({ path, headings, codeBlocks, fields, words }: PageLoss): string {
  const parts = [
    ...named(headings, 'heading'),
    ...named(codeBlocks, 'code block'),
    ...named(fields, 'field'),
    ...(words ? [`${words.before - words.after} of ${count(words.before, 'word')}`] : []),
  ]
  return `${showPath(path)}: ${parts.join('; ')}`
}

function named(lost: readonly string[], noun: string): readonly string[] {
  if (lost.length === 0) return []
  const names = lost.slice(0, mostNamed).map((text) => oneLine(startOf(text, 80)))
  return [`${count(lost.length, noun)} (${names.join(', ')}${lost.length > mostNamed ? ', …' : ''})`]
}

function oneLine(text: string): string {
  return showInvisible(startOf(text, 500)).replaceAll(/\s+/g, ' ')
}

type Listed = { readonly old: boolean; readonly offset: number; readonly shown: number }

function head({ counts }: FoundProblems, { old, offset, shown }: Listed): string {
  const total = old ? counts.old : counts.new
  const listed = `${total === 0 ? 'no' : total} ${old ? 'old' : 'new'} ${total === 1 ? 'problem' : 'problems'}`
  const others = old ? counts.new : counts.old
  const unlisted = others === 0 ? '' : `; ${count(others, old ? 'new one' : 'old one')} not listed`
  return `[${listed}${partOf({ total, offset, shown })}${unlisted}]`
}

function partOf({ total, offset, shown }: { readonly total: number; readonly offset: number; readonly shown: number }) {
  if (shown === total) return ''
  if (shown === 0) return `; none beyond ${offset}`
  const last = offset + shown
  return `; ${offset + 1}-${last} are listed${last < total ? `, read on with offset ${last}` : ''}`
}
