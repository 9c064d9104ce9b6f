// The process of a front: serves chDB over the HTTP protocol that @clickhouse/client uses, as a ClickHouse server does.
// Prints its port, and ends when its standard input ends. Like a server, it resets the settings and parameters of a request
// before the next one.

import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Session } from 'chdb'

/** Parameters of the protocol or of a server's HTTP layer, which the engine does not know. */
const ofTheProtocol = new Set(['query', 'query_id', 'database', 'session_id', 'role', 'user', 'password'])
const ofTheLayer = /^(?:wait_end_of_query|enable_http_compression|.*http.*progress.*|http_.*)$/
/** The statuses that a server sends: 404 for a missing database or table, 400 for an invalid statement, otherwise 500. */
const statuses: Readonly<Record<string, number>> = {
  60: 404,
  81: 404,
  46: 404,
  47: 404,
  36: 400,
  43: 400,
  53: 400,
  62: 400,
  27: 400,
}

type Connection = { readonly session: Session; names: readonly string[] }

const [folder = ''] = process.argv.slice(2)
const sessions = 6
const idle: Connection[] = Array.from({ length: sessions }, () => ({ session: new Session(folder), names: [] }))
const waiting: ((connection: Connection) => void)[] = []

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error))
})
server.keepAliveTimeout = 10_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
process.stdin.on('end', () => {
  server.closeAllConnections()
  server.close(() => process.exit(0))
})
process.stdin.resume()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://front')
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  response.setHeader('X-ClickHouse-Server-Display-Name', 'front')
  response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? '')
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  const body = await buffer(request)
  const connection = await take()
  const file = join(folder, `${randomUUID()}.native`)
  try {
    const rows = await run(connection, await toStatement(url.searchParams.get('query'), body, file), url.searchParams)
    response.setHeader('X-ClickHouse-Summary', JSON.stringify({ read_rows: '0', written_rows: '0' }))
    response.end(rows)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '1002'
    response.setHeader('X-ClickHouse-Exception-Code', code)
    response.writeHead(statuses[code] ?? 500).end(message)
  } finally {
    await rm(file, { force: true })
    give(connection)
  }
}

/** The engine reads text after a statement, and binary rows from a file, which has the name of its request. */
async function toStatement(query: string | null, body: Buffer, file: string): Promise<string> {
  const native = /^(?<insert>INSERT INTO \w+ \((?<names>.*)\)) FORMAT Native$/s.exec(query ?? '')?.groups
  if (!native) return [query, body.length === 0 ? null : body.toString()].filter((part) => part !== null).join('\n')
  await writeFile(file, body)
  return `${native['insert']} SELECT ${native['names']} FROM file(${quote(file)}, Native)`
}

async function run(connection: Connection, sql: string, parameters: URLSearchParams): Promise<Buffer> {
  const given = [...parameters].filter(([name]) => !ofTheProtocol.has(name) && !ofTheLayer.test(name))
  const settings = given.filter(([name]) => name !== 'default_format')
  const names = settings.map(([name]) => name)
  const gone = connection.names.filter((name) => !names.includes(name) && !name.startsWith('param_'))
  connection.names = [...new Set([...connection.names.filter((name) => name.startsWith('param_')), ...names])]
  const prelude = [
    `USE \`${(parameters.get('database') ?? 'default').replaceAll('`', '')}\``,
    ...gone.map((name) => `SET ${name} = DEFAULT`),
    ...settings.map(([name, value]) => `SET ${name} = ${quote(value)}`),
  ]
  const format = parameters.get('default_format') ?? 'TabSeparated'
  const result = await connection.session.queryAsync([...prelude, sql].join('; '), { format })
  return Buffer.from(result.bytes())
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function take(): Promise<Connection> {
  const connection = idle.pop()
  return connection ? Promise.resolve(connection) : new Promise((resolve) => void waiting.push(resolve))
}

function give(connection: Connection): void {
  const next = waiting.shift()
  if (next) next(connection)
  else idle.push(connection)
}
