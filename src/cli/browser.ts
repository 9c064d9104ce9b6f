// Opens an address in the browser of the person at the terminal.

import type { Environment } from '../config/environment.ts'

/** Undefined: this machine has no screen. The function rejects when the program that opens addresses fails. */
export function browserFor(
  platform: string,
  environment: Environment,
): ((address: string) => Promise<void>) | undefined {
  if (platform === 'darwin') return (address) => start('open', [address], environment)
  if (platform === 'win32') return (address) => start('rundll32', ['url.dll,FileProtocolHandler', address], environment)
  const hasScreen = environment['DISPLAY'] || environment['WAYLAND_DISPLAY']
  return hasScreen ? (address) => start('xdg-open', [address], environment) : undefined
}

async function start(program: string, args: readonly string[], environment: Environment): Promise<void> {
  const { execFile } = await import('node:child_process')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  execFile(program, [...args], { env: { ...environment } }, (error) => (error ? reject(error) : resolve()))
  await promise
}
