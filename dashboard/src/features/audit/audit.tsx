// Who changed what, the newest first; all of it, or of one project, or by one person or key. The choice is in the address.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { keysQuery } from '../../api/keys.ts'
import { auditQuery, peopleQuery } from '../../api/people/people.ts'
import { projectsQuery } from '../../api/projects.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Entries } from './entries.tsx'

const all = 'all'

export function Audit() {
  const { project, who } = useSearch({ from: '/shell/audit' })
  const audit = useInfiniteQuery(auditQuery({ projectId: project, actorId: who }))
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = project !== undefined || who !== undefined
  return (
    <>
      <PageHead
        title="Audit log"
        about="Every change through the dashboard, the API and the command line. It has the names of what was sent, and never the values."
      />
      <Filters project={project} who={who} />
      {audit.isPending && <Skeleton className="h-60" />}
      {audit.isError && <Refused error={audit.error} retry={() => void audit.refetch()} />}
      {audit.isSuccess && entries.length === 0 && (
        <Empty title={isFiltered ? 'No change matches' : 'Nothing has changed yet'}>
          {isFiltered ? 'Choose another project or person.' : 'The first change appears here.'}
        </Empty>
      )}
      {entries.length > 0 && <Entries entries={entries} />}
      {audit.hasNextPage && (
        <Button className="mt-4" busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          Show older changes
        </Button>
      )}
    </>
  )
}

type FilterProps = { readonly project: string | undefined; readonly who: string | undefined }

function Filters({ project, who }: FilterProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: keys = [] } = useQuery(keysQuery)
  const navigate = useNavigate({ from: '/audit' })
  const choose = (change: Partial<FilterProps>) => {
    const next = { project, who, ...change }
    void navigate({
      search: {
        ...(next.project === undefined ? {} : { project: next.project }),
        ...(next.who === undefined ? {} : { who: next.who }),
      },
      replace: true,
    })
  }
  const valueOf = (value: string) => (value === all ? undefined : value)
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <Select
        name="Project"
        value={project ?? all}
        options={[
          { value: all, label: 'All projects' },
          ...withChosen(
            projects.map(({ id, name }) => ({ value: id, label: name })),
            project,
          ),
        ]}
        onChange={(value) => choose({ project: valueOf(value) })}
        className="w-52"
      />
      <Select
        name="Who"
        value={who ?? all}
        options={[
          { value: all, label: 'Everybody' },
          ...withChosen(
            [
              ...people.map(({ id, name, email }) => ({ value: id, label: name, hint: email })),
              ...keys.map(({ id, name, hint }) => ({ value: id, label: name, hint: `API key ${hint}` })),
              { value: 'operator', label: 'Operator', hint: 'The command line on the machine' },
            ],
            who,
          ),
        ]}
        onChange={(value) => choose({ who: valueOf(value) })}
        className="w-52"
      />
    </div>
  )
}

type Choice = { readonly value: string; readonly label: string; readonly hint?: string }

/** A choice that came with the address may be gone. */
function withChosen(options: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: chosen }]
}
