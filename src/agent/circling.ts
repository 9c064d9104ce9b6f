// Detects a model that repeats itself: the same few calls or turns again and again with the same results, or a long
// series of turns with nothing new. Pure functions over the stored turns since the user's last message. Reading many
// pages, or reading the same pages again after an edit, is not a circle.

import type { ModelMessage } from './model/types.ts'
import { isNotice } from './notices/notices.ts'
import type { Turn } from './transcript.ts'

export type Circle = {
  /** The first circle gets a notice; a model that stays in it is stopped. */
  readonly stage: 'notice' | 'end'
  /** Describes the repeated action, to follow "The model" or "You". */
  readonly deed: string
  /** True when a refused `finish`, or an edit that the policy refused, is part of the circle. */
  readonly holdsRefusal: boolean
}

/** The longest period, in calls or in turns. Longer circles are detected as stale turns. */
const longestPeriod = 4
const timesBeforeNotice = 3
const staleTurnsBeforeNotice = 8
const staleTurnsBeforeEnd = 16
/** A turn is stale when each of its steps already happened in this many turns before it. */
const staleWindow = 16

/** Steps with equal keys did the same with the same result. */
type Step = { readonly tool: string; readonly key: string; readonly isRefused: boolean }
type Steps = readonly Step[]
type ToolContent = Extract<ModelMessage, { role: 'tool' }>['content']

/**
 * Returns the circle that the last turn closed; undefined when there is no circle, or when it already got its notice.
 */
export function findCircle(turns: readonly Turn[]): Circle | undefined {
  const sinceMessage = turns.slice(Math.max(0, turns.findLastIndex(hasMessage)))
  const steps = sinceMessage.slice(-(staleWindow + staleTurnsBeforeEnd)).map(stepsOf)
  const [first] = sinceMessage
  // Each message that came together may begin with the same call.
  const least = timesBeforeNotice + Math.max(0, (first ? messagesOf(first).length : 0) - 1)
  const unit = (['call', 'turn'] as const).find((one) => repetition(unitsOf(steps, one), least).times > 0)
  return unit ? judgeRepetition(steps, unit, least) : findStaleTurns(steps)
}

function hasMessage(turn: Turn): boolean {
  return messagesOf(turn).length > 0
}

function messagesOf({ input }: Turn): readonly ModelMessage[] {
  return input.filter((message) => message.role === 'user' && !isNotice(message))
}

/** Includes wrong calls, whose results are among the messages of the response. */
function stepsOf({ response, results = [] }: Turn): Steps {
  const messages = response?.messages ?? []
  const outputs = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  const parts = messages.flatMap((message) => {
    return message.role === 'assistant' && typeof message.content !== 'string' ? message.content : []
  })
  const steps = parts.flatMap((part): Step[] => {
    if (part.type !== 'tool-call') return []
    const { toolCallId: id, toolName: tool } = part
    const result = results.find(({ callId }) => callId === id)
    const wrong = outputs.find((one) => one.type === 'tool-result' && one.toolCallId === id)
    // A refused step is the same step even if its words change, as long as the reason of the refusal is the same.
    const input = result?.facts?.refusal === undefined ? part.input : undefined
    const isRefused = tool === 'finish' || result?.facts?.refusal !== undefined
    return [{ tool, key: JSON.stringify([tool, input, result?.text ?? outputOf(wrong)]), isRefused }]
  })
  return steps.length > 0 ? steps : [{ tool: 'none', key: '', isRefused: false }]
}

function outputOf(part: ToolContent[number] | undefined): unknown {
  return part?.type === 'tool-result' ? part.output : undefined
}

function judgeRepetition(turns: readonly Steps[], unit: 'call' | 'turn', least: number): Circle | undefined {
  const { period, times } = repetition(unitsOf(turns, unit), least)
  const wasNoticed = repetition(unitsOf(turns.slice(0, -1), unit), least).times > 0
  if (wasNoticed && times === least) return undefined
  const steps = unit === 'call' ? turns.flat().slice(-period) : turns.slice(-period).flat()
  const [first] = steps
  const what = period === 1 && unit === 'call' ? `call of ${first?.tool}` : period === 1 ? unit : `${period} ${unit}s`
  return {
    stage: wasNoticed ? 'end' : 'notice',
    deed: `made the same ${what} ${times} times in a row`,
    holdsRefusal: steps.some(({ isRefused }) => isRefused),
  }
}

function unitsOf(turns: readonly Steps[], unit: 'call' | 'turn'): readonly string[] {
  if (unit === 'call') return turns.flatMap((steps) => steps.map(({ key }) => key))
  return turns.map((steps) => steps.map(({ key }) => key).join('\n'))
}

/**
 * Returns the shortest period that repeats at least `least` times at the end of the list, and how often; both 0 without a
 * repetition.
 */
function repetition(units: readonly string[], least: number): { readonly period: number; readonly times: number } {
  for (let period = 1; period <= longestPeriod; period += 1) {
    let same = 0
    while (same + period < units.length && units.at(-1 - same) === units.at(-1 - same - period)) same += 1
    const times = Math.floor(same / period) + 1
    if (times >= least) return { period, times }
  }
  return { period: 0, times: 0 }
}

function findStaleTurns(turns: readonly Steps[]): Circle | undefined {
  let stale = 0
  while (stale < turns.length && isStale(turns, turns.length - 1 - stale)) stale += 1
  if (stale !== staleTurnsBeforeNotice && stale < staleTurnsBeforeEnd) return undefined
  return {
    stage: stale >= staleTurnsBeforeEnd ? 'end' : 'notice',
    deed: `only repeated calls with known results for ${stale} turns`,
    holdsRefusal: turns
      .slice(-stale)
      .flat()
      .some(({ isRefused }) => isRefused),
  }
}

function isStale(turns: readonly Steps[], index: number): boolean {
  const known = new Set(
    turns.slice(Math.max(0, index - staleWindow), index).flatMap((steps) => steps.map(({ key }) => key)),
  )
  return turns[index]?.every(({ key }) => known.has(key)) ?? false
}
