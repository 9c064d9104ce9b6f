// Parses a message into a list of instructions in order, or names the part that it does not understand. The whole message is
// parsed before any instruction is carried out. Each sentence has one of a few exact forms: docs/guides/models.md lists them.

import { posix } from 'node:path'
import { withoutPlace } from '../comment.ts'
import type { FixProblems, Instruction } from './instruction.ts'
import type { Asked, LeftKind } from './left-alone/left-alone.ts'

export type ParsedPrompt = { readonly instructions: readonly Instruction[] } | { readonly problem: string }

/** A quotation becomes one word, so that nothing inside it is read as an instruction. */
type Masked = { readonly text: string; raw(part: string | undefined): string; restore(part: string): string }
type Groups = Readonly<Record<string, string | undefined>>
type Read = (found: Groups, masked: Masked) => readonly Instruction[] | undefined

const quotation =
  /"((?:[^"\\]|\\.)*)"|\u201c([^\u201c\u201d]*)\u201d|`([^`\n]+)`|(?<![\p{L}\p{N}])'([^'\n]+)'(?!\p{L})/gu
const mask = /\u{e000}(\d+)\u{e001}/gu
const quote = '\u{e000}\\d+\u{e001}'
const place = `(?:${quote}|[^\\s,:;!?\u{e000}]+)`
const places = listOf(place)
const scopes = listOf(`(?:${quote}|[^\\s,:;!?\u{e000}]*[/.*][^\\s,:;!?\u{e000}]*)`)

