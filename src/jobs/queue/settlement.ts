// How a run continues after its work threw: back to waiting, or ended as failed. The types that the queue and its caller share.

import type { Failure } from '../../lib/failure.ts'

export type Settlement =
  /** `failure` undefined: the attempt does not count. */
  | { readonly kind: 'waits'; readonly delaySeconds: number; readonly failure: Failure | undefined }
  | { readonly kind: 'failed'; readonly failure: Failure }
