// Page views of today that arrive at all projects, while one window of the first project is counted again and again.

import { setTimeout as delay } from 'node:timers/promises'
import { readWindows } from '../../src/analytics/counts/query/version.ts'
import { sealWindows } from '../../src/analytics/counts/uniques/seal.ts'
import { getProject } from '../../src/projects/projects.ts'
import { type Engines, isCounted, type Web } from './service.ts'

/** Page views that arrive a second. */
const arriving = 500
const batchSize = 50

export type Traffic = {
  /** Ends when page views of today have come to all projects, and counters answer for these, too. */
  readonly followed: () => Promise<void>
  readonly stop: () => Promise<{ readonly views: number; readonly rebuilt: number }>
}

export function startTraffic(engines: Engines, web: Web, projects: readonly string[]): Traffic {
  const state = { isOver: false, views: 0, rebuilt: 0 }
  const began = performance.now()
  const sending = (async () => {
    for (let batch = 0; !state.isOver; batch += 1) {
      await send(web, projects[batch % projects.length] ?? '', batch)
      state.views += batchSize
      await delay(Math.max(0, began + (state.views / arriving) * 1_000 - performance.now()))
    }
  })()
  const rebuilding = (async () => {
    const { pageViews, postgres, clock } = engines
    const [projectId = ''] = projects
    const store = await pageViews.open()
    const settings = await getProject(postgres.db, projectId)
    while (!state.isOver) {
      const windows = (await readWindows(store, projectId)).toSorted((a, b) => a.first - b.first).slice(3, 4)
      await sealWindows(store, { projectId, settings, windows, now: clock.now() })
      state.rebuilt += 1
    }
  })()
  return {
    followed: async () => {
      while (state.views < batchSize * projects.length) await delay(50)
      for (const projectId of projects) while (!(await isCounted(engines, projectId))) await delay(50)
    },
    stop: async () => {
      const seconds = (performance.now() - began) / 1_000
      state.isOver = true
      await Promise.all([sending, rebuilding])
      return { views: Math.round(state.views / seconds), rebuilt: state.rebuilt }
    },
  }
}

async function send({ address, headers }: Web, projectId: string, batch: number): Promise<void> {
  const views = Array.from({ length: batchSize }, (_, at) => ({
    timestamp: Date.now(),
    path: `/guides/page-${(batch * 7 + at) % 1_000}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${120 + (at % 20)}.0.0.0 Safari/537.36`,
    address: `10.${batch % 256}.${at}.1`,
  }))
  const url = `${address}/v1/analytics/${projectId}/page-views`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(views) })
  if (answer.status !== 202) throw new Error(await answer.text())
  await answer.arrayBuffer()
}
