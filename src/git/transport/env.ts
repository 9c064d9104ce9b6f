// The environment and the settings of every git process: the environment is made from nothing, and the settings override
// every configuration file. `hardening.test.ts` shows for each line what happens without it.

export type Protocol = 'https' | 'http' | 'ssh' | 'file'

// Left out because they have no effect on a bare mirror in git 2.39 to 2.50: `transfer.bundleURI` (only `clone` uses
// bundles), `safe.directory` (it could only loosen the rules) and `fetch.unpackLimit` (`transfer.fsckObjects` already
// keeps what is fetched as one pack). git-lfs never runs, because no filter is configured. Loose objects are not synced
// to disk: syncing made a commit of 22 files take 160 ms instead of 45, and an object that a power failure emptied is
// found and fetched again.
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
  // Harmless faults of old tools in the history of many real repositories. GitLab ignores the same three.
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'credential.helper=',
  'gc.auto=0',
  // Another process may hold a ref for some milliseconds; git's own limit is 100 ms.
  'core.filesRefLockTimeout=1000',
]

/** The default folders in which git is looked for. */
export const usualPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'

/** The largest single allocation of a git process: a small pack can unpack to a huge object. */
const allocationLimit = '1g'

/** `home` is an empty folder. `protocol` is the only transport allowed; undefined allows no transport. */
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
    // Empty, so that git asks no program for a password, not even one that a configuration file names.
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: protocol ?? 'none',
    GIT_ALLOC_LIMIT: allocationLimit,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_OPTIONAL_LOCKS: '0',
  }
}