const listMark = /^\s*(?:[-*+•]|\d+[.)])\s+/
const verbs = 'rename|replace|move|delete|remove|set|change|fix|repair|add|list|complete|use'
const breaks = new RegExp(`[.!?;](?=\\s|$)|(?:, and|,| and)(?: then)?(?= (?:please )?(?:${verbs})\\b)`, 'iu')
const polite = /^(?:(?:please|also|then|now|and|finally|first|hello|hi)[,!]? )+|,? (?:please|thanks|thank you)$/giu
const idle =
  /^(?:hi|hello|thanks|thank you|continue|go on|try again|retry|update (?:all |the )*(?:links|navigation)(?: and (?:the )?navigation)?|open a pull request|that's all)?$/i

const upkeep =
  '(?:,? (?:and|with) (?:update |fix )?(?:all |the |its )*(?:links|references|navigation|navigation entry)(?: to it)?(?: and (?:the )?navigation)?)?'
const nouns = '(?:links|anchors|images)'
const menu = '(?:navigation|sidebar)'

const forms: readonly (readonly [form: RegExp, read: Read])[] = [
  [
    sentence(
      `(?:fix|repair) (?:all )?(?:the )?(?:broken|dead|missing) (?<what>${nouns}(?: and (?:broken |missing )?${nouns})?)(?<tail>.*)`,
    ),
    toFix,
  ],
  [
    sentence(
      '(?:fix|repair) (?:all )?(?:the )?problems(?: that the checks? (?:finds?|found)(?: in your change)?)?(?<tail>.*)',
    ),
    toFix,
  ],
  [
    sentence(
      '(?:fix|repair|update) (?:all )?(?:the )?(?:stale|outdated) (?<stale>terms and values|terms|values)(?<tail>.*)',
    ),
    toFix,
  ],
  [sentence(`(?:add|list) (?:all )?(?:the )?(?:missing|unlisted) pages (?:to|in) the ${menu}(?<tail>.*)`), toList],
  [sentence(`add (?:all )?the pages that the ${menu} lacks(?<tail>.*)`), toList],
  [sentence(`complete the ${menu}(?<tail>.*)`), toList],
  [
    sentence(
      `(?:rename|replace|change) (?<pairs>${quote} (?:to|with) ${quote}(?: and ${quote} (?:to|with) ${quote})*)(?<tail>.*)`,
    ),
    toTerms,
  ],
  [
    sentence(
      `update (?:all )?(?:the )?(?:docs|documentation|pages) (?:for|after|with|to) (?:the |all )?changes(?: (?:of|in|from) @?(?<source>[a-z0-9-]{1,40}))? since (?:(?:the )?(?<last>last tag|last release)|(?<since>${place}))`,
    ),
    toFollow,
  ],
  [sentence(`use (?<to>${quote}) instead of (?<from>${quote})(?<tail>.*)`), toTerms],
  [
    sentence(
      `(?<verb>move|rename) (?:the )?(?<noun>page |file |image )?(?<from>${place}) (?:to|into) (?:the )?(?<folder>folder )?(?<to>${place})${upkeep}`,
    ),
    toMove,
  ],
  [sentence(`(?:delete|remove) (?:the )?(?<noun>pages? |files? )?(?<paths>${places})${upkeep}`), toDelete],
  [
    sentence(
      `(?:set|change) (?:the )?(?:field )?(?<field>sidebar title|${place}) (?:of|in) (?:the )?(?<noun>page |file )?(?<page>${place}) (?:from ${quote} )?to (?<value>.+)`,
    ),
    toField,
  ],
]

export function parsePrompt(prompt: string): ParsedPrompt {
  const masked = maskQuotations(withoutPlace(prompt))
  const instructions: Instruction[] = []
  for (const clause of masked.text.split('\n').flatMap((line) => line.replace(listMark, '').split(breaks))) {
    const said = clause.trim().replace(/\s+/g, ' ').replace(polite, '').trim()
    if (idle.test(said)) continue
    const read = readSentence(said, masked)
    if (!read) return { problem: masked.restore(said) }
    instructions.push(...read)
  }
  return { instructions }
}

function readSentence(said: string, masked: Masked): readonly Instruction[] | undefined {
  for (const [form, read] of forms) {
    const found = form.exec(said)?.groups
    const instructions = found && read(found, masked)
    if (instructions) return instructions
  }
  return undefined
}

function listOf(one: string): string {
  return `${one}(?:(?:, and|,| and) ${one})*`
}

function sentence(form: string): RegExp {
  return new RegExp(`^${form}$`, 'iu')
}

function maskQuotations(source: string): Masked {
  const values: string[] = []
  const written: string[] = []
  const clean = source.replace(/[\u{e000}\u{e001}]/gu, '').replace(/\r\n?/g, '\n')
  const text = clean.replace(quotation, (whole, straight?: string, ...others: unknown[]) => {
    const inner = others.slice(0, 3).find((one) => typeof one === 'string')
    written.push(whole)
    return `\u{e000}${values.push(straight?.replace(/\\(["\\])/g, '$1') ?? String(inner)) - 1}\u{e001}`
  })
  return {
    text,
    raw: (part = '') => part.replace(mask, (_, index: string) => values[Number(index)] ?? ''),
    restore: (part) => part.replace(mask, (_, index: string) => written[Number(index)] ?? ''),
  }
}

const kindsOf: Readonly<Record<string, readonly string[]>> = {
  links: ['link', 'anchor', 'navigation'],
  anchors: ['anchor'],
  images: ['image'],
  terms: ['stale-term'],
  values: ['stale-value'],
}
const nounOf: Readonly<Record<string, FixProblems['noun']>> = {
  links: 'broken link',
  anchors: 'broken anchor',
  images: 'broken image',
  terms: 'stale term',
  values: 'stale value',
}

function toFix({ what, stale, tail }: Groups, masked: Masked): readonly FixProblems[] | undefined {
  const asked = readTail(tail, masked)
  if (!asked || asked.inCode) return undefined
  const named = (what ?? stale)?.toLowerCase().match(/links|anchors|images|terms|values/g) ?? []
  const [only = '', ...more] = named
  const several = stale === undefined ? 'problem' : 'stale mention'
  const noun = more.length === 0 ? (nounOf[only] ?? several) : several
  const problems = [...new Set(named.flatMap((name) => kindsOf[name] ?? []))]
  return [{ kind: 'fix', problems, noun, scopes: asked.scopes, including: asked.including }]
}

function toList({ tail }: Groups, masked: Masked): readonly Instruction[] | undefined {
  const asked = readTail(tail, masked)
  return asked && !asked.inCode ? [{ kind: 'list', scopes: asked.scopes, including: asked.including }] : undefined
}

function toTerms({ pairs = '', from, to, tail }: Groups, masked: Masked): readonly Instruction[] | undefined {
  const asked = readTail(tail, masked)
  const terms = from === undefined || to === undefined ? Array.from(pairs.matchAll(mask), ([one]) => one) : [from, to]
  const texts = terms.map((one) => masked.raw(one).trim())
  if (!asked || texts.some((text) => text === '' || text.length > 200 || text.includes('\n'))) return undefined
  return texts.flatMap((text, at): Instruction[] =>
    at % 2 === 0 ? [{ kind: 'replace', from: text, to: texts[at + 1] ?? '', ...asked }] : [],
  )
}

function toFollow({ source, last, since }: Groups, masked: Masked): readonly Instruction[] {
  return [{ kind: 'follow', since: last === undefined ? masked.raw(since) : 'last-tag', source: source?.toLowerCase() }]
}

function toMove({ verb, noun, from: old, folder, to: fresh }: Groups, masked: Masked) {
  const [from, to] = [masked.raw(old), masked.raw(fresh)]
  if (!isPath(from) || !isPath(to) || (noun === undefined && /\s/.test(from))) return undefined
  const isRename = verb?.toLowerCase() === 'rename'
  // `Rename Acme to Widget` is about a term.
  if (isRename && noun === undefined && !(looksLikePage(from) && looksLikePage(to))) return undefined
  const isFolder = folder !== undefined || to.endsWith('/')
  const isBeside = isRename && !isFolder && !to.includes('/') && from.includes('/')
  return [{ kind: 'move' as const, from, to: isBeside ? posix.join(posix.dirname(from), to) : to, isFolder }]
}

function toDelete({ noun, paths = '' }: Groups, masked: Masked): readonly Instruction[] | undefined {
  const named = paths.split(/, and |, | and /).map((one) => masked.raw(one))
  if (!named.every((path) => isPath(path) && (noun !== undefined || looksLikePage(path)))) return undefined
  return named.map((path) => ({ kind: 'delete', path }))
}

const knownField = /^(?:title|description|sidebarTitle|subtitle|icon|keywords|tag|slug|mode)$/

function toField({ field = '', noun, page, value = '' }: Groups, masked: Masked): readonly Instruction[] | undefined {
  const path = masked.raw(page)
  const name = /^sidebar title$/i.test(field)
    ? 'sidebarTitle'
    : masked.raw(field).replace(/^(?:title|description)$/i, lower)
  if (!isPath(path) || !/^[\w:.-]+$/.test(name) || !(noun !== undefined || looksLikePage(path))) return undefined
  const isQuoted = new RegExp(`^${quote}$`, 'u').test(value)
  const isBare = /^(?:true|false|\d+(?:\.\d+)?)$/.test(value)
  const areWords = knownField.test(name) && value.length <= 200 && !value.includes('\u{e000}')
  if (!isQuoted && !isBare && !areWords) return undefined
  return [{ kind: 'field', path, field: name, value: masked.raw(value), isBare }]
}

function lower(word: string): string {
  return word.toLowerCase()
}

const kinds: readonly (readonly [word: RegExp, kind: LeftKind])[] = [
  [/^(?:translations|all languages)$/i, 'translations'],
  [/^generated files$/i, 'generated'],
  [/^changelogs?$/i, 'released'],
]
const kindWords = '(?:translations|generated files|changelogs?)'
const tails: readonly RegExp[] = [
  /^ (?:everywhere|in the docs|in the documentation|in all pages|in prose(?: only)?)/iu,
  /^(?:,? also in|,? including|,? in prose and in| and in| in) (?<code>code(?: blocks| samples)?)(?: too)?/iu,
  new RegExp(`^,? including (?<kinds>${kindWords}(?:(?:, and|,| and) ${kindWords})*)`, 'iu'),
  /^ in (?<kinds>all languages)/iu,
  new RegExp(`^ in (?<scopes>${scopes})`, 'iu'),
]

/** Reads where an instruction applies. Undefined: a part of it is not understood. */
function readTail(tail = '', masked: Masked): (Asked & { readonly inCode: boolean }) | undefined {
  const scopes: string[] = []
  const including: LeftKind[] = []
  let inCode = false
  for (let rest = tail; rest !== '';) {
    const found = tails.map((one) => one.exec(rest)).find((one) => one !== null)
    if (!found) return undefined
    const { code, kinds: named, scopes: written } = found.groups ?? {}
    inCode ||= code !== undefined
    for (const word of named?.split(/, and |, | and /) ?? [])
      including.push(...kinds.flatMap(([one, kind]) => (one.test(word) ? kind : [])))
    const paths = written?.split(/, and |, | and /).map((one) => masked.raw(one)) ?? []
    scopes.push(...paths)
    rest = rest.slice(found[0].length)
  }
  return { scopes, including, inCode }
}

/** Words with spaces can be a path if the message calls them a page. */
function isPath(path: string): boolean {
  return path !== '' && path.length <= 300 && !/[\n\r*?<>|"\0]/.test(path) && !/^[a-z]+:\/\//i.test(path)
}

function looksLikePage(path: string): boolean {
  return (
    path.includes('/') || /\.(?:mdx?|markdown|rst|adoc|svg|png|jpe?g|gif|webp|avif|ico|pdf|mp4|json|ya?ml)$/i.test(path)
  )
}
