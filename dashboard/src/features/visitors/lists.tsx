// The lists of the statistics: pages, AI agents by operator, crawlers, referrers, downloads and broken
// pages.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type AgentRow,
  agentsQuery,
  brokenPagesQuery,
  crawlersQuery,
  type DownloadRow,
  downloadsQuery,
  pagesQuery,
  referrersQuery,
  type Sort,
} from '../../api/visitors.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Group, Ranking } from '../../ui/ranking.tsx'
import { AgentFormats } from './agents/formats.tsx'
import { BrokenLinks } from './broken-links.tsx'
import { Only, OnlyPath } from './filters/only-link.tsx'
import { formatCount, readablePath } from './format.ts'
import { countColumns, List, type ListProps, pageOf } from './list.tsx'

/** All agents at once, so that an operator is there once: there are fewer names of agents than this. */
const mostAgents = 250

export function Pages({ asked, view, change }: ListProps) {
  const sort: Sort = view.sort ?? 'total'
  return (
    <List
      {...{ asked, view, change, sort }}
      things="pages"
      list="visitors"
      query={useQuery(pagesQuery(asked, { ...pageOf(view), sort }))}
      empty="No page was visited in this range"
    >
      {(rows) => (
        <Ranking
          name="Pages"
          head="Page"
          groups={[{ name: '', rows }]}
          keyOf={({ path }) => path}
          label={({ path }) => <OnlyPath path={path} />}
          bar={({ human, ai }) => ({ human, ai })}
          columns={countColumns(sort, change)}
        />
      )}
    </List>
  )
}

export function Agents({ asked, view, change }: ListProps) {
  return (
    <>
      {/* Shared links may not filter by the form. */}
      {asked.reader.token === undefined && <AgentFormats asked={asked} />}
      <List
        {...{ asked, view, change }}
        things="AI agents"
        about="A verified visit came from an address that the operator publishes. An unverified one did not: anyone can use the name of an agent."
        list="ai-agents"
        size={mostAgents}
        query={useQuery(agentsQuery(asked, pageOf(view, mostAgents)))}
        empty="No AI agent came in this range"
      >
        {(rows) => (
          <Ranking
            name="AI agents"
            head="Agent"
            groups={byOperator(rows)}
            keyOf={({ agent, operator }) => `${operator}/${agent}`}
            label={(row) => <Agent {...row} />}
            columns={[
              { head: 'Visitors', value: ({ visitors }) => formatCount(visitors) },
              { head: 'Views', value: ({ views }) => formatCount(views) },
            ]}
          />
        )}
      </List>
    </>
  )
}

/** In the order of their first agent. Visitors of several agents do not add up; views do. */
function byOperator(rows: readonly AgentRow[]): readonly Group<AgentRow>[] {
  return [...Map.groupBy(rows, ({ operator }) => operator)].map(([operator, agents]) => ({
    name: operator === '' ? 'Unknown operator' : operator,
    label: operator === '' ? undefined : <Only name="operator" value={operator} />,
    about: `${formatCount(agents.reduce((sum, { views }) => sum + views, 0))} views`,
    rows: agents,
  }))
}

function Agent({ agent, verified, unverified, topPath }: AgentRow) {
  return (
    <>
      <AgentName agent={agent} />
      <Verification verified={verified} unverified={unverified} />
      <div className="flex gap-1 text-sm text-muted">
        <span className="shrink-0">Most read:</span>
        <OnlyPath path={topPath} />
      </div>
    </>
  )
}

function AgentName({ agent }: Pick<AgentRow, 'agent'>) {
  return <span className="mr-2">{agent === '' ? 'Without a name' : <Only name="agent" value={agent} />}</span>
}

function Verification({ verified, unverified }: Pick<AgentRow, 'verified' | 'unverified'>) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {verified > 0 && <Badge tone="good">{formatCount(verified)} verified</Badge>}
      {unverified > 0 && <Badge tone="warn">{formatCount(unverified)} unverified</Badge>}
    </span>
  )
}

export function Crawlers({ asked, view, change }: ListProps) {
  return (
    <List
      {...{ asked, view, change }}
      things="crawlers"
      about="Crawlers read pages for search engines, for training and for monitoring. They are not counted as visitors. A verified view came from an address that the operator publishes; an unverified one did not, and may use a false name."
      list="crawlers"
      query={useQuery(crawlersQuery(asked, pageOf(view)))}
      empty="No crawler came in this range"
    >
      {(rows) => (
        <Ranking
          name="Crawlers"
          head="Crawler"
          groups={[{ name: '', rows }]}
          keyOf={({ agent, operator, category }) => `${operator}/${agent}/${category}`}
          label={({ agent, operator, category, verified, unverified }) => (
            <>
              <AgentName agent={agent} />
              <Verification verified={verified} unverified={unverified} />
              <div className="text-sm text-muted">
                {operator !== '' && (
                  <>
                    <Only name="operator" value={operator} />
                    {' · '}
                  </>
                )}
                {purposes[category] ?? category}
              </div>
            </>
          )}
          columns={[{ head: 'Views', value: ({ views }) => formatCount(views) }]}
        />
      )}
    </List>
  )
}

