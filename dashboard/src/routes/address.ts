// Parts of addresses that the first paint reads: pages come later. Pure.

import { defaultStringifySearch } from '@tanstack/react-router'
import type { LedgerFilter, LedgerState } from '../api/project/ledger.ts'

const ledgerStates: readonly LedgerState[] = ['documented', 'skipped', 'waiting', 'rejected', 'set_aside']

/** A line of a change: `guides/install.md:12`. */
export function readPlace(at: unknown): { at?: string } {
  return typeof at === 'string' && at !== '' ? { at } : {}
}

/** The page after the sign-in; never one of another host. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {}
}

export type BrokenPage = { readonly broken: string; readonly dateFrom: string; readonly dateTo: string }

/** The page without which a reader was left, and the days when that was. */
export function readBrokenPage({ broken, dateFrom, dateTo }: Readonly<Record<string, unknown>>): Partial<BrokenPage> {
  const isWhole = typeof broken === 'string' && isDay(dateFrom) && isDay(dateTo)
  return isWhole ? { broken, dateFrom, dateTo } : {}
}

function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)
}

/** Unknown ones are left out, and a range without a source. */
export function readLedgerFilter({ source, state, ...range }: Readonly<Record<string, unknown>>): LedgerFilter {
  const known = ledgerStates.find((one) => one === state)
  const shown = known === undefined ? {} : { state: known }
  return typeof source === 'string' ? { source, ...shown, ...readRange(range) } : shown
}

function readRange({ from, to }: Readonly<Record<string, unknown>>): Pick<LedgerFilter, 'from' | 'to'> {
  if (typeof from !== 'string') return {}
  return typeof to === 'string' ? { from, to } : { from }
}

/**
 * The search of an address: a list of texts is a repeated parameter, as in the API, and everything else is as the router writes it by
 * itself. The router reads both.
 */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(search).flatMap(([name, value]) =>
    isTexts(value) ? repeat(name, value) : [writeOne(name, value)],
  )
  const text = parts.filter((part) => part !== '').join('&')
  return text === '' ? '' : `?${text}`
}

/** The router looks for JSON in a text that is alone, and writes it so that it stays a text. */
function repeat(name: string, texts: readonly string[]): string[] {
  if (texts.length === 1) return [writeOne(name, texts[0])]
  return texts.map((text) => new URLSearchParams([[name, text]]).toString())
}

function writeOne(name: string, value: unknown): string {
  return defaultStringifySearch({ [name]: value }).slice(1)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
