// Page views as columns: what an import sends. A log repeats its paths, user agents and addresses, so each value is sent
// once, and the rows are places in the list of values. Rows of one request share their texts in the service, too.

import { invalidInput } from '../../lib/failure.ts'
import { wireFields, type WirePageView } from './wire-page-view.ts'

/** The media type. */
export const columnsType = 'application/vnd.docent.page-views+json'
/** Page views of one request. */
export const maxColumnViews = 2_000

type Field = keyof WirePageView
/** Nearly every row has another value, or a short one. */
type GivenField = 'id' | 'lineId' | 'sameAs' | 'timestamp' | 'status'
const givenFields: readonly Field[] = ['id', 'lineId', 'sameAs', 'timestamp', 'status'] satisfies readonly GivenField[]
const sharedFields = wireFields.filter((name) => !givenFields.includes(name))

type Columns = {
  /** Texts, and objects with headers. */
  readonly values: readonly unknown[]
  /** For each field, a value for each row. Rows without the field have null. */
  readonly given: { readonly [Name in Field]?: readonly unknown[] }
  /** For each field, the place of each row's value in `values`, or -1. */
  readonly places: { readonly [Name in Field]?: readonly number[] }
}

/** In the place of a value that its field cannot have, so that the service says so. A log may nest such a value deeply. */
const invalid = {}

/** Some fields may have values of other types than theirs: the format `ndjson` passes on what a line has. */
export function encodeColumns(views: readonly WirePageView[]): string {
  const [texts, objects] = [new Map<string, number>(), new Map<string, number>()]
  const values: unknown[] = []
  const placeIn = (known: Map<string, number>, key: string, value: unknown): number => {
    const place = known.get(key)
    if (place !== undefined) return place
    known.set(key, values.length)
    return values.push(value) - 1
  }
  const placeOf = (text: unknown): number => {
    if (typeof text === 'string') return placeIn(texts, text, text)
    return isAbsent(text) ? -1 : placeIn(objects, '', invalid)
  }
  const placeOfHeaders = (headers: unknown): number => {
    if (isAbsent(headers)) return -1
    if (typeof headers !== 'object' || Array.isArray(headers)) return placeIn(texts, '', '')
    const flat = Object.fromEntries(Object.entries(headers ?? {}).filter(([, value]) => typeof value === 'string'))
    return placeIn(objects, JSON.stringify(flat), flat)
  }
  const given = {
    id: views.map(({ id }) => valueOf(id, 'string')),
    lineId: views.map(({ lineId }) => valueOf(lineId, 'string')),
    sameAs: views.map(({ sameAs }) => sameAs ?? null),
    timestamp: views.map(({ timestamp }) => (typeof timestamp === 'string' ? timestamp : valueOf(timestamp, 'number'))),
    status: views.map(({ status }) => valueOf(status, 'number')),
  } satisfies Record<GivenField, unknown>
  const places = {
    url: views.map(({ url }) => placeOf(url)),
    path: views.map(({ path }) => placeOf(path)),
    userAgent: views.map(({ userAgent }) => placeOf(userAgent)),
    address: views.map(({ address }) => placeOf(address)),
    visitorId: views.map(({ visitorId }) => placeOf(visitorId)),
    referrer: views.map(({ referrer }) => placeOf(referrer)),
    representation: views.map(({ representation }) => placeOf(representation)),
    method: views.map(({ method }) => placeOf(method)),
    headers: views.map(({ headers }) => placeOfHeaders(headers)),
  } satisfies Record<Exclude<Field, GivenField>, unknown>
  const usedGiven = Object.entries(given).filter(([, column]) => column.some((value) => value !== null))
  const usedPlaces = Object.entries(places).filter(([, column]) => column.some((place) => place >= 0))
  const columns = { given: Object.fromEntries(usedGiven), places: Object.fromEntries(usedPlaces) }
  return JSON.stringify({ values, ...columns } satisfies Columns)
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function valueOf(value: unknown, type: 'string' | 'number'): unknown {
  if (isAbsent(value)) return null
  return typeof value === type ? value : invalid
}

/**
 * Returns the page views as `recordPageViews` takes them, unchecked. Throws `invalid_input` if the columns do not fit together,
 * or the texts of all rows have more than `maxBytes`.
 */
export function decodeColumns(body: unknown, maxBytes: number): readonly unknown[] {
  const { values, given, places } = asObject(body, '#')
  if (!Array.isArray(values)) throw invalidInput('#/values', 'must be an array')
  if (values.length > sharedFields.length * maxColumnViews) throw invalidInput('#/values', 'has more values than rows')
  const givenColumns = columnsOf(given, '#/given', givenFields)
  const placeColumns = columnsOf(places, '#/places', sharedFields)
  const columns = [...givenColumns, ...placeColumns]
  const count = columns[0]?.column.length ?? 0
  if (count > maxColumnViews)
    throw invalidInput('#', `must have at most ${maxColumnViews.toLocaleString('en')} page views`)
  for (const { pointer, column } of columns) {
    if (column.length !== count) throw invalidInput(pointer, 'must be as long as the other columns')
  }
  const items = Array.from({ length: count }, (): Record<string, unknown> => ({}))
  for (const { name, column } of givenColumns) for (const [row, value] of column.entries()) set(items[row], name, value)
  const sizes: number[] = []
  let bytes = 0
  for (const { name, pointer, column } of placeColumns) {
    for (const [row, place] of column.entries()) {
      if (place === -1) continue
      if (!isPlace(place, values)) throw invalidInput(`${pointer}/${row}`, 'must be a place in `values`, or -1')
      const value: unknown = values[place]
      bytes += sizes[place] ??= sizeOf(value)
      if (bytes > maxBytes) throw invalidInput('#', 'has too much text in its rows')
      set(items[row], name, value)
    }
  }
  return items
}

const encoder = new TextEncoder()

/** In UTF-8. */
function sizeOf(value: unknown): number {
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value)).length
}

function isPlace(place: unknown, values: readonly unknown[]): place is number {
  return typeof place === 'number' && Number.isInteger(place) && place >= 0 && place < values.length
}

function set(item: Record<string, unknown> | undefined, name: Field, value: unknown): void {
  if (item) item[name] = value
}

type Column = { readonly name: Field; readonly pointer: string; readonly column: readonly unknown[] }

function columnsOf(value: unknown, pointer: string, names: readonly Field[]): readonly Column[] {
  const columns = asObject(value, pointer)
  return names.flatMap((name) => {
    const column = columns[name]
    if (column === undefined) return []
    if (!Array.isArray(column)) throw invalidInput(`${pointer}/${name}`, 'must be an array')
    return [{ name, pointer: `${pointer}/${name}`, column }]
  })
}

function asObject(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidInput(pointer, 'must be an object')
}
