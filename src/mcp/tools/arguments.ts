// Arguments that several tools have.

import { z } from 'zod'

export const projectId = z
  .string()
  .regex(/^prj_[a-z0-9]{20}$/, 'must be the id of a project, as list_projects returns it')
  .describe('The id of the project, from list_projects.')

export const jobId = z
  .string()
  .regex(/^job_[a-z0-9]{20}$/, 'must be the id of a job, as list_jobs returns it')
  .describe('The id of the job.')

export const cursor = z.string().max(1_000).optional().describe('The nextCursor of the previous page.')

export function limit(most: number, fallback: number) {
  return z.int().min(1).max(most).default(fallback).describe('The most entries of the result.')
}

export const offset = z
  .int()
  .min(0)
  .max(1e9)
  .default(0)
  .describe('Entries to skip: the nextOffset of the previous result.')

export function line(most: number, description: string) {
  return z.string().min(1).max(most).describe(description)
}
