// The models that can be used now, with what they cost.

import { useQuery } from '@tanstack/react-query'
import { type Model, modelsQuery } from '../../../api/models.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { Table } from '../../../ui/table.tsx'

export function ModelTable() {
  const models = useQuery(modelsQuery)
  if (models.isPending) return <Skeleton className="h-40" />
  if (models.isError) return <Refused error={models.error} retry={() => void models.refetch()} />
  return (
    <>
      <Table
        name="Models"
        rows={models.data}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Model',
            cell: ({ id, isDefault }) => (
              <span className="flex flex-wrap items-center gap-2">
                <code className="font-mono text-sm">{id}</code>
                {isDefault && <Badge tone="accent">Default</Badge>}
              </span>
            ),
          },
          { head: 'Context', align: 'right', cell: ({ contextTokens }) => contextTokens?.toLocaleString('en') ?? '–' },
          { head: 'Input', align: 'right', cell: (model) => priceOf(model, 'input') },
          { head: 'Output', align: 'right', cell: (model) => priceOf(model, 'output') },
        ]}
      />
      <p className="mt-2 text-sm text-muted">
        US dollars for a million tokens of small requests. Another model of a provider can be used by its name.
      </p>
    </>
  )
}

function priceOf({ provider, prices: [price] }: Model, rate: 'input' | 'output'): string {
  if (provider === 'docent') return 'Free'
  return price === undefined ? '–' : `$${price[rate].toLocaleString('en', { minimumFractionDigits: 2 })}`
}
