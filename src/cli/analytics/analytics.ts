// `docent analytics …`: imports page views and reads counts. Each command has a file of its own.

import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { addLazyCommands, type DefineAll, type LazyCommand } from '../lazy-commands.ts'

const commands: readonly LazyCommand[] = [
  {
    usage: 'import <file...>',
    about: 'import page views from access logs, plain, gzip or zstd; - is standard input',
    load: async () => (await import('./import/import.ts')).defineImport,
  },
  {
    usage: 'erase-imported',
    about: 'delete the page views that came from logs, to import the logs again with other options',
    load: async () => (await import('./erase-imported.ts')).defineEraseImported,
  },
  {
    usage: 'import-history <file...>',
    about: 'import what Plausible, Google Analytics 4, GoatCounter or Umami exported',
    load: async () => (await import('./histories/import-history.ts')).defineImportHistory,
  },
  {
    usage: 'histories',
    about: 'list what was imported from other tools',
    load: async () => (await import('./histories/histories.ts')).defineHistories,
  },
  {
    usage: 'delete-history <id>',
    about: 'undo an import from another tool',
    load: async () => (await import('./histories/histories.ts')).defineDeleteHistory,
  },
  {
    usage: 'summary',
    about: 'print visitors by day, the top pages and the AI agents',
    load: async () => (await import('./summary/summary.ts')).defineSummary,
  },
  {
    usage: 'segments',
    about: 'list, save and delete filters under a name',
    load: async () => (await import('./segments.ts')).defineSegments,
  },
  {
    usage: 'realtime',
    about: 'print the visitors of the last five minutes, the pages that they view, and today by the hour',
    load: async () => (await import('./realtime/realtime.ts')).defineRealtime,
  },
  {
    usage: 'export',
    about: 'write all rows of an export as CSV or JSON',
    load: async () => (await import('./export.ts')).defineExport,
  },
  {
    usage: 'effect <job>',
    about: "print readers, AI agents and failures before and after the merge of a job's pull request",
    load: async () => (await import('./effect.ts')).defineEffect,
  },
  {
    usage: 'broken-page <path>',
    about: 'print which pages link to a missing page, and which page was probably meant',
    load: async () => (await import('./broken-page.ts')).defineBrokenPage,
  },
  {
    usage: 'reclassify',
    about: 'classify past page views by the rules of this release',
    load: async () => (await import('./reclassify.ts')).defineReclassify,
  },
  {
    usage: 'rebuild',
    about: 'count unique visitors again from the page views, and check the stored counters',
    load: async () => (await import('./rebuild.ts')).defineRebuild,
  },
  {
    usage: 'refresh-ranges',
    about: 'download the address ranges that operators publish for their agents',
    load: async () => (await import('./refresh-ranges.ts')).createRefreshRanges(globalThis.fetch),
  },
]

export function defineAnalytics(analytics: Command, context: CommandContext): DefineAll {
  return addLazyCommands(analytics, context, commands)
}
