// The instances of Docusaurus' plugins for content, as the configuration names them: in a preset, or as plugins with an id
// of their own. Only what is written as a string, or as `false`, is known.

import type { FoundString } from '../found-strings.ts'

export type Instance = {
  readonly kind: 'docs' | 'blog' | 'pages'
  readonly id: string
  readonly path: string
  readonly route: string
  readonly lastVersion: string | undefined
  /** The routes that the configuration gives to versions, by their names. */
  readonly versionRoutes: Readonly<Record<string, string>>
  /** Whether `01-intro.md` keeps its number. */
  readonly keepsNumbers: boolean
}

type Kind = Instance['kind']

/** The name of a plugin or a preset, with the strings of its options. */
type Part = { readonly name: string; readonly text: string; readonly options: readonly FoundString[] }

const usual = { docs: 'docs', blog: 'blog', pages: 'src/pages' } as const

/** `text`: the configuration, `strings`: those of it. */
export function findInstances(text: string, strings: readonly FoundString[]): Instance[] {
  const parts = findParts(text, strings)
  // Options that a preset gets from a variable.
  const others = strings.filter(({ keys }) => listAt(keys) === -1 && !keys.includes('themeConfig'))
  const found = parts.flatMap((part): Instance[] => {
    if (/content-(?:docs|blog|pages)|\bblog\b/.test(part.name)) return [toInstance(kindOf(part.name), part)]
    const isPreset = part.options.some(({ keys }) => keys.includes('presets')) || /preset|^classic$/.test(part.name)
    if (isPreset) return presetOf({ ...part, options: [...others, ...part.options] })
    // A plugin that wraps the one for docs.
    const own = part.options.filter(({ keys }) => keys.at(-1) === 'routeBasePath')
    return own.length === 0 ? [] : [toInstance('docs', part)]
  })
  return found.some(({ kind }) => kind === 'docs') || /\bdocs:\s*false\b/.test(text)
    ? found
    : [...found, ...presetOf({ name: '', text, options: others })]
}

function kindOf(name: string): Kind {
  return /content-pages/.test(name) ? 'pages' : /blog/.test(name) ? 'blog' : 'docs'
}

function findParts(text: string, strings: readonly FoundString[]): Part[] {
  const names = strings.filter(({ keys }) => {
    const own = keys.slice(listAt(keys) + 1)
    return listAt(keys) !== -1 && own.length > 0 && own.every((key) => key === '[]' || key === '()')
  })
  return names.map(({ value, end }, at) => {
    const until = names[at + 1]?.start ?? text.length
    const options = strings.filter((one) => one.start > end && one.end < until && listAt(one.keys) !== -1)
    return { name: value, text: text.slice(end, until), options }
  })
}

function listAt(keys: readonly string[]): number {
  return keys.findLastIndex((key) => key === 'plugins' || key === 'presets')
}

function presetOf({ name, text, options }: Part): Instance[] {
  return (['docs', 'blog', 'pages'] as const).flatMap((kind) => {
    if (new RegExp(`\\b${kind}:\\s*false\\b`).test(text)) return []
    const own = options.filter(({ keys }) => keys.includes(kind) && !keys.includes('theme'))
    return [toInstance(kind, { name, text: kind === 'docs' ? text : '', options: own })]
  })
}

function toInstance(kind: Kind, { text, options }: Part): Instance {
  const own = new Map(
    options.flatMap(({ keys, value }) =>
      ['[]', kind].includes(keys.at(-2) ?? '') ? [[keys.at(-1) ?? '', value]] : [],
    ),
  )
  const versions = options.filter(({ keys }) => keys.at(-1) === 'path' && keys.at(-3) === 'versions')
  return {
    kind,
    id: own.get('id') ?? 'default',
    path: own.get('path') ?? usual[kind],
    route: toRoute(own.get('routeBasePath') ?? (kind === 'pages' ? '' : kind)),
    lastVersion: own.get('lastVersion'),
    versionRoutes: Object.fromEntries(versions.map(({ keys, value }) => [keys.at(-2) ?? '', toRoute(value)])),
    keepsNumbers: /\bnumberPrefixParser:\s*false\b/.test(text),
  }
}

/** `/docs` for `docs` and `/docs/`, '' for `/`. */
export function toRoute(written: string): string {
  return `/${written.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, '')
}
