// The shapes of tokens and keys that must not be published, with the source of each. Each shape has a unique prefix or form,
// because a shape that often matches ordinary text would block good changes.

import { isKeyText } from '../../lib/key-text.ts'

export type SecretShape = {
  readonly name: string
  /** The page that describes the form. */
  readonly source: string
  /** Takes linear time, because repetitions that are followed by something are bounded. */
  readonly pattern: RegExp
  /** A check that a pattern cannot express. */
  readonly isValid?: (text: string) => boolean
}

const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const github = 'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/'
const gitlab = 'https://docs.gitlab.com/security/tokens/#token-prefixes'
const slack = 'https://docs.slack.dev/authentication/tokens'

export const secretShapes: readonly SecretShape[] = [
  {
    name: 'an API key of Docent',
    source: 'src/lib/key-text.ts: the checksum must be right',
    pattern: /\bdocent_[0-9A-Za-z]{46}\b/g,
    isValid: isKeyText,
  },
  { name: 'a token of GitHub', source: github, pattern: /\bgh[pousr]_[0-9A-Za-z]{36,251}\b/g },
  {
    name: 'an installation token of GitHub',
    source: github,
    pattern: /\bghs_[\w-]{20,400}\.[\w-]{20,1000}\.[\w-]{20,600}/g,
  },
  {
    name: 'a fine-grained token of GitHub',
    source: github,
    pattern: /\bgithub_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}\b/g,
  },
  { name: 'a token of GitLab', source: gitlab, pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-[\w-]{20,}/g },
  { name: 'an access key of AWS', source: gitleaks, pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/g },
  {
    name: 'a secret key of AWS',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    pattern: /\baws_secret_access_key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/gi,
  },
  { name: 'an API key of Google', source: gitleaks, pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { name: 'an OAuth secret of Google', source: gitleaks, pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  {
    name: 'a storage key of Azure',
    source: 'https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
    pattern: /\bAccountKey=[0-9A-Za-z+/]{86}==/g,
  },
  { name: 'a token of Slack', source: slack, pattern: /\bxox[abeoprs]-(?:\d{9,15}-){1,3}[0-9A-Za-z]{16,}/g },
  { name: 'an app token of Slack', source: slack, pattern: /\bxapp-\d-[0-9A-Z]{8,}-\d{9,}-[0-9a-f]{32,}/g },
  {
    name: 'a webhook of Slack',
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    pattern: /\bhooks\.slack\.com\/services\/T[0-9A-Z]{8,}\/B[0-9A-Z]{8,}\/[0-9A-Za-z]{24}\b/g,
  },
  {
    name: 'a webhook of Discord',
    source: gitleaks,
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/g,
  },
  { name: 'a live key of Stripe', source: 'https://docs.stripe.com/keys', pattern: /\b[rs]k_live_[0-9A-Za-z]{24,}\b/g },
  {
    name: 'an API key of OpenAI',
    source: gitleaks,
    pattern: /\bsk-(?:[a-z]{1,12}-)?[\w-]{20,160}T3BlbkFJ[\w-]{20,160}/g,
  },
  { name: 'an API key of Anthropic', source: gitleaks, pattern: /\bsk-ant-(?:api|admin|oat)\d{2}-[\w-]{80,}/g },
  {
    name: 'a token of npm',
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
    pattern: /\bnpm_[0-9A-Za-z]{36}\b/g,
  },
  {
    name: 'a token of PyPI',
    source: 'https://pypi.org/help/#apitoken',
    pattern: /\bpypi-AgE[ImN][\w-]{60,}/g,
  },
  { name: 'a token of RubyGems', source: gitleaks, pattern: /\brubygems_[0-9a-f]{48}\b/g },
  { name: 'a token of Docker Hub', source: gitleaks, pattern: /\bdckr_[op]at_[\w-]{27,}/g },
  { name: 'a token of Hugging Face', source: gitleaks, pattern: /\bhf_[0-9A-Za-z]{34}\b/g },
  { name: 'a token of DigitalOcean', source: gitleaks, pattern: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { name: 'an API key of SendGrid', source: gitleaks, pattern: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { name: 'an API key of Twilio', source: gitleaks, pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: 'an API key of Mailgun', source: gitleaks, pattern: /\bkey-[0-9a-f]{32}\b/g },
  { name: 'a token of Shopify', source: gitleaks, pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { name: 'a token of Atlassian', source: gitleaks, pattern: /\bATATT3[\w=-]{180,}/g },
  { name: 'an API key of Linear', source: gitleaks, pattern: /\blin_api_[0-9A-Za-z]{40}\b/g },
  { name: 'a token of Databricks', source: gitleaks, pattern: /\bdapi[0-9a-f]{32}\b/g },
  { name: 'a token of Grafana', source: gitleaks, pattern: /\bglsa_[0-9A-Za-z]{32}_[0-9A-Fa-f]{8}\b/g },
  { name: 'a token of Vault', source: gitleaks, pattern: /\bhv[bs]\.[\w-]{90,}/g },
  { name: 'a token of Terraform', source: gitleaks, pattern: /\b[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,}/g },
  {
    name: 'a token of Supabase',
    source: 'https://supabase.com/docs/reference/api/introduction',
    pattern: /\bsbp_[0-9a-f]{40}\b/g,
  },
  {
    name: 'a token of a Telegram bot',
    source: 'https://core.telegram.org/bots/features#botfather',
    pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  },
  {
    name: 'a private key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    pattern: /-----BEGIN (?:[0-9A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s"'>|])*[0-9A-Za-z+/]{40,}/g,
    // Has long runs of the same letter: the lengths in it are mostly zero.
    isValid: (text) => new Set(text.slice(-40)).size >= 10,
  },
]
