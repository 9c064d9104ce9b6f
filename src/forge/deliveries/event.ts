// Reads from a genuine delivery where something happened, and nothing else: Docent reads there what is now. So a delivery that is
// lost, late, doubled, out of order or sent again by somebody does no harm.

import { z } from 'zod'

export type ForgeEvent = {
  /** The path of the repository on the forge, such as `acme/docs`, in lower case. */
  readonly repository: string
  /** Whether a branch or a tag may have moved. */
  readonly isPush: boolean
}

const path = z.string().min(1).max(500)
/** GitHub and Gitea have `repository.full_name`, GitLab `project.path_with_namespace`. Only pushes have `ref` at the top. */
const eventSchema = z.object({
  repository: z.object({ full_name: path }).optional().catch(undefined),
  project: z.object({ path_with_namespace: path }).optional().catch(undefined),
  ref: z.unknown().optional(),
})

/** Undefined: the delivery is about no repository. */
export function readEvent(body: Uint8Array): ForgeEvent | undefined {
  const { data } = eventSchema.safeParse(parseJson(body))
  const repository = data?.repository?.full_name ?? data?.project?.path_with_namespace
  return repository === undefined
    ? undefined
    : { repository: repository.toLowerCase(), isPush: typeof data?.ref === 'string' }
}

/** GitHub and Gitea send a form if the webhook is set up so. */
function parseJson(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8')
  try {
    return JSON.parse(text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch {
    return undefined
  }
}
