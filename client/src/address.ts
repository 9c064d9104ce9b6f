// The address of the service, as callers give it.

/** Returns the address without a slash at the end. Throws a TypeError when `url` is not an http address. */
export function toBaseAddress(url: string): string {
  const { protocol, origin, pathname } = new URL(url)
  if (!/^https?:$/.test(protocol)) throw new TypeError('`url` must begin with https:// or http://.')
  return origin + pathname.replace(/\/+$/, '')
}