const purposes: Readonly<Record<string, string>> = {
  ai_training: 'Training data of models',
  ai_search: 'Search index of assistants',
  search: 'Search engine',
  seo: 'Search engine optimisation',
  monitor: 'Monitoring',
  preview: 'Link preview',
  feed: 'Feed reader',
  crawler: 'Crawler',
  automation: 'Automated browser',
}

export function Referrers({ asked, view, change }: ListProps) {
  return (
    <List
      {...{ asked, view, change }}
      things="referrers"
      about="The sites that people came from. Country domains, apps and short links of a site are one row, such as google.com and chatgpt.com."
      list="referrers"
      query={useQuery(referrersQuery(asked, pageOf(view)))}
      empty="Nobody came from another site in this range"
    >
      {(rows) => (
        <Ranking
          name="Referrers"
          head="Site"
          groups={[{ name: '', rows }]}
          keyOf={({ referrer }) => referrer}
          label={({ referrer }) => (
            <span className="break-all">
              <Only name="referrer" value={referrer} />
            </span>
          )}
          bar={({ visitors }) => ({ human: visitors, ai: 0 })}
          columns={[{ head: 'Humans', value: ({ visitors }) => formatCount(visitors) }]}
        />
      )}
    </List>
  )
}

export function BrokenPages({ asked, view, change }: ListProps) {
  // Shared links don't open the pages that link to one.
  const mayOpen = asked.reader.token === undefined
  const { opened } = view
  return (
    <List
      {...{ asked, view, change }}
      things="broken pages"
      about={`Requests for pages that do not exist (404), as browsers, servers and access logs report them.${mayOpen ? ' A page opens to show what links to it.' : ''}`}
      list="broken-pages"
      query={useQuery(brokenPagesQuery(asked, pageOf(view)))}
      empty="No request met a missing page in this range"
    >
      {(rows) => (
        <Requests
          name="Broken pages"
          head="Page"
          rows={rows}
          open={
            mayOpen
              ? {
                  path: opened,
                  toggle: (path) => change({ opened: path === opened ? undefined : path }),
                  details: (path) => <BrokenLinks asked={asked} path={path} />,
                }
              : undefined
          }
        />
      )}
    </List>
  )
}

export function Downloads({ asked, view, change }: ListProps) {
  return (
    <List
      {...{ asked, view, change }}
      things="downloads"
      about="Requests for programs, packages, archives, documents and scripts. They are not page views."
      list="downloads"
      query={useQuery(downloadsQuery(asked, pageOf(view)))}
      empty="No file was downloaded in this range"
    >
      {(rows) => <Requests name="Downloads" head="File" rows={rows} />}
    </List>
  )
}

type Opening = {
  /** Undefined: no row is open. */
  readonly path: string | undefined
  readonly toggle: (path: string) => void
  readonly details: (path: string) => ReactNode
}

type RequestsProps = {
  readonly name: string
  readonly head: string
  readonly rows: readonly DownloadRow[]
  readonly open?: Opening | undefined
}

/** Requests by the class of the client, those of tools included. */
function Requests({ name, head, rows, open }: RequestsProps) {
  return (
    <Ranking
      name={name}
      head={head}
      groups={[{ name: '', rows }]}
      keyOf={({ path }) => path}
      label={({ path }) =>
        open ? (
          <button
            type="button"
            aria-expanded={path === open.path}
            onClick={() => open.toggle(path)}
            className="cursor-pointer rounded text-left hover:underline"
          >
            <span className="line-clamp-2 break-all" title={path.length > 60 ? path : undefined}>
              {readablePath(path)}
            </span>
          </button>
        ) : (
          <OnlyPath path={path} />
        )
      }
      details={open && (({ path }) => (path === open.path ? open.details(path) : undefined))}
      columns={[
        { head: 'Humans', value: ({ human }) => formatCount(human) },
        { head: 'AI', value: ({ ai }) => formatCount(ai) },
        { head: 'Tools', value: ({ neither }) => formatCount(neither) },
        { head: 'All', value: ({ total }) => formatCount(total) },
      ]}
    />
  )
}
