// The calls that each generated client makes, and the responses that it must return. The types come from the generated code: if a
// client gets `string | Visitors` again, its file in this folder does not compile.

export type Service = { readonly baseUrl: string; readonly key: string; readonly projectId: string }

export type Calls = {
  /** Creates a job and returns its id. */
  create(prompt: string): Promise<string>
  /** The status and the address of the pull request, as `getJob` returns them. */
  get(id: string): Promise<{ readonly status: string; readonly prLink: string | null }>
  message(id: string, prompt: string): Promise<string>
  /** The types of all events of a job: streamed where the client can stream. */
  events(id: string): Promise<readonly string[]>
  /** The paths of the files that a job changed. */
  files(id: string): Promise<readonly string[]>
  /** `totals.total` of the visitors of the project. */
  visitors(): Promise<number>
  /** The error code of a request for a job that does not exist. */
  missing(): Promise<string>
}

export const noJob = 'job_00000000000000000000'
