// Runs the commands in COMMANDS, a JSON array of argument lists, one after another in this process. The file at
// LOADED_MODULES gets a line `after <command>` after each: the modules before it were loaded until then.

import { appendFileSync } from 'node:fs'
import { runCommand } from './command.ts'

const { COMMANDS = '[]', LOADED_MODULES = '', ...environment } = process.env
for (const args of JSON.parse(COMMANDS) as readonly (readonly string[])[]) {
  const { code, stderr } = await runCommand(args, environment)
  const isExpected = code === 0 || stderr.includes('There is no response from')
  appendFileSync(LOADED_MODULES, `${isExpected ? 'after' : `failed with ${stderr}:`} ${args.join(' ')}\n`)
}
