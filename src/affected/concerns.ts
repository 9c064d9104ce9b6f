// Whether a change concerns the docs at all: facts about it, each with a weight, as a chance from 0 to 1. The weights come from a
// logistic regression (bench/affected-fit.ts), which also sets the share of the commits with docs that the thresholds keep.

import { termKeys } from '../docs-syntax/terms/term-keys.ts'
import type { ReadChange } from './change-terms.ts'
import type { Rates } from './co-change.ts'
import type { Condition, Conditions, Judgement } from './conditions.ts'
import type { PageScores } from './page-scores.ts'
import type { Change } from './types.ts'
import { readMessage } from './subjects.ts'

const feature =
  /^(?:feat|perf)\b|\b(?:add|adds|added|new|support|supports|introduce|allow|allows|option|deprecat\w*|implement|enable|expose|stabili[sz]e|default|rename\w*)\b/i
const internal =
  /^(?:chore|refactor|test|tests|ci|build|style|deps?|internal|revert)\b|\b(?:refactor\w*|clean ?up|bump|lint|flaky|unused|internal|tests?|typings?|simplif\w*|benchmarks?)\b/i
const fix = /^fix\b|\b(?:fix\w*|bug|crash|regression|correct)\b/i
const wording =
  /\b(?:typos?|spell\w*|grammar|wording|mention\w*|links?|urls?|examples?|comments?|clarif\w*|descri\w*|misspell\w*|words?)\b/i
/** Users may see these changes, and rarely read about them. */
const trouble = /\b(?:error|panic|crash|race|leak|deadlock|null|undefined|exception|warn\w*|message|log\w*)s?\b/i
const types = /\b(?:types?|typings?|annotations?|mypy|type hints)\b/i
const breaking = /breaking|^\w+(?:\([^)\n]*\))?!:/im
/** Files in which programs say what users see. */
const open =
  /(?:^|[/._-])(?:config\w*|options?|cli|args?|flags?|types|api|settings?|schema|commands?|public|index|plugins?|hooks?|errors?)(?=[/._-]|$)/i

export type Evidence = {
  readonly change: Change
  readonly read: ReadChange
  readonly scores: PageScores
  readonly rates: Rates
}

export function conditionsOf({ change, read, scores, rates }: Evidence): Conditions {
  const sorted = scores.scores.map(({ score }) => score).toSorted((one, other) => other - one)
  const messages = change.messages.map(readMessage)
  const titles = messages.map(({ title }) => title).join('\n')
  const isKnown = (text: string) => scores.pagesWith(termKeys(text).whole) > 0
  const known = read.addedNames.filter(isKnown).length
  const paths = change.files.map(({ path }) => path)
  return {
    best: Math.log1p(sorted[0] ?? 0),
    fifth: Math.log1p(sorted[4] ?? 0),
    even: (sorted[4] ?? 0) / Math.max(1e-9, sorted[0] ?? 0),
    rarest: Math.log1p(scores.bestPart),
    known: Math.log1p(known),
    removedKnown: Math.log1p(read.removedNames.filter(isKnown).length),
    unknown: Math.log1p(read.addedNames.length - known),
    flags: Number(read.addedNames.some((text) => text.startsWith('--'))),
    removed: Math.log1p(read.removedNames.length),
    feature: Number(feature.test(titles)),
    internal: Number(internal.test(titles)),
    fix: Number(fix.test(titles)),
    wording: Number(wording.test(titles)),
    trouble: Number(trouble.test(titles)),
    types: Number(types.test(titles)),
    breaking: Number(breaking.test(change.messages.join('\n'))),
    explained: Math.log1p(messages.reduce((sum, { body }) => sum + body.trim().length, 0)),
    lines: Math.log1p(read.lines),
    tests: read.testLines / Math.max(1, read.lines + read.testLines),
    onlyTests: Number(read.lines === 0),
    imports: read.imports / Math.max(1, read.lines),
    declarations: Math.log1p(read.declarations),
    comments: read.comments / Math.max(1, read.lines),
    docComments: Math.log1p(read.docComments),
    notices: Math.log1p(read.notices),
    files: Math.log1p(paths.length),
    created: Number(change.files.some(({ status }) => status === 'added')),
    open: paths.filter((path) => open.test(path)).length / Math.max(1, paths.length),
    ofFiles: rates.files,
    ofFolders: rates.folders,
    ofAll: rates.all,
    worstWord: rates.worstWord,
    words: rates.words,
    expected: rates.expected,
  }
}

/** From 0 to 1. */
export function chanceOf(conditions: Conditions, { bias, weights }: Judgement): number {
  const sum = Object.entries(weights).reduce(
    (all, [name, weight]) => all + weight * conditions[name as Condition],
    bias,
  )
  return 1 / (1 + Math.exp(-sum))
}
