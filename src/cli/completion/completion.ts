// `docent completion bash`: prints the script that completes commands in bash. The script is generated from the
// definitions of the commands, so it is never out of date.

import { Argument, type Command, type Option } from 'commander'
import type { CommandContext } from './context.ts'
import type { DefineAll } from './lazy-commands.ts'

const help = `
  bash   eval "$(docent completion bash)"
  zsh    autoload -U bashcompinit && bashcompinit && eval "$(docent completion bash)"`

export function defineCompletion(command: Command, { output }: CommandContext, defineAll: DefineAll): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash']))
    .addHelpText('after', help)
    .action(async () => {
      await defineAll()
      output.print(writeBash(collectPlaces(command.parent ?? command)).trimEnd())
    })
}

/** A command with its completions. Names of commands and options are letters and dashes, so they need no quotes. */
type Place = {
  /** `docent job create` */
  readonly path: string
  readonly words: readonly string[]
  readonly options: readonly { readonly flag: string; readonly follow: string }[]
}

/** Lists the program and all commands below it. */
function collectPlaces(command: Command, above = ''): readonly Place[] {
  const path = `${above} ${command.name()}`.trimStart()
  const commands = command.commands.filter((one) => one.name() !== 'help')
  const options = command.options.filter((one) => one.long && !one.hidden)
  const choices = command.registeredArguments.flatMap((one) => one.argChoices ?? [])
  const words = [...commands.map((one) => one.name()), ...choices, ...options.map((one) => one.long ?? ''), '--help']
  const withValue = options.filter((one) => one.required || one.optional)
  const place = { path, words, options: withValue.map((one) => ({ flag: one.long ?? '', follow: toReply(one) })) }
  return [place, ...commands.flatMap((one) => collectPlaces(one, path))]
}

/** Returns the bash code that completes the value of an option: with its choices, with files, or with nothing. */
function toReply({ argChoices, flags }: Option): string {
  if (argChoices) return `COMPREPLY=($(compgen -W '${argChoices.join(' ')}' -- "$cur")); return`
  return /<(?:file|path)>/.test(flags) ? 'COMPREPLY=($(compgen -f -- "$cur")); return' : 'COMPREPLY=(); return'
}

function writeBash(places: readonly Place[]): string {
  const known = places.slice(1).map(({ path }) => `'${path}'`)
  const replies = Map.groupBy(
    places.flatMap(({ path, options }) =>
      options.map(({ flag, follow }) => ({ pattern: `'${path} ${flag}'`, follow })),
    ),
    ({ follow }) => follow,
  )
  const afterOption = [...replies].map(
    ([follow, rows]) => `    ${rows.map(({ pattern }) => pattern).join('|')}) ${follow} ;;`,
  )
  return `# bash completion for docent: source it, or save it as docent in a folder of bash-completion
_docent() {
  local at=docent cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} i words=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${known.join('|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${afterOption.join('\n')}
  esac
  case "$at" in
${places.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _docent docent
`
}
