import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/linear.ts'
import { isSecretPath } from './secret-paths.ts'

const secret = [
  ['.env', 'app/.env.local', '.env.production', 'config/prod.env', '.ENV', '.envrc'],
  ['.npmrc', 'home/.netrc', '.pypirc', '.git-credentials', '.docker/config.json', '.aws/credentials', '.ssh/config'],
  ['id_rsa', 'keys/ID_ED25519', 'deploy_rsa', 'tls/server.key', 'ca.pem', 'a.p12', 'b.pfx', 'release.jks'],
  ['credentials.json', 'aws-credentials', 'secrets.yml', 'config/db.password.txt', 'service-account.json'],
  ['prod.tfvars', 'terraform.tfstate', 'config/master.key', 'my-service-account-key.json'],
].flat()
const plain = [
  ['.env.example', 'app/.env.sample', '.env.local.example', 'credentials.example.json', 'prod.tfvars.dist'],
  ['src/secrets.ts', 'src/secrets/check.ts', 'docs/passwords.md', 'environment.ts', 'keys.ts', 'id_rsa.pub'],
  ['.github/workflows/ci.yml', '.eslintrc.json', 'book/chapter.asc', 'src/env.ts', 'key', 'keyboard.json'],
].flat()

test('a file that looks as if it held secrets is known by its name', () => {
  for (const path of secret) assert.equal(isSecretPath(path), true, path)
  for (const path of plain) assert.equal(isSecretPath(path), false, path)
})

test('names of any length take linear time', () => {
  const path = (size: number) => `${'secret.-_'.repeat(size / 10)}!`
  assertLinear(path, isSecretPath, { size: 4_000, name: 'a long name' })
})
