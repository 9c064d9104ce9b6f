// The script for bash.

import { byValue, knownPaths, type Place, type Value } from './places.ts'

export function writeBash(places: readonly Place[]): string {
  return `# bash completion for docent: source it, or save it as docent in a folder of bash-completion
_docent() {
  local at=docent cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} i words=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${knownPaths(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${byValue(places, toReply)}
  esac
  case "$at" in
${places.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _docent docent`
}

function toReply(value: Value): string {
  if (value.kind === 'choices') return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$cur")); return`
  return value.kind === 'file' ? 'COMPREPLY=($(compgen -f -- "$cur")); return' : 'COMPREPLY=(); return'
}
