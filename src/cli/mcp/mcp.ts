// `docent mcp`: the MCP server on standard input and output, for clients that start their servers themselves.

import type { Command } from 'commander'
import { withApi } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'

export function defineMcp(command: Command, context: CommandContext): void {
  command.addHelpText('after', help).action(() =>
    withApi(
      context,
      async (api) => {
        const { relay } = await import('./relay.ts')
        await relay(api, context)
      },
      true,
    ),
  )
}

const help = `
Passes messages on to the running service, through the socket in the data directory or, with DOCENT_URL and
DOCENT_API_KEY, over HTTP. Ends with standard input. A key with the scope read gets only the tools that read.
Through the socket every tool can be used, in every project.

The configuration of most clients:
  { "mcpServers": { "docent": { "command": "docent", "args": ["mcp"],
    "env": { "DOCENT_URL": "https://docent.example.com", "DOCENT_API_KEY": "docent_…" } } } }
Clients that speak HTTP need no command: the address is https://docent.example.com/mcp, with the header
Authorization: Bearer docent_…`
