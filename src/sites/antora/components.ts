// The components of an Antora site in a repository, and how its names (`version@component:module:family$path`) lead to files.

import { posix } from 'node:path'
import type { SiteAttributes } from '../../docs-syntax/asciidoc/attributes.ts'
import { inside } from '../../docs-syntax/links.ts'
import { readYamlValues, type YamlValue } from '../../docs-syntax/yaml.ts'
import type { Address } from '../address.ts'
import { elsewhere, folderOf, splitName } from '../names.ts'
import type { OwnLink, SiteFiles } from '../site.ts'

export type Component = {
  readonly config: string
  readonly root: string
  readonly name: string
  /** '' for a component without versions. Undefined: branches or a playbook elsewhere decide. */
  readonly version: string | undefined
  readonly attributes: SiteAttributes
  /** Other repositories have modules, and pages of modules, too: its navigation names several modules that this one has not. */
  readonly isShared: boolean
}

/** Where a file is in its component. `folder`: within its family. */
export type Place = {
  readonly component: Component
  readonly module: string
  readonly family: string
  readonly name: string
}

const maxFiles = 200
const known = new WeakMap<SiteFiles, Promise<readonly Component[]>>()

export function readComponents(files: SiteFiles): Promise<readonly Component[]> {
  const found = known.get(files) ?? readAll(files)
  known.set(files, found)
  return found
}

async function readAll(files: SiteFiles): Promise<readonly Component[]> {
  const named = (name: RegExp) =>
    files.paths.filter((path) => name.test(path) && !elsewhere.test(path)).slice(0, maxFiles)
  const books = await Promise.all(named(/(?:^|\/)[^/]*playbook[^/]*\.ya?ml$/).map((path) => files.text(path)))
  // An attribute that two playbooks set differently is not known.
  // It fixes the values that do not end in `@`.
  const shared = agreed(books.map((text) => attributesIn(readYamlValues(text ?? '') ?? [])))
  const fixed = Object.fromEntries(
    Object.entries(shared).filter(([, value]) => value !== false && !String(value).endsWith('@')),
  )
  const found = await Promise.all(
    named(/(?:^|\/)antora\.yml$/).map(async (config) => {
      const values = readYamlValues((await files.text(config)) ?? '') ?? []
      const name = valueOf(values, 'name')
      if (name === undefined) return []
      const root = folderOf(config)
      return [
        {
          config,
          root,
          isShared: await namesOtherModules(root, values, files),
          name,
          version: versionOf(values),
          attributes: { ...shared, ...attributesIn(values), ...fixed },
        },
      ]
    }),
  )
  return found.flat()
}

async function namesOtherModules(root: string, values: readonly YamlValue[], files: SiteFiles): Promise<boolean> {
  const lists = values.flatMap(({ path: [key], value }) => (key === 'nav' ? [posix.join(root, value)] : []))
  const texts = await Promise.all(lists.map((path) => files.text(path)))
  const named = texts.flatMap((text) =>
    Array.from((text ?? '').matchAll(/xref:([\w-]+):(?![\w-]*:)/g), ([, module]) => module),
  )
  const folder = posix.join(root, 'modules/')
  const own = new Set(
    files.paths.map((path) => (path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : '')),
  )
  return new Set(named).difference(own).size >= 2
}

/** `null` for a version is written; a component without the key has it from elsewhere. */
function versionOf(values: readonly YamlValue[]): string | undefined {
  const written = valueOf(values, 'version')
  return written === 'null' ? '' : written === 'true' ? undefined : written
}

function valueOf(values: readonly YamlValue[], key: string): string | undefined {
  return values.find(({ path }) => path.length === 1 && path[0] === key)?.value
}

/** `asciidoc.attributes`, of which only single values count. */
function attributesIn(values: readonly YamlValue[]): Record<string, string | boolean> {
  const found = values.flatMap(({ path: [first, second, name, ...rest], value, tag }) => {
    const isOne = first === 'asciidoc' && second === 'attributes' && name !== undefined && rest.length === 0
    if (!isOne || tag !== undefined || value.includes('\n')) return []
    return [[name, value === 'false' || value === 'null' ? false : value] as const]
  })
  return Object.fromEntries(found)
}

function agreed(all: readonly Record<string, string | boolean>[]): Record<string, string | boolean> {
  const found = new Map<string, string | boolean>()
  const differing = new Set<string>()
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) {
    if (found.has(name) && found.get(name) !== value) differing.add(name)
    found.set(name, value)
  }
  return Object.fromEntries([...found].filter(([name]) => !differing.has(name)))
}

