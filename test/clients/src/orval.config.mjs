// Without it, the client that orval generates asks paths without a host.
export default {
  docent: {
    input: '../generated/openapi.json',
    output: {
      target: '../generated/orval.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
}
