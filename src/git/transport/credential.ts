// Gives one git process the credential of one origin. It goes through file descriptor 3, which a credential helper reads
// when the host asks for a login: arguments and the environment of a process can be read by others in /proc. Another
// origin, such as the target of a redirect, gets nothing.

import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { Failure } from '../../lib/failure.ts'
import { redact } from '../../lib/outbound/redact.ts'
import type { LoginCredential } from '../types.ts'

/** `origin`: `https://host`, with the port when it is not the usual one. */
export type ScopedCredential = LoginCredential & { readonly origin: string }

const helper = '!f() { test "$1" = get && cat <&3; }; f'

/** Throws `repository_unauthorized` for text that git cannot take. */
export function checkCredential({ username, password }: LoginCredential): void {
  // Each line is one field of the protocol between git and its helpers.
  if (!/[\r\n\0]/.test(username + password)) return
  throw new Failure('repository_unauthorized', 'The credential holds a line break or NUL; enter it again.')
}

/** Returns the settings that make git read the descriptor. */
export function helperConfig(credential: ScopedCredential): string[] {
  return [`credential.${credential.origin}.helper=${helper}`]
}

/** People choose passwords that are shorter than any token. */
const shortestPassword = 4

/** Removes the password from what git or the host says. */
export function redactCredential(text: string, credential: LoginCredential | undefined): string {
  return redact(text, credential?.password, shortestPassword)
}

/** Writes the credential to the fourth pipe of the process. */
export function sendCredential(child: ChildProcess, { username, password }: ScopedCredential): void {
  const pipe = child.stdio[3]
  // There is no pipe when the process could not be started.
  if (!(pipe instanceof Socket)) return
  // A host that asks for no login leaves the credential unread, and the pipe ends with ECONNRESET.
  pipe.on('error', () => {})
  pipe.resume()
  pipe.end(`username=${username}\npassword=${password}\n\n`)
}
