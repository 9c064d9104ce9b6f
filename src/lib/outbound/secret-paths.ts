// Which files of a repository look as if they held secrets, by their names: keys, logins of tools, environments. A model
// reads no such file. Templates of such files (`.env.example`) are meant to be read. Pure.

const template = /[.-](?:example|sample|template|tmpl|dist|defaults?)(?:\.[a-z0-9]+)?$/

const names = new RegExp(
  `^(?:${[
    String.raw`\.env(?:rc|[.-].*)?|.*\.env`,
    String.raw`\.(?:npmrc|yarnrc\.yml|netrc|pypirc|htpasswd|pgpass|my\.cnf|git-credentials|dockercfg|s3cfg|boto|vault-token)|_netrc`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*_(?:rsa|dsa|ecdsa|ed25519)`,
    String.raw`.*\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx|gpg|ovpn|agekey|tfvars|tfvars\.json|tfstate|tfstate\.backup)`,
    // Only files of data: `secrets.ts` is code.
    String.raw`(?:.*[._-])?(?:secret|credential|password)s?(?:\.(?:json|ya?ml|toml|txt|ini|cfg|conf|csv|xml|properties|enc))?`,
    String.raw`(?:.*[._-])?service[._-]?account(?:[._-].*)?\.json|client_secret.*\.json|google-services\.json`,
    String.raw`master\.key|shadow|kubeconfig`,
  ].join('|')})$`,
)

/** Folders in which tools keep logins. */
const folders = /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|docker)\//

/** `path`: of a repository, with slashes. */
export function isSecretPath(path: string): boolean {
  const plain = path.toLowerCase()
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  return folders.test(plain) || (names.test(name) && !template.test(name))
}
