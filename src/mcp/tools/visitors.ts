// The tool on visitors.

import { z } from 'zod'
import { tool, withQuery } from '../tool.ts'
import { limit, line, offset, projectId } from './arguments.ts'

export const getVisitors = tool({
  name: 'get_visitors',
  title: 'Count visitors',
  description:
    'Returns exact unique visitors of the documentation, in total and by page: human, ai (through AI agents) and total, the most visited page first. A range has whole days in the time zone of the project; dateTo is not in it. If perWindow is not null, a visitor of several windows counts once in each.',
  scope: 'read',
  rest: 'Ask again with a smaller limit, or the next pages with offset.',
  input: z.strictObject({
    projectId,
    dateFrom: line(40, 'The first day: YYYY-MM-DD. Default: the first day kept.').optional(),
    dateTo: line(40, 'The day after the last one: YYYY-MM-DD. Default: through today.').optional(),
    section: line(2_048, 'Only pages below this path, such as /guides.').optional(),
    path: line(2_048, 'Only this page, such as /guides/start.').optional(),
    limit: limit(250, 25),
    offset,
  }),
  call: ({ projectId, ...query }) => ({ method: 'GET', path: withQuery(`/v1/analytics/${projectId}/visitors`, query) }),
  show: (response, { limit, offset }) => {
    const shown = response as Readonly<Record<string, unknown>> & { readonly hasMore: boolean }
    return { ...shown, nextOffset: shown.hasMore ? offset + limit : null }
  },
})
