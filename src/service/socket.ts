// Finds the socket in the data directory, through which the command line reaches a running service, and checks whether a
// service listens on it.

import { connect } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

type Place = Pick<Config, 'dataDir'>

export function socketPath({ dataDir }: Place): string {
  return join(dataDir, 'docent.sock')
}

/** Resolves to whether a service listens on the socket of this data directory. */
export async function isServed(place: Place): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(socketPath(place))
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
