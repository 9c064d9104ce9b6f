// The sources of a run, as they are stored: decided once, when the run starts.

/** `commit` null: the run does without the source, because of `missing`. */
export type RunSource = {
  readonly id: string
  readonly name: string
  readonly repository: string
  readonly branch: string | null
  /** Only these files are readable; empty: all. */
  readonly paths: readonly string[]
  readonly commit: string | null
  /** A sentence. */
  readonly missing?: string
}

/** Such as `api@3f2c1d8`; only the name if the source is missing. */
export function showSource({ name, commit }: Pick<RunSource, 'name' | 'commit'>): string {
  return commit === null ? name : `${name}@${commit.slice(0, 7)}`
}

export function readRunSources(stored: string | null): readonly RunSource[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly RunSource[])
}
