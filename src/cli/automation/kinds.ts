// The ready-made automations: prints them for people, and reads their options.

import { InvalidArgumentError, Option } from 'commander'
import type { ReadyAutomation } from '../../automations/ready/list.ts'
import { optionNames } from '../../automations/ready/kinds.ts'
import { type Output, printTable } from '../output.ts'
import { sayTrigger } from './show.ts'

export function printKinds(output: Output, body: string, { json }: { readonly json?: true }): void {
  const { kinds } = JSON.parse(body) as { readonly kinds: readonly ReadyAutomation[] }
  if (json) return output.print(JSON.stringify(kinds))
  const rows = kinds.map(({ kind, title, trigger, lacks }) => [
    kind,
    title,
    sayTrigger(trigger),
    lacks.length === 0 ? 'yes' : `no: it ${lacks.map(({ message }) => message).join(', and ')}`,
  ])
  printTable(output, ['KIND', 'AUTOMATION', 'STARTED BY', 'CAN BE TURNED ON'], rows)
}

export type Switches = Readonly<Record<string, boolean>>

export function switchOption(): Option {
  const help = `an option of the kind, on or off, repeatable: ${optionNames.join(', ')}`
  return new Option('--option <name=on|off>', help).argParser((text: string, before: Switches | undefined) => {
    const [name = '', value = ''] = text.split('=')
    if (optionNames.includes(name) && /^(?:on|off)$/.test(value)) return { ...before, [name]: value === 'on' }
    throw new InvalidArgumentError(`Write name=on or name=off; the names are ${optionNames.join(', ')}.`)
  })
}
