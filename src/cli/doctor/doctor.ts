// `docent doctor`: checks everything that the service needs, changes nothing, and can run while the service runs. A
// running service is asked about repositories, stored keys and the clock; the rest uses the settings of this shell.

import type { Command } from 'commander'
import { type Config, parseConfig } from '../../config/config.ts'
import { toFailure } from '../../lib/failure.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { waitForService, withApi } from '../api/with-api.ts'
import { checkData } from './data.ts'
import { failed, type Finding, ok, printFinding } from './finding.ts'
import { checkDirectory, checkDisk, checkMemory, checkNode } from './machine.ts'
import { checkStore } from './store.ts'
import { checkMail } from './notifications.ts'
import { checkModel, describeModelKeys } from './model.ts'
import { checkPublicUrl } from './outside.ts'
import { checkRepositories } from './repositories.ts'

type Options = { readonly json?: true; readonly project?: string; readonly model: boolean; readonly acceptClock?: true }

export function defineDoctor(command: Command, context: CommandContext): void {
  const { output } = context
  command
    .option('--project <project>', 'check only the repository of this project, by id or name')
    .option('--no-model', 'send no request to the model', true)
    .option('--accept-clock', 'confirm that the clock of this machine is right, then check')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      if (options.acceptClock) await acceptClock(context)
      const findings: Finding[] = []
      for await (const finding of examine(context, options)) {
        findings.push(finding)
        if (!options.json) printFinding(output, finding)
      }
      const bad = findings.filter((one) => one.state === 'failed')
      if (options.json) output.print(JSON.stringify({ ok: bad.length === 0, findings }))
      if (bad.length === 0) return
      const about = [...new Set(bad.map((one) => one.about))].join(', ')
      const checks = bad.length === 1 ? '1 check' : `${bad.length} checks`
      throw new CommandFailure('failed', 'unavailable', `${checks} failed: ${about}.`)
    })
}

async function* examine(context: CommandContext, options: Options): AsyncGenerator<Finding> {
  const { environment, nodeVersion } = context
  yield checkNode(nodeVersion)
  const config = readSettings(environment)
  if (Array.isArray(config)) {
    yield* config
    return
  }
  yield ok('settings', 'valid')
  yield checkMemory(config.memory)
  yield await checkDirectory(config.dataDir)
  yield await checkDisk(config.dataDir)
  const { findings, projects, modelKeys } = await checkData(config, waitForService(context, config))
  yield* findings
  yield await checkStore(config)
  const wanted = projects.filter((one) => options.project === undefined || [one.id, one.name].includes(options.project))
  if (options.project !== undefined && wanted.length === 0) {
    yield failed(
      `repository of ${options.project}`,
      'the project does not exist',
      'Run `docent project list` to see the projects.',
    )
  }
  yield* await checkRepositories(config, wanted)
  const named = describeModelKeys(modelKeys)
  if (named) yield named
  yield await checkModel(config, modelKeys, options.model)
  yield await checkMail(config)
  yield* await checkPublicUrl(config)
}

/** Asks the running service to accept the clock. Without one, changes the data directly. */
async function acceptClock(context: CommandContext): Promise<void> {
  const environment = { ...context.environment, DOCENT_URL: undefined }
  await withApi({ ...context, environment }, (api) => api.send('POST', '/local/accept-clock'))
}

/** Returns one finding per mistake. */
function readSettings(environment: CommandContext['environment']): Config | Finding[] {
  try {
    return parseConfig(environment)
  } catch (error) {
    const [, ...mistakes] = toFailure(error).message.split('\n')
    return mistakes.map((one) => failed('settings', one.trim(), 'docs/operations.md lists the settings.'))
  }
}
