// Plants inventions into commits of people: names made of the repository's own words, names with a changed letter or case, real
// names in the wrong place, wrong values. It draws them with the search of git alone, not with the code under test.

import type { Claim } from '../../src/grounding/claims.ts'
import type { ChangedText } from '../../src/grounding/places.ts'
import type { Random } from '../planted/random.ts'
import type { Clone, BenchRepository } from './repositories.ts'
import type { DocsCommit } from './history.ts'

export const plantKinds = ['new name', 'changed name', 'wrong place', 'wrong value'] as const
export type PlantKind = (typeof plantKinds)[number]

/** `line`: counted from 1. `control`: the same with a true value, which must not be listed. */
export type Plant = {
  readonly kind: PlantKind
  readonly path: string
  readonly line: number
  readonly term: string
  readonly change: readonly ChangedText[]
  readonly control?: readonly ChangedText[]
}

export type Planting = {
  readonly clone: Clone
  readonly repository: BenchRepository
  readonly commit: DocsCommit
  readonly change: readonly ChangedText[]
  /** Names of the change in code within a line, each of which is in the repository. */
  readonly names: readonly Claim[]
  readonly random: Random
}

/** Undefined: the commit has no place for it. */
export async function plant(kind: PlantKind, planting: Planting): Promise<Plant | undefined> {
  switch (kind) {
    case 'new name':
      return await plantName(kind, planting, await newNames(planting))
    case 'changed name':
      return await plantName(kind, planting, changedNames(planting.random))
    case 'wrong place':
      return await plantPlace(planting)
    case 'wrong value':
      return await plantValue(planting)
    default:
      return undefined
  }
}

const tries = 30

async function plantName(
  kind: PlantKind,
  planting: Planting,
  make: (name: string) => string,
): Promise<Plant | undefined> {
  const claims = planting.names.filter(({ term }) => /^-{0,2}[A-Za-z_][\w-]{4,40}$/.test(term))
  for (let at = 0; at < tries && claims.length > 0; at += 1) {
    const { path, line, term } = planting.random.pick(claims)
    const made = make(term)
    if (made === term || (await exists(planting, made))) continue
    const change = replaceAt(planting.change, { path, line }, term, made)
    if (change) return { kind, path, line, term: made, change }
  }
  return undefined
}

/** Whether the repository has it as a whole word, before or after the commit. A flag is there without its hyphens, too. */
async function exists({ clone, commit }: Planting, name: string): Promise<boolean> {
  const plain = name.replace(/^-+/, '')
  const forms = [
    plain,
    plain.replaceAll('-', '_'),
    plain.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]
  const patterns = [...new Set(forms)].flatMap((form) => ['-e', form])
  return (
    (await clone.tryGit('grep', '-q', '-w', '-F', ...patterns, commit.id)) ||
    (await clone.tryGit('grep', '-q', '-w', '-F', ...patterns, commit.parent))
  )
}

/** In the style of the name that it replaces, of words that names of the repository have. */
async function newNames({ clone, commit, random, change }: Planting): Promise<(name: string) => string> {
  const found = await clone
    .git(
      'grep',
      '-ohIE',
      '-m',
      '20',
      '[a-z]+([A-Z][a-z]+|_[a-z]+)+',
      commit.id,
      '--',
      '*.js',
      '*.ts',
      '*.py',
      '*.rs',
      '*.go',
    )
    .catch(() => '')
  const code = `${found.slice(0, 3_000_000)} ${change.map(({ after }) => after).join(' ')}`
  const words = [...new Set((code.match(/[A-Z]?[a-z]{3,12}(?=[A-Z_\W])/g) ?? []).map((word) => word.toLowerCase()))]
  return (name) => {
    const parts = Array.from({ length: 2 + random.below(2) }, () => random.pick(words))
    const capital = parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    if (name.startsWith('--')) return `--${parts.join('-')}`
    if (/^[A-Z][A-Z\d_]+$/.test(name)) return parts.join('_').toUpperCase()
    if (name.includes('_')) return parts.join('_')
    if (name.includes('-')) return parts.join('-')
    return /^[A-Z]/.test(name) ? capital.join('') : [parts[0], ...capital.slice(1)].join('')
  }
}

function changedNames(random: Random): (name: string) => string {
  return (name) => {
    const places = name.split('').flatMap((letter, at) => (/[A-Za-z]/.test(letter) && at > 0 ? [at] : []))
    const at = random.pick(places)
    const letter = name[at] ?? ''
    const rest = name.slice(at + 1)
    switch (random.below(4)) {
      case 0:
        return name.slice(0, at) + rest
      case 1:
        return name.slice(0, at) + letter + letter + rest
      case 2:
        return name.slice(0, at) + String.fromCharCode(97 + random.below(26)) + rest
      default:
        return (
          name.slice(0, at) + (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) + rest
        )
    }
  }
}

