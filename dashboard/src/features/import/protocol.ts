// The messages between the page and the thread that reads logs. The thread may not reach the network: it gives page views to
// the page, which sends them.

import type { AutomatedDay } from '../../api/imports.ts'

export type Order =
  | ({
      readonly kind: 'start'
      readonly files: readonly File[]
      readonly projectId: string
      /** For lines without one. Empty: that of the only site. */
      readonly host: string
      readonly fromStart: boolean
      readonly address: AddressChoice
    } & FormatChoice)
  | { readonly kind: 'stop' }
  | { readonly kind: 'response'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly refusal: Refusal }

/** As a person writes it. The fields and the zone do not matter for formats that do not take them. */
export type FormatChoice = {
  /** Empty: detected from the first lines. */
  readonly format: string
  readonly fields: string
  readonly timeZone: string
}

/** As a person writes it. The field and the hops do not matter for the connection. */
export type AddressChoice = {
  readonly from: 'unsaid' | 'connection' | 'forwarded' | 'field'
  readonly field: string
  readonly hops: string
}

export type Refusal = { readonly code: string; readonly message: string; readonly retryAfter: number | undefined }

/** A request to the service. */
export type Call =
  | { readonly operation: 'begin'; readonly log: NewLog }
  | { readonly operation: 'send'; readonly importId: string; readonly position: number; readonly columns: string }
  | { readonly operation: 'finish'; readonly importId: string; readonly automated: readonly AutomatedDay[] }

export type NewLog = {
  readonly name: string
  readonly fingerprint: string
  readonly format: string
  readonly host: string | null
  readonly group?: string
}

export type News =
  | { readonly kind: 'formats'; readonly names: readonly string[] }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'read'; readonly log: ReadLog }
  | { readonly kind: 'ended'; readonly outcome: 'done' | 'stopped'; readonly hints: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

export type Progress = {
  readonly name: string
  readonly bytesRead: number
  readonly size: number
  readonly lines: number
  readonly accepted: number
}

/** The fate of the lines of one log. */
export type ReadLog = {
  readonly name: string
  /** Undefined: the log is empty. */
  readonly format: string | undefined
  /** All lines up to the end of this import. */
  readonly lines: number
  /** Those that an earlier import had read. */
  readonly linesBefore: number
  readonly accepted: number
  readonly rejected: readonly {
    readonly reason: string
    readonly words: string
    readonly count: number
    readonly examples: readonly string[]
  }[]
  /** The bytes that an earlier import had read. */
  readonly before: number
  readonly isDamaged: boolean
}
