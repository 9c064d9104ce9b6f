// A thousand true visits, written as the documentation of each server shows its lines, by code that shares nothing with
// the parsers. What is read must equal a count of the visits themselves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRejected, type WirePageView } from '../wire-page-view.ts'
import { createParser } from './formats.ts'

type Visit = {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly address: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly agent: string
  readonly referrer: string
}

const visits = createVisits(1_000)

type Row = {
  readonly name: string
  readonly format: string
  readonly write: (visit: Visit) => string
  /** Lines of this format don't hold these. */
  readonly lacks?: readonly (keyof Visit)[]
  /** Milliseconds: the unit of the times in the lines. */
  readonly precision?: number
  readonly hops?: number
}

const second = 1_000
const rows: readonly Row[] = [
  {
    name: 'combined',
    format: 'combined',
    precision: second,
    write: (visit) =>
      `${visit.address} - - [${clf(visit)}] "${request(visit)}" ${visit.status} 5 ${tail(visit, nginx)}`,
  },
  {
    name: 'common',
    format: 'common',
    precision: second,
    lacks: ['agent', 'referrer'],
    write: (visit) => `${visit.address} - frank [${clf(visit)}] "${request(visit)}" ${visit.status} 2326`,
  },
  {
    name: 'traefik',
    format: 'traefik',
    precision: second,
    write: (visit) =>
      `${visit.address} - - [${clf(visit)}] "${request(visit)}" ${visit.status} 5 ${tail(visit, apache)}` +
      ' 42 "docs@docker" "http://172.18.0.3:80" 7ms',
  },
  {
    name: 'alb',
    format: 'alb',
    lacks: ['referrer'],
    write: (visit) =>
      `h2 ${new Date(visit.time).toISOString().replace('Z', '123Z')} app/docs/50dc6c495c0c9188 ` +
      `${visit.address.includes(':') ? `[${visit.address}]` : visit.address}:2817 10.0.1.4:80 0.000 0.001 0.000 ` +
      `${visit.status} 200 34 366 ` +
      `"${visit.method} https://docs.example.com:443${visit.path}${visit.query} HTTP/2.0" "${nginx(visit.agent)}" ` +
      'ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/t/73e2 ' +
      '"Root=1-58337262-36d228ad5d99923122bbe354" "docs.example.com" "-" 0 2018-07-02T22:22:48.364000Z "forward"',
  },
  {
    name: 'nginx, the directive of its default file, after a proxy',
    format: `log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                      '$status $body_bytes_sent "$http_referer" '
                      '"$http_user_agent" "$http_x_forwarded_for"';`,
    precision: second,
    hops: 1,
    write: (visit) =>
      `10.0.0.1 - a [b [${clf(visit)}] "${request(visit)}" ${visit.status} 5 ${tail(visit, nginx)}` +
      ` "198.51.100.66, ${visit.address}"`,
  },
  {
    name: 'nginx, JSON',
    format:
      'escape=json {"at":"$time_iso8601","msec":$msec,"from":"$remote_addr","verb":"$request_method","host":"$host",' +
      '"uri":"$request_uri","status":$status,"agent":"$http_user_agent","referer":"$http_referer"}',
    precision: second,
    write: (visit) =>
      `{"at":"${new Date(visit.time).toISOString().slice(0, 19)}+00:00","msec":${(visit.time / 1_000).toFixed(3)},` +
      `"from":"${visit.address}","verb":"${visit.method}","host":"docs.example.com",` +
      `"uri":${JSON.stringify(visit.path + visit.query)},"status":${visit.status},` +
      `"agent":${JSON.stringify(visit.agent)},"referer":${JSON.stringify(visit.referrer)}}`,
  },
  {
    name: 'nginx, milliseconds and the whole address, between tabs',
    format:
      '$msec\t$remote_addr\t$request_method\t$scheme://$host$request_uri\t$status\t$http_referer\t$http_user_agent',
    write: (visit) =>
      [
        (visit.time / 1_000).toFixed(3),
        visit.address,
        visit.method,
        `https://docs.example.com${visit.path}${visit.query}`,
        visit.status,
        nginx(visit.referrer),
        nginx(visit.agent),
      ].join('\t'),
  },
  {
    name: 'apache, LogFormat of vhost_combined',
    format: String.raw`LogFormat "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" vhost_combined`,
    precision: second,
    write: (visit) =>
      `docs.example.com:443 ${visit.address} - - [${clf(visit)}] "${request(visit)}" ${visit.status} 5 ` +
      tail(visit, apache),
  },
  {
    name: 'apache, separate fields after a proxy',
    format: '%{msec}t %{c}a "%{X-Forwarded-For}i" %m %U%q %s "%{User-agent}i" "%{Referer}i" %{ms}T',
    hops: 2,
    write: (visit) =>
      `${visit.time} 10.0.0.1 "198.51.100.66, ${visit.address}, 10.0.0.2" ${visit.method} ${visit.path}${visit.query} ` +
      `${visit.status} "${apache(visit.agent)}" "${apache(visit.referrer)}" 12`,
  },
  {
    name: 'caddy, after a proxy',
    format: 'caddy',
    hops: 1,
    write: (visit) =>
      JSON.stringify({
        level: 'info',
        ts: visit.time / 1_000,
        logger: 'http.log.access',
        msg: 'handled request',
        request: {
          remote_ip: '10.0.0.1',
          client_ip: '10.0.0.1',
          proto: 'HTTP/2.0',
          method: visit.method,
          host: 'docs.example.com',
          uri: visit.path + visit.query,
          headers: {
            'User-Agent': [visit.agent],
            Referer: [visit.referrer],
            'X-Forwarded-For': [`198.51.100.66, ${visit.address}`],
          },
          tls: { version: 772 },
        },
        status: visit.status,
        resp_headers: { 'Content-Type': ['text/html'] },
      }),
  },
  {
    name: 'cloudflare',
    format: 'cloudflare',
    write: (visit) =>
      JSON.stringify({
        ClientIP: visit.address,
        ClientRequestHost: 'docs.example.com',
        ClientRequestMethod: visit.method,
        ClientRequestURI: visit.path + visit.query,
        ClientRequestUserAgent: visit.agent,
        ClientRequestReferer: visit.referrer,
        EdgeStartTimestamp: new Date(visit.time).toISOString(),
        EdgeResponseStatus: visit.status,
      }),
  },
  {
    name: 'vercel',
    format: 'vercel',
    write: (visit) =>
      JSON.stringify({
        id: '1573817187330377061717300000',
        source: 'static',
        host: 'deployment.vercel.app',
        deploymentId: 'dpl_1',
        timestamp: visit.time + 77,
        projectId: 'prj_1',
        level: 'info',
        proxy: {
          timestamp: visit.time,
          method: visit.method,
          scheme: 'https',
          host: 'docs.example.com',
          path: visit.path + visit.query,
          userAgent: [visit.agent],
          referer: visit.referrer,
          statusCode: visit.status,
          clientIp: visit.address,
        },
      }),
  },
]