function replaceAt(
  change: readonly ChangedText[],
  { path, line }: { readonly path: string; readonly line: number },
  from: string,
  to: string,
): readonly ChangedText[] | undefined {
  const file = change.find((one) => one.path === path)
  const lines = file?.after?.split('\n') ?? []
  const old = lines[line - 1]
  if (!file || old === undefined || !old.includes(from)) return undefined
  const escaped = from.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const inCode = new RegExp(`(\`[^\`]*)(?<![\\w-])${escaped}(?![\\w-])(?=[^\`]*\`)`)
  if (!inCode.test(old)) return undefined
  lines[line - 1] = old.replace(inCode, (_, before: string) => before + to)
  return change.map((one) => (one === file ? { ...one, after: lines.join('\n') } : one))
}

/** A sentence of its own at the end of a page. */
function append({ change, random }: Planting, sentence: (code: (text: string) => string) => string) {
  const pages = change.filter(({ after }) => after !== undefined)
  const file = random.pick(pages)
  const marks = file.path.endsWith('.rst') ? '``' : '`'
  const text = `${(file.after ?? '').trimEnd()}\n\n${sentence((code) => marks + code + marks)}\n`
  return {
    path: file.path,
    line: text.split('\n').length - 1,
    change: change.map((one) => (one === file ? { ...one, after: text } : one)),
  }
}

/** The last name of one place at another: `a.b` and `c.d` give `a.d`. Also a flag of another command. */
async function plantPlace(planting: Planting): Promise<Plant | undefined> {
  const { clone, commit, random } = planting
  const grep = async (pattern: string) => {
    const text = await clone
      .git('grep', '-ohIE', pattern, commit.id, '--', '*.md', '*.mdx', '*.rst', ':!*vendor/*', ':!*node_modules/*')
      .catch(() => '')
    return [...new Set(text.split('\n').map((line) => line.replaceAll('`', '')))].filter((line) => line !== '')
  }
  const dotted = await grep('`[A-Za-z_]{3,}(\\.[A-Za-z_]{4,})+`')
  const commands = await grep('[a-z]{3,} [a-z]{3,} --[a-z][a-z-]{3,}')
  for (let at = 0; at < tries; at += 1) {
    const useFlags = dotted.length < 10 || (commands.length >= 10 && random.below(3) === 0)
    const pool = useFlags ? commands : dotted
    if (pool.length < 10) return undefined
    const [one, other] = [random.pick(pool), random.pick(pool)]
    const split = useFlags ? ' ' : '.'
    const owner = one.slice(0, one.lastIndexOf(split))
    const member = other.slice(other.lastIndexOf(split) + 1)
    const term = owner + split + member
    const last = owner.slice(owner.lastIndexOf(split) + 1)
    if (owner === other.slice(0, other.lastIndexOf(split)) || /\.\w{1,4}$/.test(term)) continue
    if (await clone.tryGit('grep', '-q', '-F', '-e', last + split + member, commit.id)) continue
    const planted = append(planting, (code) => `See ${code(term)}.`)
    return { kind: 'wrong place', ...planted, term: useFlags ? `${last} ${member}` : term }
  }
  return undefined
}

/** A name with a number of the repository, and another number of about the same size. */
async function plantValue(planting: Planting): Promise<Plant | undefined> {
  const { clone, commit, random } = planting
  const pattern = '[A-Za-z_]{4,}["\']? ?[:=] ?[0-9]{2,6}\\b'
  const paths = [
    '*.js',
    '*.ts',
    '*.py',
    '*.rs',
    '*.go',
    '*.toml',
    '*.yaml',
    '*.md',
    '*.rst',
    ':!*vendor/*',
    ':!*node_modules/*',
    ':!*.min.js',
    ':!*lock*',
  ]
  const found = await clone.git('grep', '-ohIE', '-m', '5', pattern, commit.id, '--', ...paths).catch(() => '')
  const pairs = [...new Set(found.split('\n'))].flatMap((line) => {
    const [, name, value] = /^([A-Za-z_]{4,})["']? ?[:=] ?(\d{2,6})$/.exec(line) ?? []
    return name !== undefined && value !== undefined && /_|[a-z][A-Z]/.test(name) ? [{ name, value }] : []
  })
  if (pairs.length === 0) return undefined
  const { name, value } = random.pick(pairs)
  let wrong = value
  while (Number(wrong) === Number(value))
    wrong =
      String(random.below(9) + 1) +
      value.slice(1).replace(/\d/g, () => (random.below(2) === 0 ? '0' : String(random.below(10))))
  const say = (number: string) => (code: (text: string) => string) => `The default of ${code(name)} is ${code(number)}.`
  const choice = random.below(1_000_000)
  const at = { ...planting, random: { ...random, pick: <T>(items: readonly T[]) => items[choice % items.length] as T } }
  const planted = append(at, say(wrong))
  return { kind: 'wrong value', ...planted, term: wrong, control: append(at, say(value)).change }
}
