// Why there is no response, in words: `fetch` hides the reason in the cause of its error.

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const { message, cause } = error
  return cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message
}
