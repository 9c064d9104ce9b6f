// Instructions that replace one term by another, with where and in what they are to be replaced.

import type { ReplaceTerm } from '../instruction.ts'
import { type Masked, quotation } from './masked.ts'

const q = quotation
const noun = '(?:(?:the\\s+)?(?:terms?|words?|phrase|name|product(?:\\s+name)?|string|text|wording)\\s+)?'
const every =
  '(?:(?:all|every|each|any|the|both)\\s+)*(?:(?:the\\s+)?(?:occurrences?|mentions?|instances?|uses?|references?)\\s+(?:of|to)\\s+)?(?:the\\s+)?'
const verb = '(?:replace|rename|change|update|swap|substitute)'
const to = '\\s*(?:\\bto\\b|\\bwith\\b|\\bby\\b|\\binto\\b|\\bas\\b|→|->|=>)\\s*(?:be\\s+)?'
const words = '[A-Z][\\w.+#-]*(?:\\s+[\\w.+#-]+){0,4}?'
const titleWords = '[A-Z][\\w+#-]*(?:\\s+[A-Z0-9][\\w+#-]*){0,4}'

/** Each finds the old term, perhaps what stands between, the fresh term, and the rest. */
const forms: readonly RegExp[] = [
  `^${verb}\\s+${every}${noun}(?<old>${q})(?<between>\\s+(?:in|on|within|across|throughout|everywhere)\\b.*?)?${to}${noun}(?<fresh>${q})(?<rest>.*)$`,
  `^${verb}\\s+(?:[\\w\\s-]{1,40}\\s)?from\\s+(?<old>${q})\\s+to\\s+(?<fresh>${q})(?<rest>.*)$`,
  `^(?:use|say|write|prefer)\\s+${noun}(?<fresh>${q})\\s+(?:instead of|rather than|in place of)\\s+${noun}(?<old>${q})(?<rest>.*)$`,
  `^${noun}(?<old>${q})\\s+(?:is now|becomes|should (?:now )?be|has become|must be)\\s*(?:called|renamed(?:\\s+to)?|named|known as)?\\s*(?<fresh>${q})(?<rest>.*)$`,
].map((source) => new RegExp(source, 'iu'))
/** Without quotation marks both terms must be names, and the verb must leave no doubt. */
const bareForm = new RegExp(
  `^(?:[Rr]ename|[Rr]eplace)\\s+(?:all\\s+(?:mentions|occurrences)\\s+of\\s+)?(?<old>${words})\\s+(?:to|with|by)\\s+(?<fresh>${titleWords})(?<rest>.*)$`,
  'u',
)

const code = '(?:the\\s+|all\\s+|any\\s+)?(?:inline\\s+)?code(?:\\s+(?:blocks?|samples?|examples?|snippets?))?'
const path = `(?:${quotation}|[\\w@.*{}[\\]-]*\\/[\\w@./*{}[\\],-]*[\\w*}\\]/]|[\\w@-]+\\.(?:mdx?|markdown|json)\\b|[\\w@-]+(?=\\s+(?:folder|directory|section|page)\\b))`
const docs = '(?:docs|documentation|site|pages?|files?|repo(?:sitory)?|project|places)'

const everywhere = new RegExp(
  `^(?:everywhere|globally|throughout(?:\\s+(?:the|our|all)(?:\\s+(?:the|our|whole|entire))?\\s+${docs})?|(?:across|in|on)\\s+(?:(?:all|every|each|the|our|of|whole|entire)\\s+)+${docs})(?![/\\w])`,
  'iu',
)
const notCode = new RegExp(
  `^(?:(?:but\\s+)?not\\s+(?:in|inside)|except(?:\\s+(?:in|for|inside))?|excluding|without(?:\\s+(?:touching|changing))?|outside(?:\\s+of)?|leaving|leave|ignoring|skipping|never\\s+in)\\s+${code}(?:\\s+(?:alone|unchanged|untouched|as\\s+(?:it\\s+is|is|they\\s+are)))?`,
  'iu',
)
const withCode = new RegExp(
  `^(?:also\\s+|even\\s+)?(?:(?:in|including|include|plus|as\\s+well\\s+as\\s+in|inside)\\s+)(?:prose\\s+and\\s+(?:in\\s+)?)?${code}(?:\\s+(?:too|also|as\\s+well))?|^code(?:\\s+blocks?)?\\s+(?:too|also|as\\s+well|included)|^and\\s+(?:in\\s+)?${code}(?:\\s+(?:too|also|as\\s+well))?`,
  'iu',
)
const prose =
  /^(?:only\s+|just\s+)?(?:in\s+|within\s+)?(?:the\s+)?(?:prose|body\s+text|running\s+text|text)(?:\s+only)?(?![\w/])/i
