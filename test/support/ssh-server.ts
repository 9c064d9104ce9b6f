// An ssh server on the loopback interface for tests. It serves one bare repository to one key, as forges do.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { type Cleanup, plainEnvironment } from './git-remote.ts'

export type SshKeys = { readonly private: string; readonly public: string }

export type SshServer = {
  /** `host:port`, for `privateHosts`. */
  readonly host: string
  /** The key of the host as `<type> <key>`. */
  readonly hostKey: string
  /** The only key that is accepted. */
  readonly user: SshKeys
  /** The commands that were run. */
  readonly commands: string[]
  /** If it returns a text, the server prints that instead of running the command. */
  refuse: ((command: string) => string | undefined) | undefined
}

/** ssh2 sometimes generates a malformed pair (8 of 3,000). */
export function sshKeys(): SshKeys {
  for (;;) {
    const keys = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(keys.private) instanceof Error)) return keys
  }
}

/** Serves the repository under any path until the test ends. Pushing is allowed. */
export async function serveSsh(t: Cleanup, repository: string): Promise<SshServer> {
  const own = sshKeys()
  const connections = new Set<Connection>()
  const children = new Set<Promise<unknown>>()
  const state = { user: sshKeys(), commands: [] as string[], refuse: undefined as SshServer['refuse'] }
  const server = new ssh2.Server({ hostKeys: [own.private] }, (connection) => {
    connections.add(connection)
    connection.on('error', () => {})
    connection.on('authentication', (context) => {
      const isKnown =
        context.method === 'publickey' && context.key.data.toString('base64') === state.user.public.split(' ')[1]
      if (isKnown) context.accept()
      else context.reject(['publickey'])
    })
    connection.on('session', (accept) => {
      const session = accept()
      session.on('exec', (accept, _, { command }) => {
        state.commands.push(command)
        const channel = accept()
        const words = state.refuse?.(command)
        if (words === undefined) children.add(serve(channel, command, repository))
        else endWith(channel, words)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(async () => {
    for (const connection of connections) connection.end()
    const closed = new Promise((resolve) => server.close(resolve))
    await Promise.all([...children, closed])
  })
  return Object.assign(state, { host: `127.0.0.1:${port}`, hostKey: own.public.trim() })
}

/** Ends a command as forges do when they refuse it. */
function endWith(channel: ServerChannel, words: string): void {
  channel.stderr.write(`${words}\n`)
  channel.exit(1)
  channel.end()
}

async function serve(channel: ServerChannel, command: string, repository: string): Promise<void> {
  const service = /^git-(upload-pack|receive-pack) /.exec(command)?.[1]
  if (service === undefined) return endWith(channel, 'This is a git server.')
  const child = spawn('git', ['-c', 'safe.directory=*', service, repository], { env: plainEnvironment })
  child.stdin.on('error', () => {})
  channel.on('error', () => child.kill())
  channel.on('close', () => child.kill())
  channel.pipe(child.stdin)
  child.stdout.on('data', (chunk: Buffer) => channel.write(chunk))
  child.stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  channel.exit(code ?? 1)
  channel.end()
}
