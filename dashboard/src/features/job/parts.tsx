// The parts of a job's page, each a tab with its name in the address. A new part, such as checks or questions, is one more
// entry here.

import type { ReactNode } from 'react'
import type { Live } from '../../api/events/use-events.ts'
import type { Job } from '../../api/jobs.ts'
import { ActivityView } from './activity.tsx'
import { Changes } from './changes.tsx'
import { Transcript } from './transcript.tsx'

export const views = ['transcript', 'changes', 'activity'] as const
export type View = (typeof views)[number]

type Shown = { readonly job: Job; readonly projectId: string; readonly live: Live }
type Part = { readonly label: string; readonly render: (shown: Shown) => ReactNode }

export const parts: Readonly<Record<View, Part>> = {
  transcript: { label: 'Transcript', render: ({ job, live }) => <Transcript job={job} live={live} /> },
  changes: { label: 'Changes', render: ({ job, projectId }) => <Changes job={job} projectId={projectId} /> },
  activity: { label: 'Activity', render: ({ job, projectId }) => <ActivityView job={job} projectId={projectId} /> },
}
