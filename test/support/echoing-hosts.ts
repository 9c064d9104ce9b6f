// Responses of hosts, proxies and providers that repeat the secret which they were sent, in every spelling: as words, as
// refusals of an API, as answers of git.

import type { Fault } from './git-server.ts'

/** `mark`: comes before the secret, and shows where the words come to. */
export function echoOf(secret: string, mark: string): string {
  const users = ['', 'x-access-token:', 'oauth2:', 'docent:', 'writer:', 'Bearer ']
  const half = Math.floor(secret.length / 2)
  const bytes = Buffer.from(secret)
  const spellings = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).replaceAll('/', String.raw`\/`),
    bytes.toString('hex'),
    `${secret.slice(0, half)}\n${secret.slice(half)}`,
    ...users.flatMap((user) => [btoa(user + secret), Buffer.from(user + secret).toString('base64url')]),
  ]
  return `${mark} says no to ${spellings.join(', ')}`
}

/** For headers, of which programs take 16 kB. */
const oneLine = (words: string, longest = 3_000): string => words.replaceAll(/\s+/g, ' ').slice(0, longest)

export type Echo = (words: string) => Extract<Fault, { kind: 'answer' }>

/** A refusal of an API in JSON, in headers as well. */
export const refusal =
  (status: number): Echo =>
  (words) => ({
    kind: 'answer',
    status,
    headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': oneLine(words), ETag: `"${oneLine(words)}"` },
    body: JSON.stringify({ message: words, error: words, errors: [{ message: words, [words]: words }] }),
  })

/** The response of a proxy for a host that it does not reach. */
export const page =
  (status: number, type = 'text/html'): Echo =>
  (words) => ({ kind: 'answer', status, headers: { 'Content-Type': type }, body: `<p>${words}</p>` })

/** `to`: before the secret in the address, which holds it as path and as query. */
export const redirect =
  (to: string): Echo =>
  (words) => {
    const secret = encodeURIComponent(oneLine(words, 1_500))
    const Location = `${to}/${secret}/info/refs?service=git-upload-pack&token=${secret}`
    return { kind: 'answer', status: 301, headers: { Location } }
  }

/** git's own refusal of a fetch, which a proxy of git makes too. */
export const errorPacket: Echo = (words) => ({
  kind: 'answer',
  status: 200,
  headers: { 'Content-Type': 'application/x-git-upload-pack-advertisement' },
  body: `${packet('# service=git-upload-pack\n')}0000${packet(`ERR ${oneLine(words)}\n`)}`,
})

/** A refused push: what a hook says, its words broken over two packets, and the reason of the refusal. */
export const refusedPush =
  (ref: () => string): Echo =>
  (words) => {
    const [one, other] = [words.slice(0, 300), words.slice(300)]
    const report = `${packet('unpack ok\n')}${packet(`ng ${ref()} ${oneLine(words)}\n`)}0000`
    const body = [`\u0002${one}`, `\u0002${other}\n`, `\u0001${report}`].map(packet).join('')
    const headers = { 'Content-Type': 'application/x-git-receive-pack-result' }
    return { kind: 'answer', status: 200, headers, body: `${body}0000` }
  }

function packet(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}
