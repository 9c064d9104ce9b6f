// Unique visitors by a dimension of their page views, such as the country, and by the page that they saw first on a day.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sitesQuery } from '../../api/projects.ts'
import { type BreakdownBy, breakdownQuery, type FilterName, type Sort } from '../../api/visitors.ts'
import { Select } from '../../ui/form/select.tsx'
import { Ranking } from '../../ui/ranking.tsx'
import { breakdowns } from './address.ts'
import { unknownValue } from './filters/filters.ts'
import { Only, OnlyPath } from './filters/only-link.tsx'
import { countColumns, List, type ListProps, pageOf } from './list.tsx'

type Kind = {
  readonly label: string
  /** The name of an unknown value. */
  readonly unknown: string
  /** The filter that a value is for. */
  readonly filter?: Exclude<FilterName, 'path'>
  readonly about?: string
}

const kinds: Readonly<Record<BreakdownBy, Kind>> = {
  country: { label: 'Country', unknown: 'Unknown country', filter: 'country' },
  language: { label: 'Language', unknown: 'Unknown language', filter: 'language' },
  device: { label: 'Device', unknown: 'Unknown device', filter: 'device' },
  browser: { label: 'Browser', unknown: 'Unknown browser', filter: 'browser' },
  os: { label: 'Operating system', unknown: 'Unknown system', filter: 'os' },
  campaign: { label: 'Campaign', unknown: 'Without a campaign', filter: 'campaign' },
  title: { label: 'Title', unknown: 'Unknown title' },
  site: { label: 'Site', unknown: 'Unknown site', filter: 'site' },
  entry: {
    label: 'Entry page',
    unknown: '',
    about: 'The page that a visitor saw first on a day. A visitor who came on several days counts once on each.',
  },
}

const usual =
  'A visitor with several values counts once in each, and once in the totals above. A source that cannot say it leaves it unknown; nothing is guessed.'

export function Breakdown({ asked, view, change }: ListProps) {
  const by: BreakdownBy = view.by ?? 'country'
  const sort: Sort = view.sort ?? 'total'
  const { label, about = usual } = kinds[by]
  const things = `rows by ${label.toLowerCase()}`
  const options = breakdowns.map((value) => ({ value, label: kinds[value].label }))
  const nameOf = useNames(asked.reader, by)
  return (
    <>
      <div className="mb-3 flex items-center gap-2 text-sm">
        <span aria-hidden>By</span>
        <Select
          name="Break down by"
          size="small"
          className="w-44"
          value={by}
          options={options}
          onChange={(chosen) => change({ by: chosen, search: undefined, sort: undefined, page: undefined })}
        />
      </div>
      <List
        {...{ asked, view, change, sort, things, about }}
        list="breakdown"
        chosen={{ by }}
        query={useQuery(breakdownQuery(asked, { ...pageOf(view), sort, by }))}
        empty="Nobody came in this range"
      >
        {(rows) => (
          <Ranking
            name={label}
            head={label}
            groups={[{ name: '', rows }]}
            keyOf={({ value }) => value}
            label={({ value }) => <Value by={by} value={value} text={nameOf(value)} />}
            bar={({ human, ai }) => ({ human, ai })}
            columns={countColumns(sort, change)}
          />
        )}
      </List>
    </>
  )
}

type ValueProps = { readonly by: BreakdownBy; readonly value: string; readonly text: string }

function Value({ by, value, text }: ValueProps): ReactNode {
  if (by === 'entry') return <OnlyPath path={value} />
  const { filter } = kinds[by]
  return filter === undefined ? (
    <span className="break-all">{text}</span>
  ) : (
    <Only name={filter} value={value === '' ? unknownValue : value} text={text} />
  )
}

/** How people read a value. */
function useNames({ projectId, token }: ListProps['asked']['reader'], by: BreakdownBy): (value: string) => string {
  const { data: sites = [] } = useQuery({ ...sitesQuery(projectId), enabled: token === undefined && by === 'site' })
  return (value) => {
    if (value === '') return kinds[by].unknown
    if (by === 'site') return sites.find(({ id }) => id === value)?.name ?? value
    if (by === 'country') return inEnglish('region', value)
    if (by === 'language') return inEnglish('language', value)
    return by === 'device' ? (devices[value] ?? value) : value
  }
}

const devices: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'Television',
}

function inEnglish(type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames('en', { type }).of(code) ?? code
  } catch {
    return code
  }
}
