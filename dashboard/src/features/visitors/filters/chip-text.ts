// Filters in words, for chips and for lists of saved segments. Pure.

import { readablePath } from '../format.ts'
import { type Chip, filterChoices, filterLabels } from './filters.ts'

/** The sites of a project by id, and the one of page views without a site. */
export type Sites = readonly { readonly value: string; readonly label: string }[]

/** `Section: /guides or /api`, `Agent is not GPTBot`. */
export function textOf(chip: Chip, sites: Sites): string {
  const values = chip.values.map((value) => nameOf(chip, value, sites))
  return `${filterLabels[chip.name]}${chip.isNot ? ' is not ' : ': '}${values.join(' or ')}`
}

function nameOf({ name }: Chip, value: string, sites: Sites): string {
  const choices = name === 'site' ? sites : filterChoices[name]
  const label = choices?.find((choice) => choice.value === value)?.label
  return label ?? (name === 'path' || name === 'section' ? readablePath(value) : value)
}
