// Numbers as options of the command line: one, or several by name, such as `--budget turns=50`; and yes or no.

import { InvalidArgumentError } from 'commander'

export type Limits = Readonly<Record<string, number>>

/** For a repeatable option. */
export function createLimitParser(names: readonly string[]) {
  return (text: string, before: Limits = {}): Limits => {
    const [name = '', value = ''] = text.split('=')
    if (names.includes(name) && value !== '') return { ...before, [name]: toNumber(value) }
    throw new InvalidArgumentError(`Write name=number; the names are ${names.join(', ')}.`)
  }
}

export function toNumber(text: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(number)) return number
  throw new InvalidArgumentError('Write a number.')
}

/** The value of an option that is on or off. */
export function toBoolean(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Write yes or no.')
}
