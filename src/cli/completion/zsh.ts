// The script for zsh.

import { byValue, knownPaths, type Place, type Value } from './places.ts'

export function writeZsh(places: readonly Place[]): string {
  return `#compdef docent
# zsh completion for docent: evaluate it after compinit, or save it as _docent in a folder of fpath
_docent() {
  local at=docent i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${knownPaths(places)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${byValue(places, toOffer)}
  esac
  case "$at" in
${places.map(({ path, words }) => `    '${path}') compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _docent ]]; then _docent "$@"; else compdef _docent docent; fi`
}

function toOffer(value: Value): string {
  if (value.kind === 'choices') return `compadd -- ${value.words.join(' ')}; return`
  return value.kind === 'file' ? '_files; return' : 'return'
}
