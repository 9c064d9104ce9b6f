// Page views that tests insert into a store.

import type { NewPageView } from '../../src/analytics/collect/group-commit.ts'
import type { ViewDimensions } from '../../src/analytics/dimensions/view-dimensions.ts'

export const noDimensions: ViewDimensions = {
  country: '',
  language: '',
  device: '',
  browser: '',
  os: '',
  campaign: '',
  title: '',
}

const count = { made: 0n }

export function pageView(change: Partial<NewPageView> = {}): NewPageView {
  count.made += 1n
  return {
    projectId: 'prj_a',
    siteId: '',
    viewId: count.made,
    hasLineId: false,
    otherIds: [],
    isNamed: false,
    time: Date.UTC(2026, 10, 20, 9),
    path: '/a',
    representation: 'html',
    status: 200,
    isDownload: false,
    source: 'server',
    visitor: 1n,
    saltWindow: '',
    category: 'browser',
    agent: '',
    operator: '',
    verified: 'none',
    rule: 'browser',
    listDate: '2026-11-01',
    referrer: '',
    referrerPath: '',
    ...noDimensions,
    userAgent: 'Mozilla/5.0',
    signals: {},
    ...change,
  }
}
