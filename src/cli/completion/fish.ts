// The script for fish.

import type { Place, Value } from './places.ts'

export function writeFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const here = `complete -c docent -n "__docent_at '${path}'"`
    const values = new Map(options.map(({ flag, value }) => [flag, value]))
    const flags = words.filter((word) => word.startsWith('--'))
    const others = words.filter((word) => !word.startsWith('--'))
    return [
      ...(others.length > 0 ? [`${here} -a '${others.join(' ')}'`] : []),
      ...flags.map((flag) => `${here} -l ${flag.slice(2)}${toValue(values.get(flag))}`),
    ]
  })
  const known = places.slice(1).map(({ path }) => `'${path}'`)
  return `# fish completion for docent: source it, or save it as docent.fish in ~/.config/fish/completions
function __docent_at
  set -l at docent
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $word" ${known.join(' ')}
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c docent -f
${lines.join('\n')}`
}

function toValue(value: Value | undefined): string {
  if (value === undefined) return ''
  if (value.kind === 'choices') return ` -x -a '${value.words.join(' ')}'`
  return value.kind === 'file' ? ' -r -F' : ' -x'
}
