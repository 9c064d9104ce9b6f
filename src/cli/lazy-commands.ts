// Programs, and commands that are declared by name and defined when they are used, so that no command loads the files of another.

import { Command } from 'commander'
import { version } from '../service/version.ts'
import type { CommandContext } from './context.ts'

/** Defines all commands that were not used yet: for what reads them all. */
export type DefineAll = () => Promise<void>

/**
 * Adds options, subcommands and the action. Returns how to define its own lazy commands, when it has any. A `--no-…`
 * option needs its default `true` written out: Commander sets it only for options that exist before parsing begins.
 */
export type Define = (command: Command, context: CommandContext, defineAll: DefineAll) => DefineAll | void

export type LazyCommand = { readonly usage: string; readonly about: string; readonly load: () => Promise<Define> }

/** A program without commands. */
export function createRoot(name: string, { output, json }: CommandContext): Command {
  return new Command(name)
    .version(version)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .showHelpAfterError(json ? false : `(${name} --help says more)`)
    .configureOutput({
      writeOut: (text) => output.print(text.replace(/\n$/, '')),
      writeErr: (text) => output.warn(text.replace(/\n$/, '')),
      ...(json ? { outputError: () => undefined } : {}),
    })
    .exitOverride()
}

export function addLazyCommands(parent: Command, context: CommandContext, commands: readonly LazyCommand[]): DefineAll {
  const waiting = new Map<Command, LazyCommand>()
  for (const one of commands) waiting.set(parent.command(one.usage).description(one.about), one)
  const define = async (command: Command) => {
    const lazy = waiting.get(command)
    waiting.delete(command)
    const defined = lazy && (await lazy.load())(command, context, defineAll)
    if (lazy && !context.json) nameHelp(command)
    return defined
  }
  const defineAll = async () => {
    for (const command of waiting.keys()) await (await define(command))?.()
  }
  parent
    .hook('preSubcommand', async (_parent, command) => {
      await define(command)
    })
    .addCommand(createHelp(parent))
  return defineAll
}

/** After a mistake, each command names its own help. */
function nameHelp(command: Command, above = pathOf(command.parent)): void {
  const path = `${above} ${command.name()}`
  command.showHelpAfterError(`(${path} --help says more)`)
  for (const one of command.commands) nameHelp(one, path)
}

function pathOf(command: Command | null): string {
  return command === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trimStart()
}

/** Commander's own help command would show a command before it is defined. */
function createHelp(parent: Command): Command {
  return new Command('help')
    .argument('[command...]')
    .description('show the help of a command')
    .action(async (path: readonly string[]) => {
      await parent.parseAsync([...path, '--help'], { from: 'user' })
    })
}
