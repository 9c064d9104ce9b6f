// The prompt of a run: the instructions of an automation, after those of its kind. They are read when the run starts, so that a
// new release improves the automations that exist.

import { builtInModel } from '../../jobs/options/model.ts'
import { readFileSync } from 'node:fs'
import { Failure } from '../../lib/failure.ts'
import { type AutomationKind, readyKindOf } from './kinds.ts'
import type { KindOptions } from './options.ts'

/** Longer additions could crowd out what the kind says. */
export const mostAddedCharacters = 10_000

type Instructed = {
  readonly kind: AutomationKind
  readonly options: KindOptions
  /** Those of the project. Empty: nothing is added. */
  readonly instructions: string
}

/**
 * `words`: what started the run, for a model that reads. Throws `invalid_input` if the model cannot do what the kind asks for.
 */
export function promptOf({ kind, options, instructions }: Instructed, model: string, words = ''): string {
  const ready = readyKindOf(kind)
  // The built-in model follows each line as an instruction.
  if (!ready) return model === builtInModel ? instructions : `${instructions}\n\n${words}`.trim()
  if (model !== builtInModel) return `${withAdded(readInstructions(kind, options), instructions)}\n\n${words}`.trim()
  if (ready.rules !== undefined) return `${ready.rules}\n${instructions}`.trim()
  throw new Failure('invalid_input', `“${ready.title}” needs a language model, and ${model} is not one.`)
}

/** Those of a kind, and of each of its options that is on. */
export function readInstructions(kind: string, options: KindOptions): string {
  const names = Object.entries(options).flatMap(([name, isOn]) => (isOn ? [`${kind}-${name}`] : []))
  return [kind, ...names].map(readText).join('\n\n')
}

function readText(name: string): string {
  return readFileSync(new URL(`instructions/${name}.md`, import.meta.url), 'utf8').trim()
}

function withAdded(text: string, added: string): string {
  return added === '' ? text : `${text}\n\nThe people of this project add, and it counts before the above:\n\n${added}`
}
