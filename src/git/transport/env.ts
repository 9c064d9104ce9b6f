// What every git process of the service gets, whatever it does: an environment made from nothing and a list of
// settings that beat whatever a configuration file says. `run.ts` adds nothing to either. `hardening.test.ts` shows
// for each line what happens without it.

export type Protocol = 'https' | 'http' | 'file'

// Left out, because git 2.39 to 2.50 shows no effect of them in a bare mirror: `transfer.bundleURI` (only `clone`
// asks for bundles), `safe.directory` (it could only loosen) and `fetch.unpackLimit` (what is fetched stays one pack
// because of `transfer.fsckObjects`). git-lfs is never run: no filter is configured. Nor are loose objects synced to
// the disk, which made a commit of 22 files take 160 ms instead of 45: a mirror is a cache, and an object that a loss
// of power has emptied is found and mended.
export const hardenedConfig: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'safe.bareRepository=explicit',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'transfer.fsckObjects=true',
  // Harmless faults of old tools, in the history of many real repositories. GitLab lets the same three pass.
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'credential.helper=',
  'gc.auto=0',
  // Another process may hold a ref for milliseconds; wait instead of failing after 100 ms.
  'core.filesRefLockTimeout=1000',
]

/** Folders that are searched for git when the options name none. */
export const usualPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** No single allocation of a git process may pass this: a small pack can unpack to a huge object. */
const allocationLimit = '1g'

/** `home` is an empty folder; `protocol` the only transport that may be used, undefined: none. */
export function hardenedEnvironment(
  home: string,
  path: string,
  protocol: Protocol | undefined,
): Record<string, string> {
  return {
    PATH: path,
    HOME: home,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Empty: no program is asked for a password, not even one that a configuration file names.
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: protocol ?? 'none',
    GIT_ALLOC_LIMIT: allocationLimit,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}
