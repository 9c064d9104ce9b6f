// Bytes without Node's Buffer, for code that also runs in the browser.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8. Bytes that are not UTF-8 become U+FFFD, and a byte order mark stays. */
export function toText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** A copy of all parts, one after the other. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
