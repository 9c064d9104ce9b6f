// Passes the credential for one origin to one git process. It uses file descriptor 3, which a credential helper reads,
// because others can read the arguments and the environment of a process in /proc. No other origin, such as the target of
// a redirect, gets the credential.

import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { Failure } from '../../lib/failure.ts'
import { createRedactor, redact } from '../../lib/outbound/redact.ts'
import type { LoginCredential } from '../types.ts'

/** `origin`: `https://host`, with the port when it is not the usual one. */
export type ScopedCredential = LoginCredential & { readonly origin: string }

const helper = '!f() { test "$1" = get && cat <&3; }; f'

/** Throws `repository_unauthorized` for text that git's protocol cannot carry. */
export function checkCredential({ username, password }: LoginCredential): void {
  // Each line is one field of the protocol between git and its helpers.
  if (!/[\r\n\0]/.test(username + password)) return
  throw new Failure('repository_unauthorized', 'The credential holds a line break or NUL; enter it again.')
}

/**
 * Returns the settings that make git read the descriptor. Git 2.46 and later do so before the first request; earlier ones
 * ask without a credential first, and read it when the host answers 401.
 */
export function helperConfig({ origin }: ScopedCredential): string[] {
  return [`credential.${origin}.helper=${helper}`, `http.${origin}.proactiveAuth=basic`]
}

/** Passwords that people choose may be shorter than any token. */
const shortestPassword = 4

/** Removes the password from messages of git and of the host. */
export function redactCredential(text: string, credential: LoginCredential | undefined): string {
  return redact(text, credential?.password, shortestPassword)
}

/** Removes a password from output that is read and not shown, such as the names of refs. */
export function cleanOutput(output: Buffer, { password }: LoginCredential): Buffer {
  return Buffer.from(createRedactor(password)(output.toString('latin1')), 'latin1')
}

/** Writes the credential to the fourth pipe of the process. */
export function sendCredential(child: ChildProcess, { username, password }: ScopedCredential): void {
  const pipe = child.stdio[3]
  // There is no pipe when the process could not be started.
  if (!(pipe instanceof Socket)) return
  // If the host requires no login, the credential is not read, and the pipe ends with ECONNRESET.
  pipe.on('error', () => {})
  pipe.resume()
  pipe.end(`username=${username}\npassword=${password}\n\n`)
}
