import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretTextsOf } from './secret-texts.ts'

test('keys, values of headers and passwords of addresses are found, and nothing else', () => {
  const found = secretTextsOf({
    DOCENT_SECRET_KEY: 'one, two',
    DOCENT_OPENAI_API_KEY: 'three',
    DOCENT_OPENAI_BASE_URL: 'https://u:four@example.com/v1',
    DATABASE_URL: 'postgres://u:fi%2Fve@host/db?password=six',
    CLICKHOUSE_URL: 'https://u:%zz@host',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20seven,x-key=eight',
    DOCENT_HOST: '127.0.0.1',
    OTHER_API_KEY: 'not ours',
    DOCENT_MODEL: undefined,
  })
  assert.deepEqual(found, ['one', 'two', 'three', 'four', 'fi/ve', 'six', '%zz', 'seven', 'eight'])
})
