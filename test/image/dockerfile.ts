// Reads a Dockerfile and its .dockerignore, as far as ours use them. An instruction or an option that is not known here
// throws, so that a new line of the Dockerfile cannot be left out in silence.

import { matchesGlob } from 'node:path'

export type Instruction =
  | { readonly kind: 'from'; readonly image: string; readonly stage: string }
  | { readonly kind: 'workdir' | 'user' | 'run'; readonly text: string }
  | {
      readonly kind: 'copy'
      readonly from: string | undefined
      readonly sources: readonly string[]
      readonly to: string
    }
  | { readonly kind: 'env'; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'healthcheck' | 'entrypoint' | 'cmd'; readonly args: readonly string[] }

/** They say something about the container, and change nothing in the file system. */
const noEffect: readonly string[] = ['VOLUME', 'EXPOSE', 'STOPSIGNAL', 'LABEL']

export function parseDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.flatMap((line, at) => {
    const [keyword = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? []
    return noEffect.includes(keyword) ? [] : [parseInstruction(keyword, rest, at)]
  })
}

function parseInstruction(keyword: string, rest: string, at: number): Instruction {
  const words = rest.split(/\s+/)
  switch (keyword) {
    case 'FROM':
      return { kind: 'from', image: words[0] ?? '', stage: words[1] === 'AS' ? (words[2] ?? '') : `stage-${at}` }
    case 'WORKDIR':
      return { kind: 'workdir', text: rest }
    case 'USER':
      return { kind: 'user', text: rest }
    case 'RUN':
      return { kind: 'run', text: rest }
    case 'COPY': {
      const from = /^--from=(\S+)$/.exec(words[0] ?? '')?.[1]
      const paths = from === undefined ? words : words.slice(1)
      if (paths.some((path) => path.startsWith('--'))) throw new Error(`an option of COPY is not known: ${rest}`)
      return { kind: 'copy', from, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
    }
    case 'ENV':
      return { kind: 'env', variables: Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2))) }
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', args: JSON.parse(rest.slice(rest.indexOf('['))) as string[] }
    case 'ENTRYPOINT':
      return { kind: 'entrypoint', args: JSON.parse(rest) as string[] }
    case 'CMD':
      return { kind: 'cmd', args: JSON.parse(rest) as string[] }
    default:
      throw new Error(`${keyword} is not known`)
  }
}

/** Is the file in the build context? The last pattern that matches it or a folder above it decides. */
export function createContextFilter(ignoreFile: string): (path: string) => boolean {
  const rules = ignoreFile.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => {
    const places = path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))
    // Docker's * matches hidden names too.
    const last = rules.findLast(
      (rule) => rule === '*' || places.some((place) => matchesGlob(place, rule.replace(/^!/, ''))),
    )
    return last === undefined || last.startsWith('!')
  }
}
