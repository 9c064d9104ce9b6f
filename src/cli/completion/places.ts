// The program and its commands, with the words and options that a shell completes. They are read from the definitions of the
// commands, so a script is never out of date. Names of commands, options and choices are letters, digits and dashes, so they
// need no quotes.

import type { Command, Option } from 'commander'

/** The value of an option, as far as a shell can complete it. */
export type Value =
  | { readonly kind: 'choices'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'other' }

export type Place = {
  /** `docent job create` */
  readonly path: string
  /** Subcommands, choices of arguments, and options. */
  readonly words: readonly string[]
  /** The options with a value. */
  readonly options: readonly { readonly flag: string; readonly value: Value }[]
}

/** Lists the program and all commands below it. */
export function collectPlaces(command: Command, above = ''): readonly Place[] {
  const path = `${above} ${command.name()}`.trimStart()
  const commands = command.commands.filter((one) => one.name() !== 'help')
  const options = command.options.filter((one) => one.long && !one.hidden)
  const choices = command.registeredArguments.flatMap((one) => one.argChoices ?? [])
  const words = [...commands.map((one) => one.name()), ...choices, ...options.map((one) => one.long ?? ''), '--help']
  const withValue = options.filter((one) => one.required || one.optional)
  const place = { path, words, options: withValue.map((one) => ({ flag: one.long ?? '', value: valueOf(one) })) }
  return [place, ...commands.flatMap((one) => collectPlaces(one, path))]
}

function valueOf({ argChoices, flags }: Option): Value {
  if (argChoices) return { kind: 'choices', words: argChoices }
  return { kind: /<(?:file|path)>/.test(flags) ? 'file' : 'other' }
}

/** The options by their value, each as `'docent job create --prompt'`: the branches of a `case` in bash and in zsh. */
export function byValue(places: readonly Place[], toCode: (value: Value) => string): string {
  const rows = places.flatMap(({ path, options }) =>
    options.map(({ flag, value }) => ({ pattern: `'${path} ${flag}'`, code: toCode(value) })),
  )
  return [...Map.groupBy(rows, ({ code }) => code)]
    .map(([code, same]) => `    ${same.map(({ pattern }) => pattern).join('|')}) ${code} ;;`)
    .join('\n')
}

/** The commands, as the pattern of a `case`. */
export function knownPaths(places: readonly Place[]): string {
  return places
    .slice(1)
    .map(({ path }) => `'${path}'`)
    .join('|')
}
