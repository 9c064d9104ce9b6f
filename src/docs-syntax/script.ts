// Parses JavaScript and TypeScript without running them. The types of TypeScript are blanked out, so every position
// stays. JSX, enums and namespaces are not understood.

import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, type Program, parse } from 'acorn'

export type ScriptNode = AnyNode
export type Script = Program

/** Larger scripts are not parsed. */
const maxCharacters = 1_000_000

/** Undefined when the text is not understood. Never throws. */
export function parseScript(text: string, language: 'javascript' | 'typescript'): Script | undefined {
  if (text.length > maxCharacters) return undefined
  try {
    const script = language === 'typescript' ? stripTypeScriptTypes(text) : text
    return parseModule(script) ?? parseCommon(script)
  } catch {
    // A syntax error, or text that is nested deeper than the stack.
    return undefined
  }
}

function parseModule(text: string): Script | undefined {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function parseCommon(text: string): Script {
  return parse(text, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true })
}
