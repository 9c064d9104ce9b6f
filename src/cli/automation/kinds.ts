// Prints the ready-made automations for people.

import type { ReadyAutomation } from '../../automations/ready/list.ts'
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
