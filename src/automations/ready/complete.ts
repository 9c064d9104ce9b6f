// A new automation with what its kind gives to it: a ready-made one needs its name alone.

import { type FailureDetail, invalidFields, invalidInput } from '../../lib/failure.ts'
import type { Automation, AutomationChange, CompleteAutomation, NewAutomation, Trigger } from '../automation.ts'
import { type AutomationKind, type ReadyKind, readyKindOf } from './kinds.ts'
import { optionDetails } from './options.ts'
import { mostAddedCharacters } from './prompt.ts'

/** `source`: the first one of the project. Throws `invalid_input` if a custom one lacks what is its own. */
export function complete<Given extends NewAutomation>(
  given: Given,
  source: string | undefined,
): Given & CompleteAutomation {
  const { kind = 'custom', instructions = '' } = given
  const ready = readyKindOf(kind)
  const { name = ready?.title, trigger = ready && triggerFor(ready, source), grouping = ready?.grouping } = given
  const details = [
    ...lacking({ name, trigger }),
    ...addedDetails({ kind, instructions }),
    ...optionDetails(kind, given.options ?? {}),
  ]
  if (details.length > 0 || name === undefined || trigger === undefined) throw invalidFields(details)
  return { ...given, kind, name, trigger, grouping, instructions }
}

/** Without a source, it follows the repository of the documentation. */
export function triggerFor({ trigger }: ReadyKind, source: string | undefined): Trigger {
  if (trigger.type !== 'code') return trigger
  return { type: 'code', source: source ?? null, paths: [], when: trigger.when }
}

function lacking(needed: Readonly<Record<string, unknown>>): readonly FailureDetail[] {
  const message = 'must be given: only a ready-made kind has a default'
  return Object.entries(needed).flatMap(([name, value]) =>
    value === undefined ? [{ pointer: `#/${name}`, message }] : [],
  )
}

type Added = { readonly kind: AutomationKind; readonly instructions: string }

/** `after`: the automation as the change would leave it. Throws `invalid_input` for a change that its kind cannot have. */
export function refuseForKind(
  after: Pick<Automation, 'kind' | 'instructions' | 'options'>,
  change: AutomationChange,
): void {
  const { kind, instructions, options } = after
  if (change.kind !== undefined && change.kind !== kind)
    throw invalidInput('#/kind', `must stay \`${kind}\`: create another automation for another kind`)
  const details = [...addedDetails({ kind, instructions }), ...optionDetails(kind, { ...options, ...change.options })]
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
