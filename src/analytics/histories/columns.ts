// The columns of the CSV files that Plausible and Google Analytics 4 export, by their names.
//
// Plausible exports a zip of files with a row for each day: `imported_visitors_….csv` has the site, `imported_pages_….csv` the
// pages. Its other files are about sources, browsers or places. Google Analytics has what its user chose: the names are those of the reports and
// explorations in English, or of its API.

import type { SumSource } from './daily-sums.ts'

type Names = {
  readonly date: readonly string[]
  /** Days since the start date that a comment names. */
  readonly nthDay: readonly string[]
  readonly host: readonly string[]
  readonly path: readonly string[]
  /** The first one that the file has. */
  readonly visitors: readonly string[]
  readonly pageViews: readonly string[]
}

const names: Readonly<Record<SumSource, Names>> = {
  plausible: {
    date: ['date'],
    nthDay: [],
    host: ['hostname'],
    path: ['page'],
    visitors: ['visitors'],
    pageViews: ['pageviews'],
  },
  ga4: {
    date: ['date'],
    nthDay: ['nth day'],
    host: ['hostname', 'host name'],
    path: [
      'page path',
      'page path and screen class',
      'page path + query string',
      'page path + query string and screen class',
      'pagepath',
      'pagepathplusquerystring',
      'unifiedpagepathscreen',
    ],
    visitors: ['active users', 'activeusers', 'total users', 'totalusers'],
    pageViews: ['views', 'screenpageviews'],
  },
}

/** The places of the columns in a row, -1 for one that is missing. */
export type Places = { readonly [Name in keyof Names]: number }

/** Undefined: the row is no heading of this tool. */
export function findPlaces(source: SumSource, row: readonly string[]): Places | undefined {
  const head = row.map((name) => name.trim().toLowerCase())
  const placeOf = (wanted: keyof Names) => {
    const found = names[source][wanted].find((name) => head.includes(name))
    return found === undefined ? -1 : head.indexOf(found)
  }
  const places = {
    date: placeOf('date'),
    nthDay: placeOf('nthDay'),
    host: placeOf('host'),
    path: placeOf('path'),
    visitors: placeOf('visitors'),
    pageViews: placeOf('pageViews'),
  }
  const hasDay = places.date >= 0 || places.nthDay >= 0
  return hasDay && (source === 'ga4' ? hasCounts(places) : isOfPlausible(places, head)) ? places : undefined
}

function hasCounts({ visitors, pageViews }: Places): boolean {
  return visitors >= 0 || pageViews >= 0
}

const ofTheSite = [
  'date',
  'visitors',
  'pageviews',
  'visits',
  'bounces',
  'visit_duration',
  'bounce_rate',
  'views_per_visit',
]

/** A file about sources or browsers has visitors too, of each source or browser. */
function isOfPlausible({ visitors, pageViews, path }: Places, head: readonly string[]): boolean {
  return visitors >= 0 && pageViews >= 0 && (path >= 0 || head.every((name) => ofTheSite.includes(name)))
}
