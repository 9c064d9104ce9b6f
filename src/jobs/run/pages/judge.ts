// Which addresses outside of the repository a run may request. The model chooses among addresses and never makes one: whatever
// it puts into an address would leave the service with the request. An address is allowed if
//
//   listed    the project lists it whole,
//   written   a person wrote it in a message of the job, or
//   linked    it is below an allowed prefix of the project, and a link of a page of the docs on the base branch, or of a page
//             that this run has read, leads to it.
//
// It is compared in normal form and with its query. A fragment is not sent; still it must be as it was found, or be left out.
// Links that the job itself wrote do not count: the base is what people have merged. After a run has read a private source, only
// listed and written addresses are allowed, because a choice among many links can tell something, too.
//
// A redirect comes from the host, which knows the address that it redirects. It may lead to an allowed address, to the same
// address over https or with or without a slash at its end, or to one below an allowed prefix whose query is empty or that of
// the redirected address. Pure, except for what `Known` reads.

import { isBelow, parsePageAddress, withoutFragment } from '../../../lib/outbound/pages/page-address.ts'

/** Addresses in normal form. A prefix ends with a slash. */
export type PageSettings = { readonly addresses: readonly string[]; readonly prefixes: readonly string[] }

export type Known = {
  readonly settings: PageSettings
  /** The addresses in the messages of people. */
  readonly written: () => Promise<readonly string[]>
  /** The links below the prefixes. Called only for an address below one. */
  readonly linked: () => Promise<Iterable<string>>
  /** Whether the run has read a source that not everybody may read. */
  readonly hasReadPrivate: () => Promise<boolean>
}

export type Judge = {
  /** Returns why the address may not be requested, as the end of a sentence; undefined if it may. */
  readonly refuse: (url: URL) => Promise<string | undefined>
  readonly refuseRedirect: (target: URL, from: URL) => Promise<string | undefined>
}

export function createJudge(known: Known): Judge {
  return {
    refuse: async (url) => {
      if (await isNamed(known, url)) return undefined
      const { prefixes } = known.settings
      if (!prefixes.some((prefix) => isBelow(prefix, url))) return nobody(known.settings)
      if (await known.hasReadPrivate()) return afterPrivate
      return isAmong(await known.linked(), url) ? undefined : notLinked
    },
    refuseRedirect: async (target, from) => {
      const url = parsePageAddress(target.href)
      if (!url) return 'that is no plain address'
      if (isSamePage(url, from) || (await isNamed(known, url))) return undefined
      if (!known.settings.prefixes.some((prefix) => isBelow(prefix, url))) return nobody(known.settings)
      if (await known.hasReadPrivate()) return afterPrivate
      return url.search === '' || url.search === from.search ? undefined : 'that has another query'
    },
  }
}

/** Reads one after the other: most addresses are in the settings. */
async function isNamed({ settings, written }: Known, url: URL): Promise<boolean> {
  return isAmong(settings.addresses, url) || isAmong(await written(), url)
}

function isAmong(addresses: Iterable<string>, url: URL): boolean {
  for (const address of addresses) {
    if (address === url.href) return true
    if (url.hash === '' && withoutFragment(new URL(address)) === url.href) return true
  }
  return false
}

function isSamePage(target: URL, from: URL): boolean {
  const isOrigin = target.origin === from.origin || target.origin === from.origin.replace(/^http:/, 'https:')
  return isOrigin && target.search === from.search && withoutSlash(target.pathname) === withoutSlash(from.pathname)
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

const afterPrivate =
  'the run has read a private source: since then, only addresses are allowed that a person wrote or the project lists'
const notLinked =
  'it is below an allowed prefix, and no link of the docs on the base branch or of a page that this run has read leads to it as it is written here'

function nobody({ prefixes }: PageSettings): string {
  const also = prefixes.length === 0 ? '' : `, and not below an allowed prefix (${prefixes.join(', ')})`
  return `no person wrote this address in a message, and it is not in the setting \`pages\` of the project${also}. A person can do either`
}
