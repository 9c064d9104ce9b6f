// A recorder that keeps the page views it receives, for tests of the code that calls it.

import { type Exchange, type PageView, toPageView } from '../../client/src/page-view.ts'
import type { Recorder } from '../../client/src/record.ts'

export function createKeptPageViews() {
  const recorded: PageView[] = []
  const sent: PageView[] = []
  const keep = (views: PageView[]) => (exchange: Exchange) => {
    const view = toPageView(exchange)
    if (view) views.push(view)
  }
  const recorder: Recorder = {
    record: keep(recorded),
    send: async (exchange) => keep(sent)(exchange),
    counts: () => ({ queued: 0, accepted: 0, rejected: 0, dropped: 0 }),
    close: async () => undefined,
  }
  return { recorder, recorded, sent }
}

export const throwing: Recorder = {
  record: () => {
    throw new Error('record')
  },
  send: () => {
    throw new Error('send')
  },
  counts: () => ({ queued: 0, accepted: 0, rejected: 0, dropped: 0 }),
  close: async () => undefined,
}
