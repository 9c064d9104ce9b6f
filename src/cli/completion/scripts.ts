// The scripts that teach a shell the commands. Each finds out which command the line is in and offers what may follow.
// Names of commands and options are letters and dashes; descriptions are quoted.

import type { Place, Value } from './words.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export function writeScript(shell: Shell, places: readonly Place[]): string {
  return { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell](places)
}

function writeBash(places: readonly Place[]): string {
  return `# bash completion for docent: source it, or save it as docent in a folder of bash-completion
_docent() {
  local at=docent cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} i words=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${patterns(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${afterOptions(places, { choice: (words) => `COMPREPLY=($(compgen -W '${words}' -- "$cur")); return`, file: 'COMPREPLY=($(compgen -f -- "$cur")); return', own: 'COMPREPLY=(); return' })}
  esac
  case "$at" in
${places.map((one) => `    '${one.path}') words='${one.words.map((word) => word.text).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _docent docent
`
}

function writeZsh(places: readonly Place[]): string {
  const found = (one: Place) => one.words.map((word) => quote(`${word.text}:${word.about.replaceAll(':', '\\:')}`))
  const files = places.filter((one) => one.takesFile).map((one) => `'${one.path}'`)
  return `#compdef docent
# zsh completion for docent: save it as _docent in a folder of $fpath
_docent() {
  local at=docent prev=\${words[CURRENT-1]} i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${patterns(places)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at $prev" in
${afterOptions(places, { choice: (words) => `compadd -- ${words}; return`, file: '_files; return', own: 'return' })}
  esac
  case "$at" in
${places.map((one) => `    '${one.path}') found=(${found(one).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'docent' found
  case "$at" in
    ${files.join('|')}) _files ;;
  esac
}
if [ "$funcstack[1]" = _docent ]; then _docent "$@"; else compdef _docent docent; fi
`
}

function writeFish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const when = `-n '__docent_at "${place.path}"'`
    return place.words.map(({ text, about }) => {
      const value = place.values.find((one) => one.option === text)
      const what = text.startsWith('--') ? `-l ${text.slice(2)}${fishValue(value)}` : `-a ${text}`
      return `complete -c docent ${when} ${what} -d ${quote(about)}`
    })
  })
  const files = places
    .filter((one) => one.takesFile)
    .map((one) => `complete -c docent -n '__docent_at "${one.path}"' -F`)
  const known = places.slice(1).map((one) => `'${one.path}'`)
  return `# fish completion for docent: save it as docent.fish in ~/.config/fish/completions
function __docent_at
  set -l at docent
  set -l typed (commandline -opc)
  for word in $typed[2..-1]
    switch "$at $word"
      case ${known.join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c docent -f
${[...lines, ...files].join('\n')}
`
}

function fishValue(value: Value | undefined): string {
  if (!value) return ''
  if (value.kind === 'file') return ' -r -F'
  return value.kind === 'choice' ? ` -x -a '${value.choices.join(' ')}'` : ' -x'
}

type Branches = { readonly choice: (words: string) => string; readonly file: string; readonly own: string }

/** Lines of a shell's \`case\` over the command and the option before the word. */
function afterOptions(places: readonly Place[], branches: Branches): string {
  const all = places.flatMap(({ path, values }) =>
    values.map((value) => ({ pattern: `'${path} ${value.option}'`, value })),
  )
  const grouped = Map.groupBy(all, ({ value }) =>
    value.kind === 'choice' ? branches.choice(value.choices.join(' ')) : branches[value.kind],
  )
  return [...grouped].map(([does, rows]) => `    ${rows.map((row) => row.pattern).join('|')}) ${does} ;;`).join('\n')
}

function patterns(places: readonly Place[]): string {
  return places
    .slice(1)
    .map((one) => `'${one.path}'`)
    .join('|')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
