// The ssh command of one git call: no configuration file, no agent, one key, the pinned keys of the host, and the checked
// addresses. Without these options, ssh would use the configuration of the service's user.

import { access, constants } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { KeyCredential } from '../../types.ts'
import type { Address } from '../address.ts'
import { withKeyFolder } from './key-folder.ts'

type SshCall = {
  readonly address: Address
  /** The checked addresses of the host. */
  readonly addresses: readonly string[]
  readonly credential: KeyCredential
  /** The private folder of the engine. */
  readonly directory: string
}

/** Whether the program is in one of the folders of `path`. */
export async function hasSsh(path: string): Promise<boolean> {
  const found = path.split(':').map((folder) => access(join(folder, 'ssh'), constants.X_OK))
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled')
}

/** Runs `work` with the ssh command; its key is removed afterwards. */
export async function withSsh<T>(call: SshCall, work: (command: string) => Promise<T>): Promise<T> {
  const { credential, address, directory } = call
  // ssh looks up the host's keys by this name, regardless of port and address.
  const known = credential.hostKey.split('\n').map((line) => `${address.hostname} ${line}\n`)
  const files = { key: credential.privateKey, known: known.join('') }
  return await withKeyFolder(directory, files, (folder) => work(sshCommand(call, folder)))
}

function sshCommand({ address, addresses }: SshCall, folder: string): string {
  const ip = addresses.find((found) => isIP(found) === 4) ?? addresses[0] ?? address.hostname
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${folder}/known`,
    'GlobalKnownHostsFile=/dev/null',
    `HostName=${ip}`,
    `HostKeyAlias=${address.hostname}`,
    'CheckHostIP=no',
    'PreferredAuthentications=publickey',
    'ClearAllForwardings=yes',
    'ControlMaster=no',
    'ControlPath=none',
    'UpdateHostKeys=no',
    'ProxyCommand=none',
    'ConnectTimeout=10',
    'ServerAliveInterval=10',
    'ServerAliveCountMax=3',
    'LogLevel=ERROR',
  ]
  const args = ['ssh', '-F', 'none', '-T', '-i', `${folder}/key`, ...options.flatMap((option) => ['-o', option])]
  return args.map((argument) => `'${argument.replaceAll("'", `'\\''`)}'`).join(' ')
}
