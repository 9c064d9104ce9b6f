// The states of a job and of a pull request in words, and how they look. Pure.

import type { Job } from '../jobs.ts'
import { shorten } from '../../../../src/lib/plain-text.ts'

type Shown = { readonly words: string; readonly tone: 'neutral' | 'accent' | 'good' | 'bad' | 'warn' }

const phases: Readonly<Record<NonNullable<Job['phase']>, string>> = {
  queued: 'Queued',
  preparing: 'Preparing',
  editing: 'Editing',
  checking: 'Checking',
  publishing: 'Publishing',
}

export const pullStates = {
  open: { words: 'Open', tone: 'accent' },
  merged: { words: 'Merged', tone: 'good' },
  closed: { words: 'Closed', tone: 'neutral' },
} as const

type Stated = Pick<Job, 'status' | 'phase' | 'outcome' | 'error' | 'pullRequest'>

export function statusOf({ status, phase, outcome, error, pullRequest }: Stated): Shown {
  if (status === 'active') return { words: phase === null ? 'Active' : phases[phase], tone: 'accent' }
  if (status === 'archived') return { words: 'Archived', tone: 'neutral' }
  if (status === 'failed')
    return error?.code === 'cancelled' ? { words: 'Cancelled', tone: 'neutral' } : { words: 'Failed', tone: 'bad' }
  if (outcome === 'needs_input') return { words: 'Asks you', tone: 'warn' }
  if (pullRequest?.state === 'merged') return { words: 'Merged', tone: 'good' }
  if (pullRequest?.state === 'closed') return { words: 'Closed', tone: 'neutral' }
  if (outcome === 'partial') return { words: 'Part of the work', tone: 'warn' }
  if (pullRequest?.draft === true) return { words: 'Draft', tone: 'warn' }
  return outcome === 'no_changes'
    ? { words: 'No changes', tone: 'neutral' }
    : { words: 'Ready for review', tone: 'good' }
}

/** `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
}

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 })
const fractions = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** Undefined when the price of the model is not known. */
export function formatCost(costUsd: number | null): string | undefined {
  if (costUsd === null) return undefined
  return costUsd > 0 && costUsd < 0.1 ? fractions.format(costUsd) : dollars.format(costUsd)
}

/** The first line of what was asked: the name of a job for people. */
export function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return shorten(line, 119)
}
