// The pages outside of the repository that the runs of a job requested, as the job keeps them: they stay when its transcript is
// erased. Pure.

import { shorten } from '../lib/plain-text.ts'

/** One that a run requested; `status` null: there was no response. `bytes`: of the response. */
export type PageRead = { readonly address: string; readonly status: number | null; readonly bytes: number }

/** `run`: the number of the run. */
export type StoredPageRead = PageRead & { readonly run: number }

/** Those of the last five runs, if each requests as many as it may. */
const mostKept = 100
const mostCharacters = 500

export function parsePagesRead(stored: string | null): readonly StoredPageRead[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly StoredPageRead[])
}

/** Returns the text to store. */
export function addPagesRead(stored: string | null, run: number, pages: readonly PageRead[]): string {
  const added = pages.map(({ address, status, bytes }) => {
    return { run, address: shorten(address, mostCharacters), status, bytes }
  })
  return JSON.stringify([...parsePagesRead(stored), ...added].slice(-mostKept))
}
