// The filters above the numbers: one chip for each, a choice of the site, a form that adds one, and the saved segments.

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { sitesQuery } from '../../../api/projects.ts'
import { type Asked, hasViewsQuery, type Reader } from '../../../api/visitors.ts'
import { loadPart } from '../../../load-part.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { ChangeView } from '../use-view.ts'
import { AddFilter } from './add.tsx'
import { type Sites, textOf } from './chip-text.ts'
import { type Chip, chipsOf, nothing, unknownValue, without } from './filters.ts'
import { FilterLink } from './only-link.tsx'

const Segments = lazy(async () => ({ default: (await loadPart(() => import('./segments.tsx'))).Segments }))

type Props = { readonly asked: Asked; readonly change: ChangeView }

export function FilterBar({ asked, change }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const { projectId, token } = asked.reader
  const sites = useSites(asked.reader)
  const chips = chipsOf(asked.filters)
  return (
    <section aria-label="Filters" className="mb-4 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SiteChoice asked={asked} sites={sites} change={change} />
        {chips.map((chip) => (
          <RemovableChip key={`${chip.name} ${chip.isNot} ${chip.values.join(' ')}`} {...{ chip, sites }} />
        ))}
        {chips.length > 0 && (
          <FilterLink
            wanted={() => nothing}
            label="Clear all filters"
            className={buttonStyle({ kind: 'quiet', size: 'small' })}
          >
            Clear all
          </FilterLink>
        )}
        <Button size="small" kind="quiet" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          Add filter
        </Button>
        {token === undefined && (
          <Button size="small" kind="quiet" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
            Segments
          </Button>
        )}
      </div>
      {isAdding && (
        <AddFilter
          reader={asked.reader}
          filters={asked.filters}
          sites={sites}
          onAdd={(wanted) => {
            setAdding(false)
            change(wanted)
          }}
        />
      )}
      {isChoosing && (
        <Suspense>
          <Segments {...{ projectId, filters: asked.filters, sites, change }} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** By name. Shared links may not read them. */
function useSites({ projectId, token }: Reader): Sites {
  const { data = [] } = useQuery({ ...sitesQuery(projectId), enabled: token === undefined })
  return [...data.map(({ id, name }) => ({ value: id, label: name })), { value: unknownValue, label: 'Unknown site' }]
}

type SiteProps = { readonly asked: Asked; readonly sites: Sites; readonly change: ChangeView }

/** Where there is something to choose: several sites, or one and page views without a site. */
function SiteChoice({ asked, sites, change }: SiteProps) {
  const known = sites.length - 1
  const { data: hasUnknown = false } = useQuery({
    ...hasViewsQuery({ ...asked, filters: { site: [unknownValue] } }),
    enabled: known === 1,
  })
  if (known < 2 && !(known === 1 && hasUnknown)) return undefined
  const chosen = asked.filters.site
  const value = chosen === undefined ? '' : chosen.length === 1 ? (chosen[0] ?? '') : 'several'
  const isOther = value !== '' && !sites.some((site) => site.value === value)
  return (
    <Select
      name="Site"
      size="small"
      // With the buttons it is one line on a phone, so that the page does not move when it comes.
      className="w-32 sm:w-44"
      value={isOther ? 'several' : value}
      options={[
        { value: '', label: 'All sites' },
        ...sites,
        ...(isOther ? [{ value: 'several', label: 'As filtered' }] : []),
      ]}
      onChange={(site) => site !== 'several' && change({ site: site === '' ? undefined : [site] })}
    />
  )
}

type ChipProps = { readonly chip: Chip; readonly sites: Sites }

function RemovableChip({ chip, sites }: ChipProps) {
  const text = textOf(chip, sites)
  return (
    <span className="inline-flex min-w-0 items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1 pl-3 text-sm text-accent">
      <span className="line-clamp-2 min-w-0 break-all">{text}</span>
      <FilterLink
        wanted={(filters) => without(filters, chip)}
        label={`Remove the filter ${text}`}
        className="grid size-6 shrink-0 place-items-center rounded-full hover:bg-raised"
      >
        <span aria-hidden>×</span>
      </FilterLink>
    </span>
  )
}
