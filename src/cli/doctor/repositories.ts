// Checks git, what the service may do with the repository and the sources of each project, its automations and webhooks. A
// running service is asked; otherwise the stored credentials are used here, and nothing is changed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { openGit } from '../../git/git.ts'
import type { Git } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { toFailure } from '../../lib/failure.ts'
import { createLine } from '../../lib/few-at-once.ts'
import { createLog } from '../../lib/observability/log.ts'
import { openUnmigrated } from '../../postgres/open.ts'
import { appliedMigrations } from '../../postgres/migrate.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { type AccessReport, inspectAccess } from '../../projects/access/access.ts'
import { lacks } from '../../projects/access/remedies.ts'
import { inspectSource } from '../../projects/sources/source-access.ts'
import { listSources } from '../../projects/sources/sources.ts'
import { keyFileName, readKeyFile } from '../../secrets/key-file.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets, type Secrets } from '../../secrets/secrets.ts'
import { holdDirectory } from '../../service/data-directory.ts'
import { databasePlace, gitOptions } from '../../service/engines.ts'
import { openForges } from '../../service/forges.ts'
import { isServed } from '../../service/socket.ts'
import { openSocketApi } from '../api/api.ts'
import { automationsOfService, checkAutomations, type ListAutomations } from './automations.ts'
import type { Project } from './data.ts'
import { failed, type Finding, fromFailure, ok, skipped, warning } from './finding.ts'
import { checkGit } from './machine.ts'
import { checkSources, type InspectSources, sourcesOfService } from './sources.ts'
import { checkWebhooks, type ListWebhooks, webhooksOfService } from './notifications.ts'

/** Repositories that are checked at the same time. */
const probesAtOnce = 4

type Inspect = {
  readonly project: (projectId: string) => Promise<AccessReport>
  readonly sources: InspectSources
  readonly automations: ListAutomations
  readonly webhooks: ListWebhooks
}
type Check = (inspect: Inspect) => Promise<readonly Finding[]>

