// The shapes of tokens and keys that must not be published, with the source of each. Each shape has a unique prefix or form,
// because a shape that often matches ordinary text would block good changes. Placeholders of documentation
// (`ghp_xxxx…`, `AKIAIOSFODNN7EXAMPLE`) have no shape.

import { isKeyText } from '../key-text.ts'
import { type SecretShape, shape, tokenShapes } from './token-shapes.ts'

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
  shape('a token of GitHub', github, ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[0-9A-Za-z]{36,251}\b/g),
  shape('an installation token of GitHub', github, ['ghs_'], /\bghs_[\w-]{20,400}\.[\w-]{20,1000}\.[\w-]{20,600}/g),
  shape('a fine-grained token of GitHub', github, ['github_pat_'], /\bgithub_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}\b/g),
  shape(
    'a token of GitLab',
    gitlab,
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-', 'gloas-', 'glimt-'],
    /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-[\w-]{20,}/g,
  ),
  shape('an access key of AWS', gitleaks, ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g),
  shape(
    'a secret key of AWS',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    ['key', 'KEY', 'Key'],
    /\baws_secret_access_key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/gi,
  ),
  shape('an API key of Google', gitleaks, ['AIza'], /\bAIza[\w-]{35}(?![\w-])/g),
  shape('an OAuth secret of Google', gitleaks, ['GOCSPX-'], /\bGOCSPX-[\w-]{28}(?![\w-])/g),
  shape(
    'a storage key of Azure',
    'https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
    ['AccountKey='],
    /\bAccountKey=[0-9A-Za-z+/]{86}==/g,
  ),
  shape('a token of Slack', slack, ['xox'], /\bxox[abeoprs]-(?:\d{9,15}-){1,3}[0-9A-Za-z]{16,}/g),
  shape('an app token of Slack', slack, ['xapp-'], /\bxapp-\d-[0-9A-Z]{8,}-\d{9,}-[0-9a-f]{32,}/g),
  shape(
    'a webhook of Slack',
    'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    ['hooks.slack.com'],
    /\bhooks\.slack\.com\/services\/T[0-9A-Z]{8,}\/B[0-9A-Z]{8,}\/[0-9A-Za-z]{24}\b/g,
  ),
  shape(
    'a webhook of Discord',
    gitleaks,
    ['/api/webhooks/'],
    /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/g,
  ),
  shape('a live key of Stripe', 'https://docs.stripe.com/keys', ['k_live_'], /\b[rs]k_live_[0-9A-Za-z]{24,}\b/g),
  shape('an API key of OpenAI', gitleaks, ['T3BlbkFJ'], /\bsk-(?:[a-z]{1,12}-)?[\w-]{20,160}T3BlbkFJ[\w-]{20,160}/g),
  shape('an API key of Anthropic', gitleaks, ['sk-ant-'], /\bsk-ant-(?:api|admin|oat)\d{2}-[\w-]{80,}/g),
  shape(
    'a token of npm',
    'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    ['npm_'],
    /\bnpm_[0-9A-Za-z]{36}\b/g,
  ),
  shape('a token of PyPI', 'https://pypi.org/help/#apitoken', ['pypi-AgE'], /\bpypi-AgE[ImN][\w-]{60,}/g),
  shape('a token of RubyGems', gitleaks, ['rubygems_'], /\brubygems_[0-9a-f]{48}\b/g),
  shape('a token of Docker Hub', gitleaks, ['dckr_'], /\bdckr_[op]at_[\w-]{27,}/g),
  shape('a token of Hugging Face', gitleaks, ['hf_'], /\bhf_[0-9A-Za-z]{34}\b/g),
  shape('a token of DigitalOcean', gitleaks, ['_v1_'], /\bdo[opr]_v1_[0-9a-f]{64}\b/g),
  shape('an API key of SendGrid', gitleaks, ['SG.'], /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g),
  shape('an API key of Twilio', gitleaks, ['SK'], /\bSK[0-9a-f]{32}\b/g),
  shape('an API key of Mailgun', gitleaks, ['key-'], /\bkey-[0-9a-f]{32}\b/g),
  shape(
    'a token of Shopify',
    gitleaks,
    ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g,
  ),
  shape('a token of Atlassian', gitleaks, ['ATATT3'], /\bATATT3[\w=-]{180,}/g),
  shape('an API key of Linear', gitleaks, ['lin_api_'], /\blin_api_[0-9A-Za-z]{40}\b/g),
  shape('a token of Databricks', gitleaks, ['dapi'], /\bdapi[0-9a-f]{32}\b/g),
  shape('a token of Grafana', gitleaks, ['glsa_'], /\bglsa_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}\b/g),
  shape('a token of Vault', gitleaks, ['hvb.', 'hvs.'], /\bhv[bs]\.[\w-]{90,}/g),
  shape('a token of Terraform', gitleaks, ['.atlasv1.'], /\b[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,}/g),
  shape(
    'a token of Supabase',
    'https://supabase.com/docs/reference/api/introduction',
    ['sbp_'],
    /\bsbp_[0-9a-f]{40}\b/g,
  ),
  shape(
    'a token of a Telegram bot',
    'https://core.telegram.org/bots/features#botfather',
    [':AA'],
    /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  ),
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
