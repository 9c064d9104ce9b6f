// What can be typed after each command: read from the commands themselves, so that it is never out of date.

import type { Command, Option } from 'commander'

export type Word = { readonly text: string; readonly about: string }
/** What may follow an option: one of these words; a file; or something of the caller's own. */
export type Value = {
  readonly option: string
  readonly kind: 'choice' | 'file' | 'own'
  readonly choices: readonly string[]
}
export type Place = {
  /** `docent job create` */
  readonly path: string
  readonly words: readonly Word[]
  readonly values: readonly Value[]
  /** Does it take a file? */
  readonly takesFile: boolean
}

/** The program and all commands below it. */
export function collectPlaces(command: Command, above = ''): readonly Place[] {
  const path = above === '' ? command.name() : `${above} ${command.name()}`
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  const options = help.visibleOptions(command)
  const place = {
    path,
    words: [
      ...commands.map((one) => ({ text: one.name(), about: help.subcommandDescription(one) })),
      ...options.map((one) => ({ text: nameOf(one), about: one.description })),
      ...command.registeredArguments.flatMap((one) => one.argChoices ?? []).map((text) => ({ text, about: '' })),
    ],
    values: options.filter((one) => one.required || one.optional).map(toValue),
    takesFile: command.registeredArguments.some((one) => one.name() === 'file'),
  }
  return [place, ...commands.flatMap((one) => collectPlaces(one, path))]
}

function toValue(option: Option): Value {
  const choices = option.argChoices ?? []
  const kind = choices.length > 0 ? 'choice' : option.flags.includes('<path>') ? 'file' : 'own'
  return { option: nameOf(option), kind, choices }
}

function nameOf(option: Option): string {
  return option.long ?? option.short ?? option.flags
}