export async function checkRepositories(config: Config, projects: readonly Project[]): Promise<readonly Finding[]> {
  const directory = await mkdtemp(join(tmpdir(), 'docent-doctor-'))
  const options = { ...gitOptions(config, createLog('silent')), directory }
  try {
    const git = await openGit(options)
    try {
      const findings = projects.length === 0 ? [] : await checkAll(config, git, projects)
      return [checkGit(git.version), ...findings]
    } finally {
      await git.close()
    }
  } catch (error) {
    return [fromFailure('git', toFailure(error))]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function checkAll(config: Config, git: Git, projects: readonly Project[]): Promise<readonly Finding[]> {
  const inTurn = createLine({ atOnce: probesAtOnce, waiting: Infinity, full: () => new Error('never full') })
  const check: Check = async (inspect) => {
    const { refusal } = inspect.sources
    const judge = async (project: Project) => {
      const about = `repository of ${project.label}`
      const found = refusal(about, project.repository) ?? (await toFinding(about, project, inspect))
      const automations = await checkAutomations(inspect.automations, project)
      const webhooks = await checkWebhooks(inspect.webhooks, project)
      return [found, ...(await checkSources(inspect.sources, project)), ...automations, ...webhooks]
    }
    return (await Promise.all(projects.map((one) => inTurn(() => judge(one))))).flat()
  }
  if (await isServed(config)) return check(askService(config))
  // Addresses are judged by the settings of this shell, which the service should have, too.
  const refusal = (about: string, repository: string) => refusalOf(git, about, repository)
  return inspectStopped(config, (inspect) => check({ ...inspect, sources: { ...inspect.sources, refusal } }))
}

function askService(config: Config): Inspect {
  const api = openSocketApi(config)
  return {
    project: async (projectId) => {
      const { body } = await api.send('POST', `/v1/projects/${projectId}/credential/check`, {})
      return JSON.parse(body) as AccessReport
    },
    sources: sourcesOfService(api),
    automations: automationsOfService(api),
    webhooks: webhooksOfService(api),
  }
}

async function inspectStopped(config: Config, check: Check): Promise<readonly Finding[]> {
  const lock = holdDirectory(config)
  try {
    const postgres = await openUnmigrated(databasePlace(config, createLog('silent')))
    try {
      return await inspectWith(config, postgres, check)
    } finally {
      await postgres.close()
    }
  } finally {
    lock.release()
  }
}

async function inspectWith(config: Config, { db }: Pick<Postgres, 'db'>, check: Check): Promise<readonly Finding[]> {
  if (!(await isReadable(db))) return [skipped('repositories', 'they are checked after the next start')]
  const directory = await mkdtemp(join(tmpdir(), 'docent-doctor-'))
  const secrets = await readSecrets(config)
  const { connections } = openForges({ config, db, secrets, clock: systemClock })
  const options = { ...gitOptions(config, createLog('silent')), directory }
  try {
    const git = await openGit({ ...options, credentialOf: (ask, signal) => connections.credentialOf(ask, signal) })
    try {
      const context = { db, secrets, connections, git, clock: systemClock }
      const { signal } = new AbortController()
      return await check({
        project: (projectId) => inspectAccess(context, projectId, signal),
        sources: {
          list: (projectId) => listSources(db, projectId),
          inspect: (_, { id }) => inspectSource(context, id, signal),
          refusal: () => undefined,
        },
        automations: () => Promise.resolve([]),
        webhooks: () => Promise.resolve([]),
      })
    } finally {
      await git.close()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** An older schema lacks columns that the check reads. */
async function isReadable(db: Db): Promise<boolean> {
  return (await appliedMigrations(db)).includes('0036-sources')
}

/** Creates no key file. Without one, no secret can be decrypted, and each has to be entered again. */
async function readSecrets({ secretKey, dataDir }: Config): Promise<Secrets> {
  const ring = secretKey ?? (await readKeyFile(join(dataDir, keyFileName)))?.ring ?? parseKeys(generateKey())
  return createSecrets(() => ring)
}

async function toFinding(about: string, { id, repository }: Project, inspect: Inspect): Promise<Finding> {
  try {
    const { rights, missing, off, problem, base, rules } = await inspect.project(id)
    const lacking = missing.map(({ right }) => lacks[right])
    const remedies = [...new Set(missing.map(({ remedy }) => remedy))].join(' ')
    if (problem !== null || !base) {
      const todo = remedies === '' ? 'Check the address, the network and the credential of the project.' : remedies
      return failed(about, `${repository}: ${problem ?? 'it could not be read'}`, todo)
    }
    if (lacking.length > 0) return failed(about, `${repository}: the service ${lacking.join(' and ')}`, remedies)
    const [broken] = rules.refused
    if (broken) return failed(about, `${repository}: a push would be refused: ${broken.rule}`, broken.remedy)
    const known = Object.entries(mayDo).flatMap(([right, words]) => (Reflect.get(rights, right) === 'yes' ? words : []))
    const says = `${repository} can be ${known.join(', ')}; ${base.branch} is at ${base.commit}`
    // An older service does not say it.
    return (off ?? []).length > 0 ? warning(about, says, off.join(' ')) : ok(about, says)
  } catch (error) {
    return fromFailure(about, toFailure(error))
  }
}

const mayDo = { read: 'read', push: 'pushed to', pullRequests: 'changed by pull requests' }

/** Advice for a refused address: the settings differ from those with which the project was created. */
function refusalOf(git: Git, about: string, repository: string): Finding | undefined {
  try {
    git.checkAddress(repository)
    return undefined
  } catch (error) {
    const isWeb = /^https?:/i.test(repository)
    const todo = isWeb
      ? 'Use an https address, or add the host to DOCENT_PRIVATE_REPOSITORY_HOSTS.'
      : 'Use an https address, or set DOCENT_ALLOW_LOCAL_REPOSITORIES=true.'
    return failed(about, toFailure(error).message, todo)
  }
}
