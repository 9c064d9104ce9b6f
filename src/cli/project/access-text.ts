// Prints what the service may do with a repository, and runs the check for `docent project credential check` and
// `docent forge check`.

import type { Right } from '../../forge/host.ts'
import type { AccessReport } from '../../projects/access/access.ts'
import type { ProofStep } from '../../projects/access/prove.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { type Output, paint } from '../output.ts'

type Shown = Omit<AccessReport, 'rights' | 'rules' | 'base' | 'credential' | 'off'> & {
  /** Only those that are given are printed. */
  readonly rights: Partial<AccessReport['rights']> | null
  readonly off?: AccessReport['off']
  readonly credential?: AccessReport['credential']
}
type Checked = AccessReport & { readonly steps: readonly ProofStep[] | null }

const names = { read: 'read', push: 'push', pullRequests: 'pull requests' } as const
const marks = { yes: ['green', '✔'], no: ['red', '✗'], unknown: ['yellow', '?'] } as const
const stepMarks = { done: ['green', '✔'], failed: ['red', '✗'], skipped: ['gray', '-'] } as const

/** Returns one line per right. A remedy follows the last right that it applies to. */
export function printAccess(output: Output, shown: Shown): void {
  const { account, forge, rights, missing, problem, expiresAt, credential, off = [] } = shown
  // The forge is known with its credential only, and without one no job can push there.
  const isOpen = credential === null && rights?.push !== 'yes'
  if (account !== null) output.print(`account: ${plainText(account)}`)
  if (problem !== null) output.print(`${paint(output, 'red', '✗')} ${plainText(problem)}`)
  for (const right of order.filter((one) => rights?.[one] !== undefined)) {
    if (right === 'pullRequests' && forge === null)
      output.print(`${paint(output, 'gray', '-')} ${ownPulls}${isOpen ? untilEntered : ''}`)
    else printRight(output, right, rights?.[right] ?? 'unknown')
    const mine = missing.filter((one) => one.right === right)
    const done = (remedy: string) => lastOf(missing, remedy) === right
    for (const { remedy } of mine) if (done(remedy)) output.print(`    ${plainText(remedy)}`)
  }
  for (const sentence of off) output.print(`${paint(output, 'yellow', '!')} ${plainText(sentence)}`)
  if (expiresAt !== null) output.print(`The token expires at ${plainText(expiresAt)}.`)
}

const order = ['read', 'push', 'pullRequests'] as const
const ownPulls = 'pull requests: kept by Docent itself'
const untilEntered = ', until the project has a credential of its forge'

function printRight(output: Output, right: Right, state: keyof typeof marks): void {
  const [style, mark] = marks[state]
  const words = { yes: '', no: ': no', unknown: ': the host does not say' }[state]
  output.print(`${paint(output, style, mark)} ${names[right]}${words}`)
}

function lastOf(missing: AccessReport['missing'], remedy: string): Right | undefined {
  return order.findLast((right) => missing.some((one) => one.right === right && one.remedy === remedy))
}

function printRules(output: Output, { refused, unknown }: AccessReport['rules']): void {
  for (const { rule, remedy } of refused) {
    output.print(`${paint(output, 'red', '✗')} rules: ${plainText(rule)}`)
    output.print(`    ${plainText(remedy)}`)
  }
  for (const words of unknown) output.print(`${paint(output, 'yellow', '?')} rules: ${plainText(words)}`)
}

/** Returns the names of the missing rights; empty if all rights are granted or unknown. */
export function missingRights(missing: AccessReport['missing']): readonly string[] {
  return order.filter((right) => missing.some((one) => one.right === right)).map((right) => names[right])
}

/** Fails if a right is missing, the check could not be completed, or a step failed. */
export async function runCheck(
  context: CommandContext,
  project: ProjectOption,
  { json, write }: { readonly json?: true | undefined; readonly write: boolean },
): Promise<void> {
  const { output } = context
  const response = await withProject(context, project, (api, id) =>
    api.send('POST', `/v1/projects/${encodeURIComponent(id)}/credential/check`, { write }),
  )
  const found = JSON.parse(response.body) as Checked
  if (json) output.print(response.body)
  else {
    printAccess(output, found)
    printRules(output, found.rules)
    for (const { step, state, detail } of found.steps ?? []) {
      const [style, mark] = stepMarks[state]
      output.print(`${paint(output, style, mark)} ${step}: ${plainText(detail)}`)
    }
  }
  const failed = found.steps?.filter(({ state }) => state === 'failed').map(({ step }) => step) ?? []
  const rules = found.rules.refused.length > 0 ? ['rules'] : []
  const bad = [...new Set([...missingRights(found.missing), ...rules, ...failed])]
  if (bad.length === 0 && found.problem === null) return
  const what = bad.length === 0 ? 'The access could not be checked.' : `This does not work: ${bad.join(', ')}.`
  throw new CommandFailure('failed', 'repository_unauthorized', what)
}
