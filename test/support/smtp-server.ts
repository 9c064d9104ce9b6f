// A mail server on the loopback interface that speaks SMTP over a socket: EHLO, STARTTLS, AUTH PLAIN, MAIL, RCPT, DATA, RSET, NOOP, QUIT.
// A test decides what it responds to each mail.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { TLSSocket } from 'node:tls'
import type { Cleanup } from './git-remote.ts'
import { certificate, certificateKey } from './loopback-certificate.ts'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Header lines without folds, in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly lines: readonly string[]
  readonly text: string
  /** `user:password`, if the client signed in. */
  readonly signedIn: string | undefined
  readonly isEncrypted: boolean
}

/** The response to a recipient or to the end of a mail, such as `451 try later`. `hang`: no response. `drop`: the connection ends. */
export type SmtpScript = {
  readonly recipient?: (to: string) => string | undefined
  readonly mail?: (mail: ReceivedMail) => string | undefined
  /** With the certificate of the loopback. `claims`: STARTTLS is offered, and refused. Default: nothing is encrypted. */
  readonly tls?: 'starttls' | 'claims' | 'from the start'
}

export type SmtpServer = {
  readonly url: string
  readonly port: number
  readonly mails: ReceivedMail[]
  /** The commands, each with `tls ` before it if it came encrypted. */
  readonly commands: string[]
}

export async function serveSmtp(t: Cleanup, script: SmtpScript = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    const start = script.tls === 'from the start' ? encrypt(socket) : socket
    void talk(start, script, { mails, commands })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, port, mails, commands }
}

function encrypt(socket: Socket): TLSSocket {
  const encrypted = new TLSSocket(socket, { isServer: true, cert: certificate, key: certificateKey })
  // The client does not trust the certificate.
  encrypted.on('error', () => socket.destroy())
  return encrypted
}

type Recorded = Pick<SmtpServer, 'commands' | 'mails'>

async function talk(socket: Socket, script: SmtpScript, recorded: Recorded, isAgain = false): Promise<void> {
  const { recipient, mail, tls } = script
  const { mails, commands } = recorded
  const isEncrypted = socket instanceof TLSSocket
  const say = (line: string) => void socket.write(`${line}\r\n`)
  const state: { from: string; to: string[]; data: string[] | undefined; signedIn: string | undefined } = {
    from: '',
    to: [],
    data: undefined,
    signedIn: undefined,
  }
  const answer = (wanted: string | undefined, usual: string) => {
    if (wanted === 'drop') socket.destroy()
    else if (wanted !== 'hang') say(wanted ?? usual)
  }
  if (!isAgain) say('220 loopback ESMTP')
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (state.data) {
      if (line !== '.') {
        state.data.push(line.replace(/^\./, ''))
        continue
      }
      const received = parse(state.data, { ...state, isEncrypted })
      state.data = undefined
      mails.push(received)
      answer(mail?.(received), '250 queued as 1')
      continue
    }
    const [, command = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
    commands.push(`${isEncrypted ? 'tls ' : ''}${command.toUpperCase()}`)
    switch (command.toUpperCase()) {
      case 'EHLO':
        say('250-loopback')
        if (!isEncrypted && (tls === 'starttls' || tls === 'claims')) say('250-STARTTLS')
        say('250-AUTH PLAIN')
        say('250 8BITMIME')
        break
      case 'STARTTLS':
        if (tls !== 'starttls') {
          say('454 TLS not available')
          break
        }
        say('220 ready')
        return await talk(encrypt(socket), script, recorded, true)
      case 'AUTH': {
        const [, user = '', password = ''] = Buffer.from(rest.replace('PLAIN ', ''), 'base64').toString().split('\0')
        state.signedIn = `${user}:${password}`
        say('235 welcome')
        break
      }
      case 'MAIL':
        state.from = addressIn(rest)
        state.to = []
        say('250 ok')
        break
      case 'RCPT':
        state.to.push(addressIn(rest))
        answer(recipient?.(addressIn(rest)), '250 ok')
        break
      case 'DATA':
        state.data = []
        say('354 go on')
        break
      case 'QUIT':
        say('221 bye')
        socket.end()
        break
      default:
        say('250 ok')
    }
  }
}

function addressIn(text: string): string {
  return /<([^>]*)>/.exec(text)?.[1] ?? ''
}

function parse(
  lines: readonly string[],
  { from, to, signedIn, isEncrypted }: Pick<ReceivedMail, 'from' | 'to' | 'signedIn' | 'isEncrypted'>,
): ReceivedMail {
  const end = lines.indexOf('')
  const unfolded: string[] = []
  for (const line of lines.slice(0, end)) {
    if (/^\s/.test(line)) unfolded.push(`${unfolded.pop() ?? ''} ${line.trim()}`)
    else unfolded.push(line)
  }
  const headers = new Map(
    unfolded.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const text = lines.slice(end + 1).join('\n')
  return { from, to: [...to], headers, lines: unfolded, text: decode(text, headers), signedIn, isEncrypted }
}

function decode(text: string, headers: ReadonlyMap<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
