// Measures the CPU time that reading a line takes in each log format, without a service: the best of five rounds. Run it
// with `node bench/formats.ts`.

import { createParser } from '../src/analytics/import/formats/formats.ts'
import { isRejected } from '../src/analytics/import/wire-page-view.ts'

const count = 100_000
const agent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const two = (number: number) => String(number).padStart(2, '0')
const clock = (n: number) => `${two(Math.floor(n / 3_600) % 24)}:${two(Math.floor(n / 60) % 60)}:${two(n % 60)}`
const address = (n: number) => `192.0.${n % 200}.${n % 251}`
const path = (n: number) => `/guide/${n % 700}/page`
const clf = (n: number) => `${address(n)} - - [21/Nov/2026:${clock(n)} +0000] "GET ${path(n)} HTTP/1.1" 200 512`
const combined = (n: number) => `${clf(n)} "https://example.com/list" "${agent}"`

const edge = (n: number) =>
  `2026-11-21\t${clock(n)}\t${address(n)}\tGET\t${path(n)}\t200\t-\t${encodeURI(agent)}\tid${n}\tdocs.example.com\thttps`
const edgeFields =
  '#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(Referer) cs(User-Agent) x-edge-request-id x-host-header cs-protocol'
const iis = (n: number) =>
  `2026-11-21 ${clock(n)} 10.0.0.1 GET ${path(n)} - 443 ${address(n)} ${agent.replaceAll(' ', '+')} - 200 5`
const iisFields =
  '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Referer) sc-status time-taken'
const alb = (n: number) =>
  `h2 2026-11-21T${clock(n)}.123456Z app/a/1 ${address(n)}:5 10.0.0.1:80 0 0 0 200 200 1 2 "GET https://a.example:443${path(n)} HTTP/2.0" "${agent}" - - arn`
const request = (n: number) => ({ client_ip: address(n), method: 'GET', host: 'docs.example.com', uri: path(n) })
const caddy = (n: number) =>
  JSON.stringify({ ts: 1_795_255_200 + n, request: { ...request(n), headers: { 'User-Agent': [agent] } }, status: 200 })

type Case = readonly [name: string, format: string, line: (n: number) => string, head?: string]
const cases: readonly Case[] = [
  ['combined', 'combined', combined],
  [
    'combined as a string of nginx',
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
    combined,
  ],
  ['combined as a string of Apache', '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"', combined],
  ['common', 'common', clf],
  ['alb', 'alb', alb],
  ['cloudfront', 'cloudfront', edge, edgeFields],
  ['iis', 'iis', iis, iisFields],
  ['caddy', 'caddy', caddy],
]

for (const [name, format, line, head] of cases) {
  const parse = createParser(format)
  if (head !== undefined) parse(head)
  const lines = Array.from({ length: count }, (_, n) => line(n))
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage()
    const read = lines.filter((one) => !isRejected(parse(one))).length
    const { user, system } = process.cpuUsage(start)
    if (read !== count) throw new Error(`${name}: ${count - read} lines were not read`)
    return (user + system) / count
  })
  console.log(`${name.padEnd(32)} ${Math.min(...times).toFixed(2)} µs for a line`)
}
