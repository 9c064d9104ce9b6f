// Names a request, so that sending it again after a lost response does nothing twice.

/** `crypto.randomUUID` is missing on plain http from other machines. */
export function createRequestKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
