/** `acme/docs` for `https://example.com/acme/docs.git`. */
export function repositoryName(address: string): string {
  return address
    .replace(/\/+$|(?:\.git)?\/*$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
}
