// `docent secrets rotate|reset`: encrypts the stored secrets with a new key while the service runs, and starts over after
// the loss of DOCENT_SECRET_KEY.

import type { Command } from 'commander'
import { parseConfig } from '../../config/config.ts'
import { Failure } from '../../lib/failure.ts'
import type { Reencrypted } from '../../secrets/reencrypt.ts'
import type { Api } from '../api/api.ts'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'

type Options = { readonly json?: true }

export type Rotation = Omit<Reencrypted, 'remaining'> & { readonly keyFile: string | null }

export function defineSecrets(secrets: Command, context: CommandContext): void {
  secrets
    .command('rotate')
    .description('encrypt all stored secrets with a new key; the service can keep running')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      refuseRemote(context)
      const rotation = await withApi(context, (api) => rotate(context, api))
      context.output.print(options.json ? JSON.stringify(rotation) : describeRotation(rotation))
    })
  secrets
    .command('reset')
    .description('accept the current key after the previous one was lost; every secret must be entered again')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      refuseRemote(context)
      const { resetKey } = await import('./reset.ts')
      const { keyId, unreadable } = await resetKey(parseConfig(context.environment))
      const words = `The key ${keyId} encrypts from now on.${describeUnreadable(unreadable)}`
      context.output.print(options.json ? JSON.stringify({ keyId, unreadable }) : words)
    })
}

function refuseRemote({ environment }: CommandContext): void {
  if (environment['DOCENT_URL']) throw usage('DOCENT_URL is set, but keys are rotated on the machine of the service.')
}

/** Other processes may write at the same time, so a call may find less work than the previous one reported. */
const mostCallsWithoutProgress = 5

async function rotate({ output, json }: CommandContext, api: Api): Promise<Rotation> {
  let done = 0
  let idle = 0
  for (;;) {
    const { body } = await api.send('POST', '/local/rotate-secrets')
    const { remaining, ...step } = JSON.parse(body) as Reencrypted & Rotation
    done += step.done
    if (remaining === 0) return { ...step, done }
    idle = step.done === 0 ? idle + 1 : 0
    if (idle === mostCallsWithoutProgress) {
      throw new Failure('unavailable', 'The stored secrets keep changing: run the command again later.')
    }
    if (!json) output.warn(`… ${done} encrypted again, ${remaining} left`)
  }
}

function describeRotation({ keyId, done, unreadable, keyFile }: Rotation): string {
  const values = `${done} ${done === 1 ? 'value was' : 'values were'} encrypted again with the key ${keyId}.`
  return `${values} ${describeNext(done, keyFile)}${describeUnreadable(unreadable)}`
}

function describeNext(done: number, keyFile: string | null): string {
  if (keyFile !== null) return `It is in ${keyFile}: keep a copy of that file separate from the backups.`
  if (done > 0) return 'Remove the old keys from DOCENT_SECRET_KEY, and restart the service.'
  return (
    'Every value is encrypted with the current key. To rotate, put a new key first (DOCENT_SECRET_KEY=new,old), restart the ' +
    'service, and run this again.'
  )
}

function describeUnreadable(unreadable: Reencrypted['unreadable']): string {
  if (unreadable.length === 0) return ''
  const lines = unreadable.map(({ what, owner, keyId }) => `\n  ${what} of ${owner} (key ${keyId ?? 'unknown'})`)
  return `\nNo key decrypts these values. Enter them again:${lines.join('')}`
}
