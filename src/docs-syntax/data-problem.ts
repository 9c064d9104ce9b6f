// Says why a file of data does not parse, in the words of its parser. Never throws.

import { readJson } from './json.ts'
import type { Problem } from './page.ts'
import { lineAt, lineStarts } from './text.ts'
import { readToml } from './toml.ts'
import { maxYamlCharacters, readYaml } from './yaml.ts'

/** Files in which comments and trailing commas are usual. */
const withComments =
  /\.jsonc$|(?:^|\/)(?:[jt]sconfig[^/]*|\.[^/]*|deno|turbo|nx|wrangler)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//

/** Null for JSON, YAML or TOML that parses, and for a text that cannot be parsed in bounded time. */
export function dataProblem(path: string, text: string): Problem | null {
  if (/\.toml$/i.test(path)) return readToml(text).problem
  return /\.ya?ml$/i.test(path) ? yamlProblem(text) : jsonProblem(path, text)
}

function yamlProblem(text: string): Problem | null {
  return text.length > maxYamlCharacters ? null : problemOfYaml(text, readYaml(text))
}

/** The problem of a text that was read already. */
export function problemOfYaml(
  text: string,
  { problem, problemAt }: Pick<ReturnType<typeof readYaml>, 'problem' | 'problemAt'>,
): Problem | null {
  return problem === undefined ? null : { line: lineWithin(text, problemAt), message: problem }
}

function jsonProblem(path: string, text: string): Problem | null {
  // The file is correct with its comments and trailing commas.
  if (withComments.test(path) && readJson(text) !== undefined) return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    // The platform tells the place in its words alone.
    const [, message = words, position] = /^([^]*?),? (?:in JSON )?at position (\d+)/.exec(words) ?? []
    return { line: lineWithin(text, Number(position ?? Infinity)), message: message.replace(/, \.*"[^]*$/, '') }
  }
}

/** The end of a file counts as its last line that is not blank. */
function lineWithin(text: string, at: number): number {
  return lineAt(lineStarts(text), Math.min(at, text.trimEnd().length))
}
