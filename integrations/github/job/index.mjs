// Starts a job, waits for its end, and links its pull request. Needs nothing but Node.js.

import { hash, randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const env = process.env
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** Times that a request is sent before its error counts. */
const mostTries = 6
const longestPauseMs = 60_000

/** @param {string} text */
const escape = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

function required(name) {
  const value = input(name)
  if (value === '') throw new Error(`The input \`${name}\` is missing.`)
  return value
}

/** Sends a request until the service has answered it. The same key makes one job of any number of attempts. */
async function send(url, init) {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(60_000) }).catch(
      (error) => error,
    )
    const isPassing = response instanceof Error || response.status === 429 || response.status >= 500
    if (!isPassing) return response
    const reason = response instanceof Error ? response.message : `${response.status} ${await response.text()}`
    if (tries === mostTries) throw new Error(`The service does not answer: ${reason}`)
    const seconds = response instanceof Error ? 2 ** tries : Number(response.headers.get('Retry-After') ?? 2 ** tries)
    await setTimeout(Math.min(seconds * 1_000 || 1_000, longestPauseMs))
  }
}

/** The job of a response. Throws the words of an error. */
async function jobOf(response) {
  if (response.ok) return await response.json()
  const text = await response.text()
  let said = text
  try {
    said = JSON.parse(text).detail ?? text
  } catch {
    // No problem document, so no service of Docent.
  }
  throw new Error(`${response.status}: ${said}`)
}

async function run() {
  const key = required('api-key')
  console.log(`::add-mask::${escape(key)}`)
  const [project, prompt] = [required('project'), required('prompt')]
  const jobs = new URL(`v2/agent/${encodeURIComponent(project)}/job`, `${required('url').replace(/\/+$/, '')}/`)
  const minutes = Number(input('timeout-minutes') || 60)
  if (!(minutes >= 0)) throw new Error('The input `timeout-minutes` must be a number of minutes.')
  const authorization = { Authorization: `Bearer ${key}` }
  const attempt = [env.GITHUB_REPOSITORY, env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT, env.GITHUB_JOB, env.GITHUB_ACTION]
  // The jobs of a matrix have the same names and may have different prompts; and a key has at most 255 characters.
  const once = hash('sha256', JSON.stringify([...attempt, project, prompt]))
  const headers = { ...authorization, 'Content-Type': 'application/json', 'Idempotency-Key': once }
  let job = await jobOf(await send(jobs, { method: 'POST', headers, body: JSON.stringify({ prompt }) }))
  console.log(`Job ${job.id}`)
  const one = new URL(`${jobs.pathname}/${encodeURIComponent(job.id)}`, jobs)
  const end = Date.now() + minutes * 60_000
  let etag
  let phase
  while (job.status === 'active' && Date.now() < end) {
    if (job.phase !== phase) console.log(job.phase)
    phase = job.phase
    await setTimeout(Math.min(2_000, Math.max(0, end - Date.now())))
    const response = await send(one, { headers: { ...authorization, ...(etag ? { 'If-None-Match': etag } : {}) } })
    if (response.status === 304) continue
    etag = response.headers.get('ETag')
    job = await jobOf(response)
  }
  report(job)
}

function report(job) {
  const link = /^https?:\/\/[^\s<>()]+$/.test(job.prLink ?? '') ? job.prLink : ''
  write('GITHUB_OUTPUT', { job: job.id, status: job.status, outcome: job.outcome ?? '', link })
  const how = job.status === 'active' ? 'is still running' : (job.outcome ?? job.status).replaceAll('_', ' ')
  const summary = env.GITHUB_STEP_SUMMARY
  if (summary) appendFileSync(summary, `Job \`${job.id}\`: ${how}${link ? `, [pull request](${link})` : ''}.\n`)
  if (link) console.log(`::notice title=Docent::${escape(`The pull request is ready: ${link}`)}`)
  if (job.status === 'failed') throw new Error(`The job failed (${job.error?.code}): ${job.error?.message}`)
}

/** Values of several lines end at a word that nobody can guess. */
function write(file, values) {
  const path = env[file]
  if (!path) return
  for (const [name, value] of Object.entries(values)) {
    const mark = randomUUID()
    appendFileSync(path, `${name}<<${mark}\n${value}\n${mark}\n`)
  }
}

try {
  await run()
} catch (error) {
  console.log(`::error title=Docent::${escape(error.message)}`)
  process.exitCode = 1
}
