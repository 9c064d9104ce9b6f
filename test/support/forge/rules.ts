// The rules of a loopback forge on what is pushed, in the form and with the refusals of each forge.

type Kind = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'azure'

export type Rules = {
  /** Extended regular expressions, as the hook's `grep -E` reads them. */
  readonly message?: string
  readonly branch?: string
  readonly isSigned?: boolean
  readonly isSignedOff?: boolean
  /** Gitea: a protection by which nobody may push. */
  readonly closed?: string
  /** Whether the API shows them to a token. Default: yes. */
  readonly isHidden?: boolean
  /** GitHub: the account may pass them. */
  readonly isBypassed?: boolean
}

/** The rules of the hook, as variables of a shell. */
export function hookRules(kind: Kind, { message = '', branch = '', isSigned, isSignedOff, isBypassed }: Rules): string {
  const on = (flag: boolean | undefined) => (flag === true && isBypassed !== true ? 'yes' : '')
  const lines = {
    message_rule: isBypassed ? '' : message,
    branch_rule: isBypassed ? '' : branch,
    signature_rule: on(isSigned),
    sign_off_rule: on(isSignedOff),
    style: kind,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}

/** A part of the hook `update`: `$1` is the ref, `$3` the new commit. */
export const ruleHook = `
say() {
  if [ "$style" = github ]; then
    bullets="$bullets
- $1
  Found 1 violation"
  else
    echo "GitLab: $2" >&2
    exit 1
  fi
}
case "$1" in refs/heads/main) ;; refs/heads/*)
  if [ "$3" != 0000000000000000000000000000000000000000 ]; then
    text=$(git log -1 --format=%B "$3")
    name=\${1#refs/heads/}
    if [ -n "$message_rule" ] && ! echo "$text" | grep -qE "$message_rule"; then
      say "Commit message must match a given regex pattern: $message_rule" "Commit message does not follow the pattern '$message_rule'"
    fi
    if [ -n "$branch_rule" ] && ! echo "$name" | grep -qE "$branch_rule"; then
      say "Branch name must match a given regex pattern: $branch_rule" "Branch name '$name' does not follow the pattern '$branch_rule'"
    fi
    if [ -n "$signature_rule" ]; then
      say "Commits must have verified signatures." "Commit must be signed with a GPG key"
    fi
    if [ -n "$sign_off_rule" ] && ! echo "$text" | grep -q "^Signed-off-by: "; then
      say "DCO: a Signed-off-by line is missing" "Commit message must contain a DCO signature"
    fi
    if [ -n "$bullets" ]; then
      echo "error: GH013: Repository rule violations found for $1." >&2
      echo "Review all repository rules at https://github.test/rules" >&2
      echo "$bullets" >&2
      exit 1
    fi
  fi;;
esac
`

/** The same for a branch that the API of GitHub moves, or undefined if it may. */
export function refusalOverApi(rules: Rules, branch: string, text: string, isSigned: boolean): string | undefined {
  if (rules.isBypassed || branch === 'main') return undefined
  const { message, branch: name } = rules
  const broken = [
    ...(message && !new RegExp(message, 'm').test(text)
      ? [`Commit message must match a given regex pattern: ${message}`]
      : []),
    ...(name && !new RegExp(name).test(branch) ? [`Branch name must match a given regex pattern: ${name}`] : []),
    ...(rules.isSigned && !isSigned ? ['Commits must have verified signatures.'] : []),
  ]
  return broken.length === 0 ? undefined : ['Repository rule violations found', ...broken, ''].join('\n\n')
}

/** As GitHub lists the active rules of a branch. */
export function gitHubRules({ message, branch, isSigned, isHidden }: Rules): readonly object[] {
  if (isHidden) return []
  const source = { ruleset_source_type: 'Repository', ruleset_source: 'acme/docs', ruleset_id: 42 }
  const pattern = (text: string) => ({ operator: 'regex', pattern: text, negate: false, name: '' })
  return [
    ...(message ? [{ type: 'commit_message_pattern', ...source, parameters: pattern(message) }] : []),
    ...(branch ? [{ type: 'branch_name_pattern', ...source, parameters: pattern(branch) }] : []),
    ...(isSigned ? [{ type: 'required_signatures', ...source }] : []),
    { type: 'non_fast_forward', ...source },
  ]
}

export function gitLabRules({ message, branch, isSigned, isSignedOff }: Rules): object {
  return {
    id: 1,
    project_id: 4711,
    created_at: '2026-01-02T03:04:05.000Z',
    commit_message_regex: message ?? null,
    commit_message_negative_regex: null,
    branch_name_regex: branch ?? null,
    deny_delete_tag: false,
    member_check: false,
    prevent_secrets: false,
    author_email_regex: null,
    file_name_regex: null,
    max_file_size: 0,
    commit_committer_check: false,
    commit_committer_name_check: false,
    reject_unsigned_commits: isSigned ?? false,
    reject_non_dco_commits: isSignedOff ?? false,
  }
}

export function giteaRules({ closed, isSigned }: Rules): readonly object[] {
  const name = closed ?? '**'
  if (closed === undefined && !isSigned) return []
  return [
    {
      rule_name: name,
      branch_name: name,
      enable_push: closed === undefined,
      enable_push_whitelist: false,
      push_whitelist_usernames: [],
      push_whitelist_teams: [],
      require_signed_commits: isSigned ?? false,
    },
  ]
}
