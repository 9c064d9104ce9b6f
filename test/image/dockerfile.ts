// Reads a Dockerfile and its .dockerignore, as far as ours use them. An instruction or an option that is not known here
// throws, so that a new line of the Dockerfile cannot be left out in silence.

import { matchesGlob } from 'node:path'

export type Instruction =
  | { readonly kind: 'from'; readonly image: string; readonly stage: string }
  | { readonly kind: 'workdir' | 'user' | 'run' | 'volume' | 'expose' | 'stopsignal'; readonly text: string }
  | {
      readonly kind: 'copy'
      readonly from: string | undefined
      readonly sources: readonly string[]
      readonly to: string
    }
  | { readonly kind: 'env' | 'label'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'healthcheck' | 'entrypoint' | 'cmd'; readonly args: readonly string[] }

export function parseDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line, at) => {
    const [keyword = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line)?.slice(1) ?? []
    return parseInstruction(keyword, rest, at)
  })
}

function parseInstruction(keyword: string, rest: string, at: number): Instruction {
  switch (keyword) {
    case 'FROM': {
      const words = rest.replace(/^--platform=\$BUILDPLATFORM /, '').split(/\s+/)
      return { kind: 'from', image: words[0] ?? '', stage: words[1] === 'AS' ? (words[2] ?? '') : `stage-${at}` }
    }
    case 'COPY': {
      const words = rest.split(/\s+/)
      const from = /^--from=(\S+)$/.exec(words[0] ?? '')?.[1]
      const paths = from === undefined ? words : words.slice(1)
      if (paths.some((path) => path.startsWith('--'))) throw new Error(`an option of COPY is not known: ${rest}`)
      return { kind: 'copy', from, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' }
    }
    case 'WORKDIR':
    case 'USER':
    case 'RUN':
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return { kind: keyword.toLowerCase() as 'run', text: rest }
    case 'ENV':
    case 'LABEL':
      return { kind: keyword.toLowerCase() as 'env', values: parseValues(rest) }
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', args: JSON.parse(rest.slice(rest.indexOf('['))) as string[] }
    case 'ENTRYPOINT':
    case 'CMD':
      return { kind: keyword.toLowerCase() as 'cmd', args: JSON.parse(rest) as string[] }
    default:
      throw new Error(`${keyword} is not known`)
  }
}

/** `a=b c="d e"` */
function parseValues(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/([^\s=]+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]))
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
