import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('options override variables, variables override defaults, and an empty variable is unset', () => {
  const env = { TELLTALE_PORT: '5000', TELLTALE_HOST: '0.0.0.0', TELLTALE_LOG_LEVEL: '' }
  const config = readConfig(['--port', '6000'], env)
  expect(config).toMatchObject({ port: 6000, host: '0.0.0.0', logLevel: 'info', publicUrl: undefined })
})

test('every fault is listed, without secrets', () => {
  const env = {
    TELLTALE_PORT: '70000',
    TELLTALE_PUBLIC_URL: 'https://telltale.example/path',
    TELLTALE_TRUSTED_PROXIES: '10.0.0.0/8, proxy',
    DATABASE_URL: 'mysql://root:sesame@db',
    TELLTALE_METRICS_TOKEN: 'sesame',
  }
  const read = () => readConfig([], env)
  for (const part of [/TELLTALE_PORT/, /PUBLIC_URL/, /"proxy"/, /DATABASE_URL/, /16 characters/])
    expect(read).toThrow(part)
  expect(read).not.toThrow(/sesame/)
})

test('an unknown option is rejected', () => {
  expect(() => readConfig(['--prot', '1'], {})).toThrow(/--prot/)
})
