// The form of page views as columns: what an import sends. A log repeats its paths, user agents and addresses, so each value is
// sent once, and the rows are places in the list of values. Rows of one request share their texts in the service, too.

import { wireFields, type WirePageView } from '../wire-page-view.ts'

/** The media type. */
export const columnsType = 'application/vnd.docent.page-views+json'
/** Page views of one request. */
export const maxColumnViews = 2_000

export type Field = keyof WirePageView
/** Nearly every row has another value, or a short one. */
export type GivenField = 'id' | 'sameAs' | 'timestamp' | 'status'
export type SharedField = Exclude<Field, GivenField>
export const givenFields: readonly GivenField[] = ['id', 'sameAs', 'timestamp', 'status']
export const sharedFields = wireFields.filter(
  (name): name is SharedField => !givenFields.some((given) => given === name),
)

export type Columns = {
  /** Texts, and objects with headers. */
  readonly values: readonly unknown[]
  /** For each field, a value for each row. Rows without the field have null. */
  readonly given: { readonly [Name in GivenField]?: readonly unknown[] }
  /** For each field, the place of each row's value in `values`, or -1. */
  readonly places: { readonly [Name in SharedField]?: readonly number[] }
  /** For each row, the digits of the id of a line. Rows with an id of their own have zeros. */
  readonly lineIds?: string | undefined
}

/** The store keeps half of the bits of an id. */
export const idDigits = 16

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** A value that no row has is absent. */
export function valueAt(values: readonly unknown[], place = -1): unknown {
  return place < 0 ? undefined : values[place]
}
