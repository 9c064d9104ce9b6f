// Makes columns of page views, row by row.

import type { Representation } from '../../page-view.ts'
import { toText } from '../bytes.ts'
import type { Hash } from '../ids/line-hash.ts'
import type { WirePageView } from '../wire-page-view.ts'
import {
  type Columns,
  type GivenField,
  idDigits,
  isAbsent,
  maxColumnViews,
  type SharedField,
  sharedFields,
  valueAt,
} from './columns.ts'

const textFields = sharedFields.filter((name): name is Exclude<SharedField, 'headers'> => name !== 'headers')

/** In the place of a value that its field cannot have, so that the service says so. A log may nest such a value deeply. */
const invalid = {}

export type ColumnsWriter = {
  readonly rows: () => number
  /** The UTF-16 units of all values of all rows. */
  readonly units: () => number
  /** Some fields may have values of other types than theirs: the format `ndjson` passes on what a line has. */
  readonly add: (view: WirePageView, lineId?: Hash) => void
  /** The values of a page view that say who viewed which page, if they are of the types of their fields. */
  readonly at: (row: number) => WirePageView
  /** The body of a request. */
  readonly encode: () => string
}

/** Columns take much less memory than objects, which all would be held until the service has answered. */
export function createColumns(): ColumnsWriter {
  const given: Given = { id: [], sameAs: [], timestamp: [], status: [] }
  const { places, values, placeOf, placeOfHeaders, units } = createPlaces()
  const lineIds = createLineIdColumn()
  const state = { rows: 0, units: 0 }
  const give = (name: GivenField, value: unknown, isValid: boolean) => {
    if (isAbsent(value)) return
    if (typeof value === 'string') state.units += value.length
    fill(given[name], state.rows, null).push(isValid ? value : invalid)
  }
  const place = (name: SharedField, value: unknown) => {
    if (!isAbsent(value)) fill(places[name], state.rows, -1).push(placeOf(value))
  }
  return {
    rows: () => state.rows,
    units: () => state.units + units(),
    add: (view, lineId) => {
      const { id, sameAs, timestamp, status, headers } = view
      give('id', id, typeof id === 'string')
      give('sameAs', sameAs, true)
      give('timestamp', timestamp, typeof timestamp === 'number' || typeof timestamp === 'string')
      give('status', status, typeof status === 'number')
      for (const name of textFields) place(name, view[name])
      if (!isAbsent(headers)) fill(places.headers, state.rows, -1).push(placeOfHeaders(headers))
      if (lineId) lineIds.set(state.rows, lineId)
      state.rows += 1
    },
    at: (row) => {
      const textAt = (column: readonly number[]) => valueAt(values, column[row]) as string | undefined
      return {
        timestamp: given.timestamp[row] as number | string,
        status: given.status[row] as number | undefined,
        url: textAt(places.url),
        path: textAt(places.path),
        userAgent: textAt(places.userAgent),
        address: textAt(places.address),
        visitorId: textAt(places.visitorId),
        referrer: textAt(places.referrer),
        representation: textAt(places.representation) as Representation | undefined,
      }
    },
    encode: () => {
      const used = (columns: Given | Places, none: unknown) =>
        Object.fromEntries(
          Object.entries(columns)
            .filter(([, column]) => column.length > 0)
            .map(([name, column]) => [name, fill(column, state.rows, none)]),
        )
      const columns = { values, given: used(given, null), places: used(places, -1) }
      return JSON.stringify({ ...columns, lineIds: lineIds.digits(state.rows) } satisfies Columns)
    },
  }
}

type Given = { readonly [Name in GivenField]: unknown[] }
type Places = { readonly [Name in SharedField]: number[] }

function createPlaces() {
  const values: unknown[] = []
  const [texts, objects] = [new Map<string, number>(), new Map<string, number>()]
  const state = { units: 0 }
  const placeIn = (known: Map<string, number>, key: string, value: unknown): number => {
    state.units += key.length
    const place = known.get(key)
    if (place !== undefined) return place
    known.set(key, values.length)
    return values.push(value) - 1
  }
  const places: Places = {
    url: [],
    path: [],
    userAgent: [],
    address: [],
    visitorId: [],
    referrer: [],
    country: [],
    title: [],
    representation: [],
    method: [],
    headers: [],
  }
  return {
    places,
    values,
    units: () => state.units,
    placeOf: (text: unknown): number =>
      typeof text === 'string' ? placeIn(texts, text, text) : placeIn(objects, '', invalid),
    placeOfHeaders: (headers: unknown): number => {
      if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return placeIn(texts, '', '')
      const flat = Object.fromEntries(Object.entries(headers).filter(([, value]) => typeof value === 'string'))
      return placeIn(objects, JSON.stringify(flat), flat)
    },
  }
}

/** One text for all rows: half a microsecond a row less than a text each, made here and read by the service. */
function createLineIdColumn() {
  const state = { digits: undefined as Uint8Array | undefined }
  return {
    set: (row: number, [high, low]: Hash) => {
      state.digits ??= new Uint8Array(maxColumnViews * idDigits).fill(zero)
      writeWord(state.digits, row * idDigits, high)
      writeWord(state.digits, row * idDigits + idDigits / 2, low)
    },
    digits: (rows: number) => state.digits && toText(state.digits.subarray(0, rows * idDigits)),
  }
}

const zero = 0x30
const hexadecimal = new TextEncoder().encode('0123456789abcdef')

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  for (let digit = 0; digit < 8; digit += 1) bytes[at + digit] = hexadecimal[(word >>> (28 - 4 * digit)) & 15] ?? zero
}

/** Rows before, without a value, get `none`. */
function fill<T>(column: T[], rows: number, none: T): T[] {
  while (column.length < rows) column.push(none)
  return column
}
