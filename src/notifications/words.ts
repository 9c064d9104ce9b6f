// A notification in words: a title of one line and the links, for messages to people. Pure. The texts of jobs come from models
// and repositories: the channel escapes them.

import { plainText, shorten } from '../lib/plain-text.ts'
import type { NotificationData, NotifiedJob, SentType } from './notification.ts'

export type Words = {
  /** One line, without control characters. */
  readonly title: string
  readonly project: string
  readonly links: readonly { readonly name: string; readonly url: string }[]
}

export type Said = {
  readonly type: SentType
  readonly data: NotificationData
  readonly project: { readonly id: string; readonly name: string }
  /** Without a trailing slash. */
  readonly publicUrl: string
}

const titleCharacters = 300

export function toWords({ type, data, project, publicUrl }: Said): Words {
  const ofProject = `${publicUrl}/projects/${project.id}`
  const common = { title: oneLine(titleOf(type, data)), project: oneLine(project.name) }
  if ('job' in data) {
    const { id, pullRequest } = data.job
    const link = { name: 'Job', url: `${ofProject}/jobs/${id}` }
    const pull = pullRequest && { name: `Pull request #${pullRequest.number}`, url: pullRequest.url }
    return { ...common, links: pull ? [pull, link] : [link] }
  }
  if ('webhook' in data) return { ...common, links: [{ name: 'Project', url: ofProject }] }
  return { ...common, links: [{ name: 'Automation', url: `${ofProject}/automations/${data.automation.id}` }] }
}

function titleOf(type: SentType, data: NotificationData): string {
  if ('webhook' in data) return 'A test: the events of Docent arrive here'
  if ('job' in data) return titlesOfJobs[type]?.(data.job) ?? type
  const { automation, run } = data
  if (type === 'automation.failed')
    return `Automation ${automation.name} failed three times in a row${why(run?.reason)}`
  return `Automation ${automation.name} is paused${why(automation.pausedBecause)}`
}

const titlesOfJobs: Readonly<Partial<Record<SentType, (job: NotifiedJob) => string>>> = {
  'job.completed': ({ status, outcome, result }) =>
    status === 'active'
      ? 'A run ended, and the job continues with the messages that wait'
      : `Job completed${outcome === 'no_changes' ? ' without a change' : ''}${why(result?.title)}`,
  'job.failed': ({ error }) => `Job failed${why(error?.message)}`,
  'job.needs_input': ({ result }) => `Job asks a question${why(result?.title)}`,
  'pull_request.opened': (job) => `${pullOf(job)} was opened${why(job.result?.title)}`,
  'pull_request.merged': (job) => `${pullOf(job)} was merged`,
  'pull_request.closed': (job) => `${pullOf(job)} was closed without a merge`,
  'pull_request.waiting': (job) => `${pullOf(job)} has waited for a review for three days`,
}

function pullOf({ pullRequest }: NotifiedJob): string {
  return pullRequest ? `Pull request #${pullRequest.number}` : 'Pull request'
}

function why(reason: string | null | undefined): string {
  return reason ? `: ${reason}` : ''
}

function oneLine(text: string): string {
  return shorten(plainText(text).replace(/\s+/g, ' ').trim(), titleCharacters)
}
