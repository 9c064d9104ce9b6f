// `docent backup` and `docent restore`: the embedded database and page views as one file, or the page views alone if the
// database is a PostgreSQL server. While a service runs on the data directory, it makes the backup; otherwise this
// process does.

import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, parseConfig } from '../../config/config.ts'
import { keyFileName } from '../../secrets/key-file.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { backUp } from './back-up.ts'
import { exists } from './files.ts'

type Options = { readonly json?: true }

export function defineBackup(command: Command, context: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async (file: string, options: Options) => {
    const config = readConfig(context)
    const { bytes, holds } = await backUp(context, config, resolve(file))
    // Page views hold no secrets.
    const keepApart = holds === 'all' ? await whatToKeep(config) : null
    const written = holds === 'nothing' ? null : resolve(file)
    const wrote = `Wrote ${file}, ${(bytes / 1e6).toFixed(1)} MB.`
    const words = {
      all: `${wrote}${describeKeeping(keepApart)}`,
      page_views: `${wrote}\nIt holds the page views only. ${useDump}`,
      nothing: `Wrote no file: there are no page views in ${config.dataDir} yet. ${useDump}`,
    }[holds]
    context.output.print(options.json ? JSON.stringify({ file: written, bytes, holds, keepApart }) : words)
  })
}

const useDump = 'Back up the PostgreSQL database with pg_dump, before the page views.'

export function defineRestore(command: Command, context: CommandContext): void {
  command.option('--json', 'print one JSON object').action(async (file: string, options: Options) => {
    const config = readConfig(context)
    const { restore } = await import('./restore.ts')
    const { createdAt, counts, database } = await restore(config, resolve(file))
    const rows = database ? `${database.projects} projects, ${database.jobs} jobs, ${database.keys} keys and ` : ''
    const needsKey = database && (await whatToKeep(config)) === null
    const next = needsKey ? describeMissingKey(config) : ''
    const held = `${rows}${counts.pageViews} page views`
    const words = `Restored ${held} as of ${createdAt} to ${config.dataDir}.${next} Start the service with \`docent serve\`.`
    context.output.print(options.json ? JSON.stringify({ dataDir: config.dataDir, createdAt, counts }) : words)
  })
}

/** The key that a restore of the backup needs: a file, or the setting; null when there is no key yet. */
async function whatToKeep({ secretKey, dataDir }: Config): Promise<string | null> {
  if (secretKey) return 'DOCENT_SECRET_KEY'
  const keyFile = join(dataDir, keyFileName)
  return (await exists(keyFile)) ? keyFile : null
}

function describeKeeping(keepApart: string | null): string {
  if (keepApart === null) return ''
  const reason = 'Without it, every credential and model key has to be entered again after a restore.'
  return `\nSecrets in it are encrypted, and their key is not in it: keep ${keepApart} in another place. ${reason}`
}

function describeMissingKey({ dataDir }: Config): string {
  const keyFile = join(dataDir, keyFileName)
  return `\nIf it holds secrets, first put its key at ${keyFile} (mode 0600); otherwise, enter them again later.\n`
}

function readConfig({ environment }: CommandContext): Config {
  const config = parseConfig(environment)
  if (config.database.url !== undefined && config.clickhouseUrl !== undefined) {
    throw usage('DATABASE_URL and CLICKHOUSE_URL are set: use the tools of both servers (docs/guides/postgresql.md).')
  }
  if (environment['DOCENT_URL'])
    throw usage('DOCENT_URL is set, but a backup reads the data directory on this machine.')
  return config
}