const scope = new RegExp(
  `^(?:only\\s+|just\\s+)?(?:in|within|under|inside|on|across|for|throughout)\\s+(?:(?:all|every|the|pages?|files?|docs?|folders?|directory|sections?|of|in|under)\\s+)*(${path})(?:\\s+(?:folder|directory|section|page|file|pages|files))?`,
  'iu',
)
const nextScope = new RegExp(`^(?:in\\s+)?(?:the\\s+)?(${path})(?:\\s+(?:folder|directory|section|page|file))?`, 'iu')
const nextPair = new RegExp(`^(${q})${to}(${q})`, 'iu')
const politeness = /^(?:please|too|as\s+well|accordingly|consistently|now|only|\(?case[- ]sensitive\)?)\b\)?/i
const links = /^(?:update|fix|keep|adjust|including|with)\s+[^,]*\b(?:links?|anchors?|navigation)\b[^,]*/i

type Reading = { inCode: boolean; scopes: string[]; pairs: (readonly [from: string, to: string])[] }

/** The replacements that a clause asks for; undefined when it asks for none or says more than is understood. */
export function parseTerm(clause: string, masked: Masked): ReplaceTerm[] | undefined {
  const leading = new RegExp(`^((?:only\\s+)?(?:in|on|under|within)\\s+.{1,200}?),\\s*(.+)$`, 'iu').exec(clause)
  const [text, lead] = leading && scope.test(leading[1] ?? '') ? [leading[2] ?? '', leading[1] ?? ''] : [clause, '']
  for (const form of [...forms, bareForm]) {
    const { old, fresh, between = '', rest = '' } = form.exec(text)?.groups ?? {}
    if (old === undefined || fresh === undefined) continue
    const reading: Reading = { inCode: false, scopes: [], pairs: [[masked.unmask(old), masked.unmask(fresh)]] }
    const whole = [lead, between, rest].filter((part) => part.trim() !== '').join(', ')
    if (readQualifiers(whole, masked, reading)) return toInstructions(reading)
  }
  return undefined
}

function toInstructions({ inCode, scopes, pairs }: Reading): ReplaceTerm[] | undefined {
  const isTerm = (text: string): boolean => text.trim() !== '' && text.length <= 200 && !text.includes('\n')
  if (!pairs.every(([from, to]) => isTerm(from) && isTerm(to))) return undefined
  return pairs.map(([from, to]) => ({ kind: 'replace', from: from.trim(), to: to.trim(), inCode, scopes }))
}

/** Reads all of the text or answers false. */
function readQualifiers(text: string, masked: Masked, reading: Reading): boolean {
  let rest = trimJoint(text)
  let last: 'scope' | 'other' = 'other'
  while (rest !== '') {
    const before = rest
    const taken = takeQualifier(rest, { masked, reading, mayGoOn: last === 'scope' })
    if (!taken) return false
    rest = trimJoint(before.slice(taken.length))
    last = taken.isScope ? 'scope' : 'other'
  }
  return true
}

type Taken = { readonly length: number; readonly isScope: boolean }
type Reader = { readonly masked: Masked; readonly reading: Reading; readonly mayGoOn: boolean }

function takeQualifier(rest: string, { masked, reading, mayGoOn }: Reader): Taken | undefined {
  const pair = nextPair.exec(rest)
  if (pair) {
    reading.pairs.push([masked.unmask(pair[1] ?? ''), masked.unmask(pair[2] ?? '')])
    return { length: pair[0].length, isScope: false }
  }
  for (const [pattern, inCode] of [
    [notCode, false],
    [withCode, true],
    [prose, false],
  ] as const) {
    const found = pattern.exec(rest)
    if (!found) continue
    reading.inCode = inCode
    return { length: found[0].length, isScope: false }
  }
  const found = everywhere.exec(rest) ?? politeness.exec(rest) ?? links.exec(rest)
  if (found) return { length: found[0].length, isScope: false }
  const place = scope.exec(rest) ?? (mayGoOn ? nextScope.exec(rest) : null)
  if (!place) return undefined
  reading.scopes.push(masked.unmask(place[1] ?? ''))
  return { length: place[0].length, isScope: true }
}

function trimJoint(text: string): string {
  return text
    .replace(/^(?:[\s,;()]|(?:and|but|or)\b(?!\s+(?:in\s+)?(?:the\s+|all\s+)?(?:inline\s+)?code\b))+/i, '')
    .replace(/[\s,.)]+$/, '')
}
