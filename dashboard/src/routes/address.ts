// Parts of addresses that several pages read. Pure.

/** A line of a change: `guides/install.md:12`. */
export function readPlace(at: unknown): { at?: string } {
  return typeof at === 'string' && at !== '' ? { at } : {}
}

/** The page after the sign-in; never one of another host. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return typeof back === 'string' && /^\/(?![/\\])/.test(back) ? { back } : {}
}
