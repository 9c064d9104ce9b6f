// The options of a service that polls pull requests and has no secrets.

export const plainPolling = {
  redactor: { hide: (text: string) => text, redact: (text: string) => text },
  modelId: 'test/model',
  readsPerHour: 100_000,
  publicUrl: 'https://docent.example',
} as const
