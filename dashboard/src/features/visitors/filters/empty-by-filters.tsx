// A list without rows under filters: they may be the reason.

import { buttonStyle } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { nothing } from './filters.ts'
import { FilterLink } from './only-link.tsx'

export function EmptyByFilters({ title }: { readonly title: string }) {
  return (
    <Empty
      title={title}
      action={
        <FilterLink wanted={() => nothing} label="Clear the filters" className={buttonStyle()}>
          Clear the filters
        </FilterLink>
      }
    >
      Only the page views that match the filters above count.
    </Empty>
  )
}
