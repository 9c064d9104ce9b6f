// Declares the commands of `docent`. Each command is defined in a file of its own, which is loaded only when the
// command is used, so `docent --help` loads no command.

import type { Command } from 'commander'
import type { CommandContext } from './context.ts'
import { exitHelp } from './exit.ts'
import { addLazyCommands, createRoot, type LazyCommand } from './lazy-commands.ts'

const commands: readonly LazyCommand[] = [
  {
    usage: 'serve',
    about: 'start the service: the API, the worker and, without DATABASE_URL, the embedded database',
    load: async () => (await import('./serve.ts')).defineServe,
  },
  {
    usage: 'worker',
    about: 'run a worker for the database at DATABASE_URL',
    load: async () => (await import('./serve.ts')).defineWorker,
  },
  {
    usage: 'migrate',
    about: 'migrate the database and exit; `docent serve` does this at its start, too',
    load: async () => (await import('./serve.ts')).defineMigrate,
  },
  {
    usage: 'demo',
    about: 'run one job on an example site, from the instruction to the merge, and show its visitors',
    load: async () => (await import('./demo/demo.ts')).defineDemo,
  },
  {
    usage: 'project',
    about: 'create, list, show, update and delete projects, and set their credentials',
    load: async () => (await import('./project/project.ts')).defineProject,
  },
  {
    usage: 'github',
    about: 'create the GitHub App of this service, and list where it is installed',
    load: async () => (await import('./github/github.ts')).defineGitHub,
  },
  {
    usage: 'forge',
    about: 'check the access to the repository of a project and to its pull requests, and manage webhooks of forges',
    load: async () => (await import('./forge/forge.ts')).defineForge,
  },
  {
    usage: 'site',
    about: 'create, list, update and delete the sites of a project, which report page views',
    load: async () => (await import('./project/site.ts')).defineSite,
  },
  {
    usage: 'source',
    about: 'add, list, change and check the repositories of the product that a project reads',
    load: async () => (await import('./source/source.ts')).defineSource,
  },
  {
    usage: 'automation',
    about: 'create, list, change, run and pause automations, which start jobs by a schedule',
    load: async () => (await import('./automation/automation.ts')).defineAutomation,
  },
  {
    usage: 'webhook',
    about: 'create, list and change webhooks, which tell other systems what happens, and send again what failed',
    load: async () => (await import('./webhook/webhook.ts')).defineWebhook,
  },
  {
    usage: 'key',
    about: 'create, list, rotate and revoke API keys',
    load: async () => (await import('./project/key.ts')).defineKey,
  },
  {
    usage: 'person',
    about: 'list, invite and remove people, and reset a lost password',
    load: async () => (await import('./person/person.ts')).definePerson,
  },
  {
    usage: 'setup-link',
    about: 'print the link that creates the first account',
    load: async () => (await import('./person/person.ts')).defineSetupLink,
  },
  {
    usage: 'job',
    about: 'create and follow jobs, and read what they changed',
    load: async () => (await import('./job/job.ts')).defineJob,
  },
  {
    usage: 'pull',
    about: 'list, show, update, merge and close pull requests',
    load: async () => (await import('./pull.ts')).definePull,
  },
  {
    usage: 'check',
    about: 'check the documentation in a folder: links, navigation, frontmatter, syntax; needs no service',
    load: async () => (await import('./check/check.ts')).defineCheck,
  },
  {
    usage: 'debt',
    about: 'list the changes of the product that are not documented',
    load: async () => (await import('./debt/debt.ts')).defineDebt,
  },
  {
    usage: 'affected',
    about: 'list the pages of the documentation in a folder that a change of the code concerns; needs no service',
    load: async () => (await import('./affected/affected.ts')).defineAffected,
  },
  {
    usage: 'mcp',
    about: 'offer jobs, checks and visitor counts to a coding agent: the MCP server on standard input and output',
    load: async () => (await import('./mcp/mcp.ts')).defineMcp,
  },
  {
    usage: 'analytics',
    about: 'import access logs and read visitor counts',
    load: async () => (await import('./analytics/analytics.ts')).defineAnalytics,
  },
  {
    usage: 'doctor',
    about: 'check settings, git, data, repositories and model; changes nothing',
    load: async () => (await import('./doctor/doctor.ts')).defineDoctor,
  },
  {
    usage: 'backup <file>',
    about: 'write the embedded data to a new .tar.gz file; the service can keep running',
    load: async () => (await import('./backup/backup.ts')).defineBackup,
  },
  {
    usage: 'restore <file>',
    about: 'restore a backup into an empty data directory',
    load: async () => (await import('./backup/backup.ts')).defineRestore,
  },
  {
    usage: 'upgrade',
    about: 'rehearse an upgrade: open a copy of the data with this release, and compare it with the running service',
    load: async () => (await import('./upgrade/upgrade.ts')).defineUpgrade,
  },
  {
    usage: 'model',
    about: 'list models, and store the keys of their providers',
    load: async () => (await import('./model/model.ts')).defineModel,
  },
  {
    usage: 'secrets',
    about: 'rotate the key that encrypts credentials and keys of models',
    load: async () => (await import('./secrets/secrets.ts')).defineSecrets,
  },
  {
    usage: 'completion',
    about: 'print the script that completes commands in bash, zsh or fish',
    load: async () => (await import('./completion/completion.ts')).defineCompletion,
  },
]

export function createProgram(context: CommandContext): Command {
  const program = createRoot('docent', context)
    .description('Edits documentation repositories with agent jobs and opens pull requests.')
    .showHelpAfterError(context.json ? false : '(docent --help lists the commands)')
    .addHelpText('after', after)
  addLazyCommands(program, context, commands)
  return program
}

const after = `
Settings come from the environment and from .env: docs/operations.md lists them.
While a service runs on the data directory, commands reach it through its socket. With DOCENT_URL and DOCENT_API_KEY
they reach any service over HTTP. While no service runs, 'project', 'site', 'source', 'automation', 'webhook', 'key',
'person', 'model', 'secrets', 'pull' and 'analytics' open the data directory themselves.
The default of --project is $DOCENT_PROJECT, then the only project.

With --json a command prints one JSON document on standard output, and a problem on standard error.
Exit codes:
${exitHelp()}

Get started:
  docent demo
  docent serve`
