// The tag that pages of a site load the script with.

/** `address`: where readers reach the service. An address that a `URL` has written, and an id, have no characters to escape. */
export function siteTag(address: string, siteId: string): string {
  return `<script defer src="${address.replace(/\/+$/, '')}/v1/script.js" data-site="${siteId}"></script>`
}
