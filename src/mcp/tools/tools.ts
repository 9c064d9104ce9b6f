// All tools, in the order of the list and of the guide.

import type { Tool } from '../tool.ts'
import { affectedPages, checkText, getLedger, listProjects } from './docs.ts'
import { getChecks, getDiff, getJob, listJobs, sendMessage, startJob } from './jobs.ts'
import { getVisitors } from './visitors.ts'

export const tools: readonly Tool[] = [
  listProjects,
  listJobs,
  getJob,
  startJob,
  sendMessage,
  getDiff,
  getChecks,
  checkText,
  affectedPages,
  getLedger,
  getVisitors,
]