/** Undefined: the file is in no module. */
export function placeIn(components: readonly Component[], path: string): Place | undefined {
  const nearest = components.toSorted((a, b) => b.root.length - a.root.length)
  for (const component of nearest) {
    const parts = inside(posix.join(component.root, 'modules'), path)?.split('/')
    if (!parts || parts.length < 2) continue
    const [module = '', family = ''] = parts
    return { component, module, family, name: parts.slice(2).join('/') }
  }
  return undefined
}

/** The folders of a family; the second one is of Antora 1. */
const families: Readonly<Record<string, readonly string[]>> = {
  page: ['pages'],
  partial: ['partials', 'pages/_partials'],
  image: ['images', 'assets/images'],
  attachment: ['attachments', 'assets/attachments'],
  example: ['examples'],
}
const usual: Readonly<Record<string, string>> = { doc: 'page', image: 'image', include: 'page', link: 'page' }

/** The family of a name without one. */
export function usualFamily(kind: string): string {
  return usual[kind] ?? 'page'
}

/** Undefined for the files of a module that no name leads to, such as its navigation. */
export function familyOf(folder: string, name: string): string | undefined {
  const found = Object.entries(families).find(([, [own]]) => own === folder)?.[0]
  return name.startsWith('_') ? undefined : found
}

export function resolveName(components: readonly Component[], from: Place, { kind, url }: OwnLink): Address {
  const { name: whole, fragment } = splitName(url)
  const at = whole.indexOf('@')
  const version = at === -1 ? undefined : whole.slice(0, at)
  const parts = whole.slice(at + 1).split(':')
  const [componentName, module] =
    parts.length >= 3 ? [parts[0], parts[1] || 'ROOT'] : [undefined, parts.length === 2 ? parts[0] : undefined]
  const rest = parts.slice(parts.length >= 3 ? 2 : parts.length - 1).join(':')
  const [, given, path = ''] = /^(?:(\w+)\$)?([^]*)$/.exec(rest) ?? []
  const family = given ?? usualFamily(kind)
  const folders = families[family]
  if (!folders || path === '') return { kind: 'unread', reason: 'template' }
  // An include without a family is a path beside the file.
  const isPath = kind === 'include' && given === undefined && parts.length === 1
  const isBeside = isPath || path.startsWith('./') || path.startsWith('../')
  const wanted = componentName || from.component.name
  const same = components.filter(({ name }) => name === wanted)
  const isOther = componentName !== undefined || version !== undefined
  const found = same.filter((one) => isVersion(one, version, { isOther, from }))
  if (found.length === 0) return { kind: 'unread', reason: 'outside' }
  const modules = found.flatMap(({ root }) => posix.join(root, 'modules', module || from.module))
  const ending = kind === 'doc' && family === 'page' && !/\.\w+$/.test(path) ? '.adoc' : ''
  const inFolders = modules.flatMap((folder) =>
    folders.map((one) => posix.join(folder, one, base(from, isBeside && !isPath), path + ending)),
  )
  const beside = isPath
    ? [posix.join(from.component.root, 'modules', from.module, from.family, posix.dirname(from.name), path)]
    : []
  const paths = [...beside, ...(isPath ? [] : inFolders)]
  // A module or a version may lie in another repository, too.
  const isKnown = version === undefined || same.some((one) => one.version === version)
  if (!isKnown) return { kind: 'unread', reason: 'outside' }
  const ids = family === 'page' ? found.map((one) => idOf(one, `${module || from.module}:${path}${ending}`)) : []
  // A component of another repository may insert the text, but a page of this one that does so has the same link.
  const isFixed = parts.length > 1 && !isBeside && components.every(({ name }) => name === from.component.name)
  const otherwise = found.some(({ isShared }) => isShared) ? { otherwise: 'outside' as const } : {}
  return { kind: 'named', paths, ids, fragment, isFixed, ...otherwise }
}

function base(from: Place, isBeside: boolean): string {
  return isBeside ? posix.dirname(from.name) : ''
}

/** Without a version, the same one within a component, and the latest of another: any may be. */
function isVersion(
  one: Component,
  version: string | undefined,
  { isOther, from }: { isOther: boolean; from: Place },
): boolean {
  if (version !== undefined && version !== '_') return one.version === version
  if (version === '_') return one.version === ''
  return isOther && one.name !== from.component.name ? true : one.version === from.component.version
}

/** The id of a page by a name as `page-aliases` and cross references have it. */
export function idOf({ name, version }: Component, written: string): string {
  const at = written.indexOf('@')
  const parts = written.slice(at + 1).split(':')
  const path = (parts.at(-1) ?? '').replace(/^page\$/, '')
  const module = (parts.length > 1 ? parts.at(-2) : '') || 'ROOT'
  const component = (parts.length > 2 ? parts.at(-3) : '') || name
  const ending = path.endsWith('.adoc') ? '' : '.adoc'
  return `${at === -1 ? (version ?? '') : written.slice(0, at)}@${component}:${module}:${path}${ending}`
}
