// Reads columns as page views, which are checked afterwards like those of any other request.

import { invalidInput } from '../../../lib/failure.ts'
import {
  type Field,
  type GivenField,
  givenFields,
  idDigits,
  isAbsent,
  maxColumnViews,
  type SharedField,
  sharedFields,
  valueAt,
} from './columns.ts'

/**
 * Returns the page views as `recordPageViews` takes them, unchecked. Throws `invalid_input` if the columns do not fit together,
 * or the texts of all rows have more than `maxBytes`.
 */
export function decodeColumns(body: unknown, maxBytes: number): readonly ColumnsRow[] {
  const { values, given, places, lineIds } = asObject(body, '#')
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
  checkPlaces(placeColumns, values, maxBytes)
  const ids = readLineIds(lineIds, count)
  const givenOf = (name: GivenField) => givenColumns.find((one) => one.name === name)?.column ?? []
  const placesOf = (name: SharedField) => (placeColumns.find((one) => one.name === name)?.column ?? []) as number[]
  const own = {
    id: givenOf('id'),
    sameAs: givenOf('sameAs'),
    timestamp: givenOf('timestamp'),
    status: givenOf('status'),
  }
  const [url, path, userAgent] = [placesOf('url'), placesOf('path'), placesOf('userAgent')]
  const [address, visitorId, referrer] = [placesOf('address'), placesOf('visitorId'), placesOf('referrer')]
  const [country, title] = [placesOf('country'), placesOf('title')]
  const [representation, method, headers] = [placesOf('representation'), placesOf('method'), placesOf('headers')]
  return Array.from({ length: count }, (_, row) => ({
    id: own.id[row],
    lineId: isAbsent(own.id[row]) ? ids?.(row) : undefined,
    sameAs: own.sameAs[row],
    timestamp: own.timestamp[row],
    status: own.status[row],
    url: valueAt(values, url[row]),
    path: valueAt(values, path[row]),
    userAgent: valueAt(values, userAgent[row]),
    address: valueAt(values, address[row]),
    visitorId: valueAt(values, visitorId[row]),
    referrer: valueAt(values, referrer[row]),
    country: valueAt(values, country[row]),
    title: valueAt(values, title[row]),
    representation: valueAt(values, representation[row]),
    method: valueAt(values, method[row]),
    headers: valueAt(values, headers[row]),
  }))
}

/** The page view of a row, unchecked. */
type ColumnsRow = { readonly [Name in Field]: unknown } & { readonly lineId: bigint | undefined }

function checkPlaces(columns: readonly Column[], values: readonly unknown[], maxBytes: number): void {
  const sizes: number[] = []
  let bytes = 0
  for (const { pointer, column } of columns) {
    for (let row = 0; row < column.length; row += 1) {
      const place = column[row]
      if (place === -1) continue
      if (!isPlace(place, values)) throw invalidInput(`${pointer}/${row}`, 'must be a place in `values`, or -1')
      bytes += sizes[place] ??= sizeOf(values[place])
      if (bytes > maxBytes) throw invalidInput('#', 'has too much text in its rows')
    }
  }
}

/** Returns the id of a row. */
function readLineIds(digits: unknown, rows: number): ((row: number) => bigint) | undefined {
  if (isAbsent(digits)) return undefined
  const isValid = typeof digits === 'string' && digits.length === rows * idDigits && /^[\da-f]*$/.test(digits)
  if (!isValid) throw invalidInput('#/lineIds', `must have ${idDigits} hexadecimal digits for each row`)
  const ids = Buffer.from(digits, 'hex')
  return (row) => ids.readBigUInt64BE(row * 8)
}

/** In UTF-8. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}

function isPlace(place: unknown, values: readonly unknown[]): place is number {
  return typeof place === 'number' && Number.isInteger(place) && place >= 0 && place < values.length
}

type Column<Name = Field> = { readonly name: Name; readonly pointer: string; readonly column: readonly unknown[] }

function columnsOf<Name extends Field>(
  value: unknown,
  pointer: string,
  names: readonly Name[],
): readonly Column<Name>[] {
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
