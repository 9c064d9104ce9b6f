// The value of an option that is on or off.

import { InvalidArgumentError } from 'commander'

export function toBoolean(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Write yes or no.')
}
