// The remedy for each error of a failed job: the sentences of the API reference, and the page where it is done. A test
// compares the sentences.

const remedies: Readonly<Record<string, string>> = {
  cancelled: 'Send a message to continue.',
  model_not_configured:
    'Read the message: ask for what the built-in model can do, or fix the model, its key or its credit.',
  model_unavailable: 'Check the provider, then send a message.',
  model_refused: 'Rephrase the instruction in a message.',
  context_exceeded: 'Split the work into smaller jobs.',
  budget_exceeded: 'Split the work, or raise the budget.',
  checks_failed: 'Read the report, then send a message.',
  policy_refused: 'Read the message: it names the rule, and the setting that allows it if there is one.',
  branch_conflict: 'Fix the named files on the branch, then send a message.',
  repository_unreachable: 'Check the address and the network.',
  repository_unauthorized: 'Give the service access to it.',
  repository_empty: 'Push a first commit.',
  repository_invalid: 'Repair the repository (`git fsck`).',
  repository_too_large: 'Raise the limit or split the repository.',
  base_not_found: 'Set the base branch of the project.',
  forge_unavailable: 'Wait: the run will be tried again.',
  forge_refused: 'Read the message: it names the rules and their remedies.',
  forge_rate_limited: 'Wait: the run will be tried again.',
  forge_right_missing: 'Grant the right that the message names, where it says.',
  writer_required: 'Let somebody who may push write the comment, or a message.',
  branch_protected: 'Let the credential push branches that begin with the `branchPrefix` of the project.',
  repository_archived: 'Unarchive it, or change the repository.',
  repository_moved: 'Set the new address in the project.',
  context_unavailable: 'Check the source that the message names, or send a message with `context` without it.',
  pull_request_locked: 'Unlock it on the forge, then send a message.',
  attempts_exhausted: 'Read the log of the service, then send a message.',
  internal: 'Report it with the `requestId` or the id of the job.',
}

/** Codes may be added: an unknown one has the advice that always holds. */
export function remedyOf(code: string): string {
  return remedies[code] ?? 'Read the message, then send a message to continue.'
}

type Place = 'models' | 'jobs' | 'repository'

const places: Readonly<Record<string, Place>> = {
  model_not_configured: 'models',
  model_unavailable: 'models',
  budget_exceeded: 'jobs',
  policy_refused: 'jobs',
  checks_failed: 'jobs',
  repository_unreachable: 'repository',
  repository_unauthorized: 'repository',
  repository_archived: 'repository',
  repository_moved: 'repository',
  base_not_found: 'repository',
  forge_right_missing: 'repository',
  branch_protected: 'repository',
}

/** The page of the models, or a section of the settings of the project. */
export function placeOf(code: string): Place | undefined {
  return Object.hasOwn(places, code) ? places[code] : undefined
}
