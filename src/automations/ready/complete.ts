// A new automation with what its kind gives to it: a ready-made one needs its name alone.

import { type FailureDetail, invalidFields, invalidInput } from '../../lib/failure.ts'
import type { AutomationChange, CompleteAutomation, NewAutomation } from '../automation.ts'
import { type AutomationKind, readyKindOf } from './kinds.ts'
import { mostAddedCharacters } from './prompt.ts'

/** Throws `invalid_input` if a custom one lacks what is its own. */
export function complete<Given extends NewAutomation>(given: Given): Given & CompleteAutomation {
  const { kind = 'custom', instructions = '' } = given
  const ready = readyKindOf(kind)
  const { name = ready?.title, trigger = ready?.trigger } = given
  const details = [...lacking({ name, trigger }), ...addedDetails({ kind, instructions })]
  if (details.length > 0 || name === undefined || trigger === undefined) throw invalidFields(details)
  return { ...given, kind, name, trigger, instructions }
}

function lacking(needed: Readonly<Record<string, unknown>>): readonly FailureDetail[] {
  const message = 'must be given: only a ready-made kind has a default'
  return Object.entries(needed).flatMap(([name, value]) =>
    value === undefined ? [{ pointer: `#/${name}`, message }] : [],
  )
}

type Added = { readonly kind: AutomationKind; readonly instructions: string }

/** Throws `invalid_input` for a change that an automation of the kind cannot have. */
export function refuseForKind(kind: AutomationKind, change: AutomationChange): void {
  if (change.kind !== undefined && change.kind !== kind)
    throw invalidInput('#/kind', `must stay \`${kind}\`: create another automation for another kind`)
  const details = change.instructions === undefined ? [] : addedDetails({ kind, instructions: change.instructions })
  if (details.length > 0) throw invalidFields(details)
}

/** A custom one has no other instructions than its own. */
function addedDetails({ kind, instructions }: Added): readonly FailureDetail[] {
  const pointer = '#/instructions'
  if (kind === 'custom')
    return instructions === '' ? [{ pointer, message: 'must not be empty: only a ready-made kind has a default' }] : []
  const most = mostAddedCharacters.toLocaleString('en-US')
  return instructions.length > mostAddedCharacters
    ? [{ pointer, message: `must have at most ${most} characters beside those of the kind` }]
    : []
}
