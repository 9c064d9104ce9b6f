// Prints the headings of the demo. Prints each request as a curl command, then sends it.

import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { paint } from '../output.ts'

export type DemoClient = CommandContext & { readonly api: Api; readonly address: string }

export async function printAndSend<T>(client: DemoClient, method: string, path: string, body?: object): Promise<T> {
  const data = body ? ` -H 'Content-Type: application/json' \\\n      -d '${JSON.stringify(body)}'` : ''
  const verb = method === 'GET' ? '' : ` -X ${method}`
  // Quote the URL: the shell interprets `?` and `&`.
  const address = path.includes('?') ? `'${client.address}${path}'` : client.address + path
  client.output.print(gray(client, `  $ curl${verb} ${address} -H "Authorization: Bearer $KEY"${data}`))
  return JSON.parse((await client.api.send(method, path, body)).body) as T
}

export function printHeading({ output }: Pick<CommandContext, 'output'>, heading: string): void {
  output.print(paint(output, ['bold', 'cyan'], `\n${heading}`))
}

export function gray({ output }: Pick<CommandContext, 'output'>, text: string): string {
  return paint(output, 'gray', text)
}
