// Writes matches as lines of a result: `path:line: text`, with the lines around it on request as `path-line- text`.

import { showInvisible, withLineFeeds } from '../../../docs-syntax/text.ts'
import { countedLine, showPath } from '../result.ts'
import { readTextFile } from '../text-file.ts'
import type { Files, SearchMatch } from '../../workspace.ts'
import { shorten } from '../../../lib/plain-text.ts'

const maxLineCharacters = 400

export function showMatch({ path, line, text }: SearchMatch): string {
  return `${showPath(path)}:${line}: ${showText(text)}`
}

/** A file of line 0 is one without a match. */
export function showFiles(matches: readonly SearchMatch[]): string[] {
  const files = new Map<string, number>()
  for (const { path, line } of matches) files.set(path, line === 0 ? 0 : (files.get(path) ?? 0) + 1)
  return Array.from(files, ([path, lines]) => (lines === 0 ? showPath(path) : countedLine(path, lines)))
}

/** Returns one text for each match. No line is shown twice. */
export async function showAround(
  files: Files,
  matches: readonly SearchMatch[],
  lines: number,
): Promise<readonly string[]> {
  const blocks: string[] = []
  let file: { readonly path: string; readonly lines: readonly string[] } | undefined
  let shown = 0
  for (const [index, match] of matches.entries()) {
    if (file?.path !== match.path) {
      file = { path: match.path, lines: await readLines(files, match.path) }
      shown = 0
    }
    const next = matches[index + 1]
    const end = Math.min(match.line + lines, file.lines.length, next?.path === match.path ? next.line - 1 : Infinity)
    const beside = (from: number, to: number) => besides(match.path, file?.lines ?? [], from, to)
    const before = beside(Math.max(match.line - lines, shown + 1), match.line - 1)
    blocks.push([...before, showMatch(match), ...beside(match.line + 1, end)].join('\n'))
    shown = Math.max(match.line, end)
  }
  return blocks
}

function besides(path: string, lines: readonly string[], from: number, to: number): string[] {
  return lines
    .slice(from - 1, Math.max(from - 1, to))
    .map((text, index) => `${showPath(path)}-${from + index}- ${showText(text)}`)
}

async function readLines(files: Files, path: string): Promise<readonly string[]> {
  const file = await readTextFile(files, path)
  return 'problem' in file ? [] : withLineFeeds(file.text).text.split('\n')
}

function showText(text: string): string {
  const shown = showInvisible(text.replace(/\r$/, '')).replaceAll('\r', '\\r')
  return shorten(shown, maxLineCharacters)
}
