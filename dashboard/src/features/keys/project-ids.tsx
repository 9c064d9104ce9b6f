// The identifiers of projects, which the paths of requests need.

import { useQuery } from '@tanstack/react-query'
import { projectsQuery } from '../../api/projects.ts'
import { Copy } from '../../ui/copy.tsx'
import { Table } from '../../ui/table.tsx'

export function ProjectIds() {
  const { data: projects = [] } = useQuery(projectsQuery)
  if (projects.length === 0) return null
  return (
    <section className="mb-8" aria-labelledby="project-ids">
      <h2 id="project-ids" className="mb-2 text-lg font-semibold">
        Project identifiers
      </h2>
      <Table
        name="Project identifiers"
        rows={projects}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Project', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
          { head: 'Identifier', cell: ({ id }) => <code className="font-mono text-sm whitespace-nowrap">{id}</code> },
          { head: '', align: 'right', cell: ({ id, name }) => <Copy text={id} of={`the identifier of ${name}`} /> },
        ]}
      />
    </section>
  )
}
