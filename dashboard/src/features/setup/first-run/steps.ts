// The steps of the first run, after the account: their order, and which of them are done. What is done is read from the
// service, so a step that was skipped can be done anywhere, and a reload loses nothing. Pure.

export const steps = ['project', 'model', 'key', 'visitors', 'job'] as const
export type Step = (typeof steps)[number]

export const stepNames: Readonly<Record<Step, string>> = {
  project: 'Repository',
  model: 'Model',
  key: 'API key',
  visitors: 'Visitors',
  job: 'First job',
}

export type Done = Readonly<Record<Step, boolean>>

export function toStep(text: string): Step | undefined {
  return steps.find((step) => step === text)
}

/** Undefined: the last one. */
export function stepAfter(step: Step): Step | undefined {
  return steps[steps.indexOf(step) + 1]
}

/** Returns the first step that is not done, or undefined. */
export function firstOpen(done: Done): Step | undefined {
  return steps.find((step) => !done[step])
}

type Found = {
  readonly project: { readonly model: string | null } | undefined
  /** The last check of the access to its repository. Undefined: nobody has asked. */
  readonly access: Checked | undefined
  readonly providers: number
  readonly standardModel: string | undefined
  readonly builtIn: string
  readonly keys: number
  readonly sites: number
  readonly jobs: number
}

type Checked = {
  readonly rights: Readonly<Record<string, 'yes' | 'no' | 'unknown'>>
  readonly problem: string | null
}

/** The repository was read, and nothing that jobs need is refused. A host need not say whether it takes pushes. */
export function isConnected({ rights, problem }: Checked): boolean {
  return problem === null && rights['read'] === 'yes' && !Object.values(rights).includes('no')
}

/** The model is chosen by a key of a provider, by the project, or by the operator for the whole service. */
export function doneOf({ project, access, providers, standardModel, builtIn, keys, sites, jobs }: Found): Done {
  const isChosen = providers > 0 || typeof project?.model === 'string'
  return {
    project: project !== undefined && (access === undefined || isConnected(access)),
    model: isChosen || (standardModel !== undefined && standardModel !== builtIn),
    key: keys > 0,
    visitors: sites > 0,
    job: jobs > 0,
  }
}
