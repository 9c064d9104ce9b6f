// The operations on what was imported from other tools.

import { operationsOn } from '../../contract/operation.ts'
import { historyParams, projectParams } from '../../contract/ids.ts'
import { body, json } from '../../contract/responses.ts'
import {
  deletedHistorySchema,
  earlierDaysSchema,
  earlierQuery,
  historiesSchema,
  historySchema,
  moreSumsSchema,
  newHistorySchema,
} from './schemas.ts'

const operations = operationsOn('Analytics')
const path = '/v1/analytics/{projectId}/histories'

export const listHistoriesRoute = operations.get('read', path, {
  operationId: 'listHistories',
  summary: 'List what was imported from other tools',
  description:
    'The files of other tools, the newest first. Plausible and Google Analytics export daily sums, which are never added to unique visitors. GoatCounter and Umami export page views, which count like any others.',
  request: { params: projectParams },
  responses: { 200: json('The files.', historiesSchema) },
})

export const createHistoryRoute = operations.post('write', path, {
  operationId: 'createHistory',
  summary: 'Import daily sums of another tool',
  description:
    'Stores daily sums of people, of the whole site or of pages, up to 5,000 in a request. The same `fingerprint` again returns the same history: a sum that is there is replaced, so nothing counts twice.',
  request: { params: projectParams, body: body(newHistorySchema) },
  responses: { 200: json('The history.', historySchema) },
})

export const addSumsRoute = operations.post('write', `${path}/{historyId}/sums`, {
  operationId: 'addDailySums',
  summary: 'Import more daily sums of a file',
  description: 'A sum of the same day and page is replaced. A file may have up to 1,000,000 daily sums.',
  request: { params: historyParams, body: body(moreSumsSchema) },
  responses: { 200: json('The history.', historySchema) },
})

export const deleteHistoryRoute = operations.delete('admin', `${path}/{historyId}`, {
  operationId: 'deleteHistory',
  summary: 'Undo an import from another tool',
  description:
    'Deletes the daily sums of the file, or exactly the page views that came from it. Counts change at once; the bytes leave the disk within minutes.',
  request: { params: historyParams },
  responses: { 200: json('The numbers of deleted sums and page views.', deletedHistorySchema) },
})

export const earlierDaysRoute = operations.get('statistics', '/v1/analytics/{projectId}/earlier-days', {
  operationId: 'getEarlierDays',
  summary: 'List daily sums of before',
  description:
    'The daily sums of other tools for the days before the first page view of your own. People of several days are not known, so these numbers cannot be added to unique visitors, or to each other.',
  request: { params: projectParams, query: earlierQuery },
  responses: { 200: json('The days.', earlierDaysSchema) },
})