const values = ['time', 'address', 'method', 'path', 'status', 'agent', 'referrer'] as const

for (const { name, format, write, lacks = [], precision = 1, hops } of rows) {
  test(`a thousand visits are read as they were: ${name}`, () => {
    const parse = createParser(format, hops === undefined ? undefined : { kind: 'forwarded', hops })
    const read = visits.map((visit) => {
      const parsed = parse(write(visit))
      assert.ok(!isRejected(parsed), JSON.stringify({ parsed, line: write(visit) }))
      return toVisit(parsed)
    })
    for (const value of values) {
      const truth = visits.map((visit) => (value === 'time' ? visit.time - (visit.time % precision) : visit[value]))
      if (lacks.includes(value)) assert.ok(read.every((one) => one[value] === ''))
      else assert.deepEqual(count(read.map((one) => one[value])), count(truth), value)
    }
  })
}

/** How often each value occurs. */
function count(list: readonly unknown[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

function toVisit({ timestamp, address, method, url, status, userAgent, referrer = '', ...place }: WirePageView) {
  assert.match(url ?? 'https://docs.example.com/', /^https:\/\/docs\.example\.com(:443)?\//)
  const path = url === undefined ? place.path : url.slice(url.indexOf('/', 8))
  return { time: timestamp, address, method, path, status, agent: userAgent, referrer }
}

function createVisits(length: number): readonly Visit[] {
  const state = { seed: 20_261_121 }
  const draw = (below: number) => {
    state.seed = (state.seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state.seed / 2_147_483_648) * below)
  }
  const one = <T>(list: readonly [T, ...T[]]) => list[draw(list.length)] ?? list[0]
  return Array.from({ length }, () => ({
    time: Date.UTC(2026, 10, 1) + draw(20 * 86_400_000),
    address: draw(4) === 0 ? `2001:db8::${(1 + draw(40)).toString(16)}` : `203.0.113.${draw(200)}`,
    method: one(['GET', 'GET', 'GET', 'HEAD']),
    path: one(['/', '/guide', '/guide/install.md', '/a%20b', '/[id]', `/page-${draw(50)}`]),
    query: one(['', '', '?q=secret', '?a=1&b=?']),
    status: one([200, 200, 200, 304, 404]),
    agent: one([
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36',
      'Claude-User/1.0; +https://example.com/bot',
      'quoted "agent" \\ with a backslash',
      'Łódź 文 😀',
      `curl/8.${draw(20)}.0`,
    ]),
    referrer: one(['', '', 'https://www.example.org/', 'https://example.com/a_(b)']),
  }))
}

function clf({ time }: Visit): string {
  const [, day, month, year, clock] = /, (\d\d) (\w{3}) (\d{4}) (\S+)/.exec(new Date(time).toUTCString()) ?? []
  return `${day}/${month}/${year}:${clock} +0000`
}

function request({ method, path, query }: Visit): string {
  return `${method} ${path}${query} HTTP/1.1`
}

function tail({ referrer, agent }: Visit, escape: (text: string) => string): string {
  return `"${escape(referrer)}" "${escape(agent)}"`
}

function hex(text: string): string {
  return [...Buffer.from(text)].map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`).join('')
}

/** Empty values are `-`; quotes, backslashes, controls and bytes above 126 are `\xHH`. */
function nginx(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^\x20-\x7e]+/gu, (some) =>
    hex(some).replaceAll(/[a-f]/g, (c) => c.toUpperCase()),
  )
  return escaped === '' ? '-' : escaped
}

/** Quotes and backslashes have a backslash, bytes above 126 are `\xhh`. */
function apache(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/[^\x20-\x7e]+/gu, hex)
  return escaped === '' ? '-' : escaped
}
