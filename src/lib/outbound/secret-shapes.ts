// The shapes of tokens and keys that must not be published, with the source of each. Each shape has a unique prefix or form,
// because a shape that often matches ordinary text would block good changes. Placeholders of documentation
// (`ghp_xxxx…`, `AKIAIOSFODNN7EXAMPLE`) have no shape.

import { isKeyText } from '../key-text.ts'
import { type SecretShape, tokenShapes } from './token-shapes.ts'

const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const github = 'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/'
const gitlab = 'https://docs.gitlab.com/security/tokens/#token-prefixes'
const slack = 'https://docs.slack.dev/authentication/tokens'

export const secretShapes: readonly SecretShape[] = [
  {
    name: 'an API key of Docent',
    source: 'src/lib/key-text.ts: the checksum must be right',
    holds: ['docent_'],
    pattern: /\bdocent_[0-9A-Za-z]{46}\b/g,
    isValid: isKeyText,
  },
  {
    name: 'a token of GitHub',
    source: github,
    holds: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /\bgh[pousr]_[0-9A-Za-z]{36,251}\b/g,
  },
  {
    name: 'an installation token of GitHub',
    source: github,
    holds: ['ghs_'],
    pattern: /\bghs_[\w-]{20,400}\.[\w-]{20,1000}\.[\w-]{20,600}/g,
  },
  {
    name: 'a fine-grained token of GitHub',
    source: github,
    holds: ['github_pat_'],
    pattern: /\bgithub_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}\b/g,
  },
  {
    name: 'a token of GitLab',
    source: gitlab,
    holds: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-', 'gloas-', 'glimt-'],
    pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-[\w-]{20,}/g,
  },
  {
    name: 'an access key of AWS',
    source: gitleaks,
    holds: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g,
  },
  {
    name: 'a secret key of AWS',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    holds: ['key', 'KEY', 'Key'],
    pattern: /\baws_secret_access_key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/gi,
  },
  { name: 'an API key of Google', source: gitleaks, holds: ['AIza'], pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { name: 'an OAuth secret of Google', source: gitleaks, holds: ['GOCSPX-'], pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  {
    name: 'a storage key of Azure',
    source: 'https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
    holds: ['AccountKey='],
    pattern: /\bAccountKey=[0-9A-Za-z+/]{86}==/g,
  },
  {
    name: 'a token of Slack',
    source: slack,
    holds: ['xox'],
    pattern: /\bxox[abeoprs]-(?:\d{9,15}-){1,3}[0-9A-Za-z]{16,}/g,
  },
  {
    name: 'an app token of Slack',
    source: slack,
    holds: ['xapp-'],
    pattern: /\bxapp-\d-[0-9A-Z]{8,}-\d{9,}-[0-9a-f]{32,}/g,
  },
  {
    name: 'a webhook of Slack',
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    holds: ['hooks.slack.com'],
    pattern: /\bhooks\.slack\.com\/services\/T[0-9A-Z]{8,}\/B[0-9A-Z]{8,}\/[0-9A-Za-z]{24}\b/g,
  },
  {
    name: 'a webhook of Discord',
    source: gitleaks,
    holds: ['/api/webhooks/'],
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/g,
  },
  {
    name: 'a live key of Stripe',
    source: 'https://docs.stripe.com/keys',
    holds: ['k_live_'],
    pattern: /\b[rs]k_live_[0-9A-Za-z]{24,}\b/g,
  },
  {
    name: 'an API key of OpenAI',
    source: gitleaks,
    holds: ['T3BlbkFJ'],
    pattern: /\bsk-(?:[a-z]{1,12}-)?[\w-]{20,160}T3BlbkFJ[\w-]{20,160}/g,
  },
  {
    name: 'an API key of Anthropic',
    source: gitleaks,
    holds: ['sk-ant-'],
    pattern: /\bsk-ant-(?:api|admin|oat)\d{2}-[\w-]{80,}/g,
  },
  {
    name: 'a token of npm',
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    holds: ['npm_'],
    pattern: /\bnpm_[0-9A-Za-z]{36}\b/g,
  },
  {
    name: 'a token of PyPI',
    source: 'https://pypi.org/help/#apitoken',
    holds: ['pypi-AgE'],
    pattern: /\bpypi-AgE[ImN][\w-]{60,}/g,
  },
  { name: 'a token of RubyGems', source: gitleaks, holds: ['rubygems_'], pattern: /\brubygems_[0-9a-f]{48}\b/g },
  { name: 'a token of Docker Hub', source: gitleaks, holds: ['dckr_'], pattern: /\bdckr_[op]at_[\w-]{27,}/g },
  { name: 'a token of Hugging Face', source: gitleaks, holds: ['hf_'], pattern: /\bhf_[0-9A-Za-z]{34}\b/g },
  { name: 'a token of DigitalOcean', source: gitleaks, holds: ['_v1_'], pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { name: 'an API key of SendGrid', source: gitleaks, holds: ['SG.'], pattern: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { name: 'an API key of Twilio', source: gitleaks, holds: ['SK'], pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: 'an API key of Mailgun', source: gitleaks, holds: ['key-'], pattern: /\bkey-[0-9a-f]{32}\b/g },
  {
    name: 'a token of Shopify',
    source: gitleaks,
    holds: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g,
  },
  { name: 'a token of Atlassian', source: gitleaks, holds: ['ATATT3'], pattern: /\bATATT3[\w=-]{180,}/g },
  { name: 'an API key of Linear', source: gitleaks, holds: ['lin_api_'], pattern: /\blin_api_[0-9A-Za-z]{40}\b/g },
  { name: 'a token of Databricks', source: gitleaks, holds: ['dapi'], pattern: /\bdapi[0-9a-f]{32}\b/g },
  {
    name: 'a token of Grafana',
    source: gitleaks,
    holds: ['glsa_'],
    pattern: /\bglsa_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}\b/g,
  },
  { name: 'a token of Vault', source: gitleaks, holds: ['hvb.', 'hvs.'], pattern: /\bhv[bs]\.[\w-]{90,}/g },
  {
    name: 'a token of Terraform',
    source: gitleaks,
    holds: ['.atlasv1.'],
    pattern: /\b[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,}/g,
  },
  {
    name: 'a token of Supabase',
    source: 'https://supabase.com/docs/reference/api/introduction',
    holds: ['sbp_'],
    pattern: /\bsbp_[0-9a-f]{40}\b/g,
  },
  {
    name: 'a token of a Telegram bot',
    source: 'https://core.telegram.org/bots/features#botfather',
    holds: [':AA'],
    pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  },
  {
    name: 'a private key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    holds: ['PRIVATE KEY'],
    pattern: /-----BEGIN (?:[0-9A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'>|])*[0-9A-Za-z+/]{40,}/g,
    // Has long runs of the same letter: the lengths in it are mostly zero.
    isValid: (text) => new Set(text.slice(-40)).size >= 10,
  },
  ...tokenShapes,
]

export type FoundShape = {
  /** A noun phrase, such as `a token of GitHub`. */
  readonly name: string
  readonly at: number
  readonly text: string
}

/** Finds tokens and keys in a text, in no order. Each takes one place, though several shapes may fit it. */
export function findShapes(text: string): readonly FoundShape[] {
  const found = new Map<number, FoundShape>()
  for (const { name, holds, pattern, isValid = looksRandom } of secretShapes) {
    if (!holds.some((part) => text.includes(part))) continue
    for (const { 0: match, index: at } of text.matchAll(pattern)) {
      if (!found.has(at) && isValid(match)) found.set(at, { name, at, text: match })
    }
  }
  return [...found.values()]
}

const placeholder =
  /example|sample|placeholder|redacted|changeme|change_me|your|dummy|secret_?key|insert|replace|foobar|abcdef|123456|fedcba|654321|(.)\1{5}|(.{2,4})\2{3}/i
/** The part that differs from token to token is at the end, after the last separator or prefix. */
const bodyLength = 36
/** 36 random hexadecimal digits have at least 9 different ones in all but one of a million cases. */
const leastDifferent = 9

/** A real token is random: it has no words of placeholders, no long runs, and many different characters. */
function looksRandom(text: string): boolean {
  if (placeholder.test(text)) return false
  const body = text.slice(-bodyLength)
  return new Set(body).size >= Math.min(leastDifferent, Math.ceil(body.length / 2))
}
