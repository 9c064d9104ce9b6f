// The shapes of tokens of services whose prefix alone says what they are, and of passwords and signed tokens.

export type SecretShape = {
  readonly name: string
  /** The page that describes the form. */
  readonly source: string
  /** Each match holds one of these. A text without them is not searched: that takes a tenth of the time. */
  readonly holds: readonly string[]
  /** Takes linear time, because repetitions that are followed by something are bounded. */
  readonly pattern: RegExp
  /** A check that a pattern cannot express. */
  readonly isValid?: (text: string) => boolean
}

const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const trufflehog = 'https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors'

export const tokenShapes: readonly SecretShape[] = [
  shape('a client secret of Azure', gitleaks, ['Q~'], /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g),
  shape('an access token of Google', trufflehog, ['ya29.'], /\bya29\.[\w-]{40,2000}/g),
  shape('a refresh token of Google', trufflehog, ['1//0'], /(?<![\w/])1\/\/0[\w-]{40,200}/g),
  shape(
    'a token of a Discord bot',
    gitleaks,
    ['.'],
    /(?<![\w.-])[A-Z](?=[^.]*\d)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])/g,
  ),
  shape('a token of Notion', gitleaks, ['ntn_', 'secret_'], /\b(?:ntn_[0-9A-Za-z]{40,50}|secret_[0-9A-Za-z]{43})\b/g),
  shape('a token of Figma', trufflehog, ['figd_'], /\bfigd_[\w-]{38,60}/g),
  shape('an API key of Postman', gitleaks, ['PMAK-'], /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/g),
  shape('a token of Square', gitleaks, ['EAAA', 'sq0'], /\b(?:EAAA[\w-]{60}|sq0(?:atp|csp)-[\w-]{22,43})(?![\w-])/g),
  shape('a token of Sentry', gitleaks, ['sntry'], /\bsntry(?:u_[0-9a-f]{64}\b|s_[\w+/=-]{80,400})/g),
  shape('a token of Netlify', trufflehog, ['nfp_'], /\bnfp_[0-9A-Za-z]{36,40}\b/g),
  shape('a token of Fly', gitleaks, ['FlyV1 '], /\bFlyV1 f[mo]\d[ar]?_[\w+/=,-]{80,2000}/g),
  shape('a token of Vercel', trufflehog, ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], /\bvc[piark]_[0-9A-Za-z]{50,64}\b/g),
  shape('a token of PlanetScale', gitleaks, ['pscale_'], /\bpscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/g),
  shape('an API key of Groq', trufflehog, ['gsk_'], /\bgsk_[0-9A-Za-z]{52}\b/g),
  shape('an API key of xAI', trufflehog, ['xai-'], /\bxai-[0-9A-Za-z_]{70,90}\b/g),
  shape('an API key of Perplexity', gitleaks, ['pplx-'], /\bpplx-[0-9A-Za-z]{48}\b/g),
  shape('a token of Replicate', trufflehog, ['r8_'], /\br8_[0-9A-Za-z_-]{37}(?![\w-])/g),
  shape('an API key of OpenRouter', trufflehog, ['sk-or-v1-'], /\bsk-or-v1-[0-9a-f]{64}\b/g),
  shape('an API key of New Relic', gitleaks, ['NRAK-'], /\bNRAK-[0-9A-Z]{27}\b/g),
  shape('an app password of Bitbucket', trufflehog, ['ATBB'], /\bATBB[0-9A-Za-z]{32}\b/g),
  shape(
    'a token of Doppler',
    gitleaks,
    ['dp.'],
    /\bdp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{1,40})?)\.[0-9A-Za-z]{40,44}\b/g,
  ),
  shape('an API key of Heroku', gitleaks, ['HRKU-'], /\bHRKU-AA[\w-]{58}(?![\w-])/g),
  shape('a secret key of age', gitleaks, ['AGE-SECRET-KEY-1'], /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b/g),
  shape('a secret of a webhook', trufflehog, ['whsec_'], /\bwhsec_[0-9A-Za-z+/]{32,88}={0,2}/g),
  shape(
    'a key of a Google service account',
    gitleaks,
    ['private_key_id'],
    /"private_key_id"\s{0,8}:\s{0,8}"[0-9a-f]{40}"/g,
  ),
  {
    name: 'a signed token (JWT)',
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
    holds: ['eyJ'],
    pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{40,1000}/g,
    isValid: isOwnToken,
  },
  {
    name: 'a password in an address',
    source: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
    holds: ['://'],
    pattern: /\b[a-z][a-z+]{1,15}:\/\/[^\s:/@"'<>]{0,100}:[^\s:/@"'<>{}$]{12,200}@[\w.-]{3,200}/g,
    isValid: hasPassword,
  },
]

/** A shape without a check of its own: its matches must look random. */
export function shape(name: string, source: string, holds: readonly string[], pattern: RegExp): SecretShape {
  return { name, source, holds, pattern }
}

const sample = /John Doe|1234567890|example|sample|test|demo|acme|foo|user|admin/i

/** Tokens of documentation say so in what they hold, and some have no random signature. */
function isOwnToken(text: string): boolean {
  const [, payload = '', signature = ''] = text.split('.')
  return !sample.test(Buffer.from(payload, 'base64url').toString()) && new Set(signature).size >= 15
}

const placeholder = /example|localhost|127\.0\.0\.1|password|passwd|secret|your|change|placeholder|token|xxx|(.)\1{4}/i

/** Random: letters in both cases and digits. */
function hasPassword(text: string): boolean {
  const password = /:([^:@]+)@[^@]*$/.exec(text)?.[1] ?? ''
  return !placeholder.test(text) && [/[a-z]/, /[A-Z]/, /\d/].every((one) => one.test(password))
}
