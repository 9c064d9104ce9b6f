// Reads the lines that Asciidoctor's preprocessor reads, wherever they are: `include::` and conditions. All branches of a
// condition count as text of the page, because which of them readers see depends on the build.

import { substitute } from '../attributes.ts'
import { addLink } from '../state.ts'
import { type Blocks, takePending } from './block-state.ts'
import { type Line, conditional, include } from './lines.ts'

/**
 * `text`: an ordinary line. `none`: a line that is no text. A line: the text of a condition in one line; the caller ends
 * the condition after it.
 */
export function readDirective(blocks: Blocks, line: Line): 'text' | 'none' | Line {
  if (!line.text.endsWith(']') || !line.text.includes('::')) return 'text'
  const found = conditional.exec(line.text)
  if (found && !found[1]) return readCondition(blocks, line, found)
  const [, slash, target] = include.exec(line.text) ?? []
  if (target === undefined || slash) return 'text'
  const { state } = blocks
  const start = line.start + 'include::'.length
  const whole = { start: line.start, end: line.end }
  const url = substitute(target, state.attributes)
  for (const name of target.matchAll(/\{([\w-]+)\}/g)) state.usesElsewhere.add((name[1] ?? '').toLowerCase())
  addLink(state, { start, end: start + target.length, kind: 'include', url, whole, label: undefined })
  if (!blocks.paragraph && blocks.stack.at(-1)?.content !== 'table' && blocks.header === 'over') takePending(blocks)
  return 'none'
}

function readCondition(blocks: Blocks, line: Line, found: RegExpExecArray): 'text' | 'none' | Line {
  const [, , kind = '', name = '', content = ''] = found
  const { conditions, state } = blocks
  if (kind === 'endif') {
    const open = conditions.pop()
    if (open) state.conditionals.push({ start: open.start, end: line.end })
    return 'none'
  }
  if (kind !== 'ifeval' && name === '') return 'text'
  conditions.push({ start: line.start, kind, name: name.toLowerCase() })
  if (kind === 'ifeval' || content === '') return 'none'
  const start = line.end - content.length - 1
  return { start, end: line.end - 1, text: content.trimEnd() }
}
