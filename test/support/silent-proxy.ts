// A proxy between a service and its database that can fall silent: connections stay open, but no data passes.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'

export interface SilentProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** From now on, all data is lost. Connections that are open now never recover. */
  silence(): void
  /** New connections work again. */
  speak(): void
  close(): Promise<void>
}

export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const state = { isSilent: false }
  const pass = (from: Socket, to: Socket, isMute: () => boolean) => {
    open.add(from)
    from.on('data', (chunk) => void (isMute() || to.write(chunk)))
    from.on('end', () => void (isMute() || to.end()))
    from.on('error', () => undefined)
    from.on('close', () => {
      open.delete(from)
      if (!isMute()) to.destroy()
    })
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    let wasSilent = false
    const isMute = () => (wasSilent ||= state.isSilent)
    pass(client, upstream, isMute)
    pass(upstream, client, isMute)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence: () => void (state.isSilent = true),
    speak: () => void (state.isSilent = false),
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
