// A mail server on the loopback interface that speaks SMTP over a socket: EHLO, AUTH PLAIN, MAIL, RCPT, DATA, RSET, NOOP, QUIT. A test
// decides what it responds to each mail.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Cleanup } from './git-remote.ts'

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Header lines without folds, in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly lines: readonly string[]
  readonly text: string
  /** `user:password`, if the client signed in. */
  readonly signedIn: string | undefined
}

/** The response to a recipient or to the end of a mail, such as `451 try later`. `hang`: no response. `drop`: the connection ends. */
export type SmtpScript = {
  readonly recipient?: (to: string) => string | undefined
  readonly mail?: (mail: ReceivedMail) => string | undefined
}

export type SmtpServer = { readonly url: string; readonly port: number; readonly mails: ReceivedMail[] }

export async function serveSmtp(t: Cleanup, script: SmtpScript = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void talk(socket, script, mails)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, port, mails }
}

async function talk(socket: Socket, { recipient, mail }: SmtpScript, mails: ReceivedMail[]): Promise<void> {
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
  say('220 loopback ESMTP')
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (state.data) {
      if (line !== '.') {
        state.data.push(line.replace(/^\./, ''))
        continue
      }
      const received = parse(state.data, state)
      state.data = undefined
      mails.push(received)
      answer(mail?.(received), '250 queued as 1')
      continue
    }
    const [, command = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
    switch (command.toUpperCase()) {
      case 'EHLO':
        say('250-loopback')
        say('250-AUTH PLAIN')
        say('250 8BITMIME')
        break
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
  { from, to, signedIn }: Pick<ReceivedMail, 'from' | 'to' | 'signedIn'>,
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
  return { from, to: [...to], headers, lines: unfolded, text: decode(text, headers), signedIn }
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
