// Parses JavaScript and TypeScript without running them. TypeScript types are replaced by spaces, so positions stay the
// same. JSX, enums and namespaces are not supported.

import { type AnyNode, type Program, parse } from 'acorn'
import { stripTypes } from './strip-types.ts'

export type ScriptNode = AnyNode
export type Script = Program

/** Larger scripts are not parsed: acorn takes quadratic time for names in one scope, 5 s for 250,000 characters. */
const maxCharacters = 100_000

/** Returns undefined if the text cannot be parsed. Never throws. */
export function parseScript(text: string, language: 'javascript' | 'typescript'): Script | undefined {
  if (text.length > maxCharacters) return undefined
  try {
    const script = language === 'typescript' ? stripTypes(text) : text
    if (script === undefined) return undefined
    return parseModule(script) ?? parseCommon(script)
  } catch {
    // A syntax error, or nesting that is too deep for the stack.
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
