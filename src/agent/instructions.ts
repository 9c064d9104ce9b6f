// Composes the instructions of a run: Docent's rules, then the repository's own notes for agents, capped and fenced.

import { readFileSync } from 'node:fs'

/**
 * Files with the repository's notes for agents; read from the base branch only, so that a branch cannot instruct
 * itself.
 */
export const guidancePaths = ['AGENTS.md', '.docent/AGENTS.md'] as const
const maxGuidanceCharacters = 16_000

export type Guidance = { readonly path: string; readonly text: string }

export function createInstructions(guidance: readonly Guidance[]): string {
  const rules = readFileSync(new URL('instructions.md', import.meta.url), 'utf8').trimEnd()
  return [rules, ...guidance.map(fence)].join('\n\n')
}

function fence({ path, text }: Guidance): string {
  const cut = text.length > maxGuidanceCharacters
  const shown = text.slice(0, maxGuidanceCharacters).replaceAll('</repository-notes', '&lt;/repository-notes')
  const head = cut ? `[the first ${maxGuidanceCharacters} of ${text.length} characters]\n` : ''
  return `<repository-notes path="${path}">\n${head}${shown}\n</repository-notes>`
}
