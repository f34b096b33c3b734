// Sentry's client for Node, unmodified: what a process captured is stored as telemetry of a server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntakeStage, openIntakeStage } from '../intake/stage.ts'

let stage: IntakeStage
let dsn: string

beforeAll(async () => {
  stage = await openIntakeStage()
  const { items } = (await ask('GET', '/api/v1/projects')).body
  const keys = `/api/v1/projects/${items[0].key}/environments/development/keys`
  const { value } = (await ask('POST', keys, { kind: 'server', label: 'Sentry' })).body
  dsn = stage.telltale.url.replace('//', `//${value.replace('.', '_')}@`).concat('/1')
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: object) =>
  stage.telltale.request(method, path, { as: stage.owner, ...(body && { body }) })

const program = `
  import * as Sentry from '@sentry/node'
  Sentry.init({ dsn: process.env.DSN, release: 'api@2.1', tracesSampleRate: 1, enableLogs: true })
  Sentry.setUser({ id: 'u-42' })
  Sentry.captureException(new RangeError('out of stock', { cause: new Error('no rows') }))
  Sentry.captureMessage('cache is cold', 'warning')
  Sentry.captureMessage('ready', 'info')
  await Sentry.startSpan({ name: 'GET /orders', op: 'http.server' }, () =>
    Sentry.startSpan({ name: 'SELECT orders', op: 'db.query', attributes: { 'db.system.name': 'postgresql' } }, async () => undefined))
  Sentry.logger.warn('cache is slow', { took: 31 })
  setTimeout(() => { Promise.reject(new TypeError('late')) }, 50)
  setTimeout(() => void Sentry.close(5000).then(() => process.exit(0)), 300)
`

test('what a process captures has its user and version, and no browser; its spans are a trace, its logs records', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, DSN: dsn },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const rows = () =>
    stage.read<Record<string, unknown>>(
      `SELECT toString(kind) AS kind, toString(origin) AS origin, toString(source) AS source, user_key, version, bot, browser,
        err_type, err_message, err_handled
      FROM events WHERE source = 'sentry' ORDER BY err_message`,
      {},
    )
  await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBe(4)
  const server = { origin: 'server', user_key: 'u-42', version: 'api@2.1', bot: 0, browser: '' }
  expect(await rows()).toMatchObject([
    { ...server, kind: 'custom' },
    { ...server, kind: 'error', err_message: 'cache is cold', err_handled: 1 },
    { ...server, kind: 'error', err_type: 'TypeError', err_message: 'late', err_handled: 0 },
    { ...server, kind: 'error', err_type: 'RangeError', err_message: 'out of stock', err_handled: 1 },
  ])

  const spans = () =>
    stage.read<Record<string, unknown>>(
      `SELECT toString(name) AS name, toString(service) AS service, version, toString(kind) AS kind, parent_id = '' AS isRoot
      FROM spans ORDER BY name`,
      {},
    )
  await expect.poll(async () => (await spans()).length, { timeout: 20_000 }).toBe(2)
  const ofService = { service: 'api', version: 'api@2.1' }
  expect(await spans()).toMatchObject([
    { ...ofService, name: 'GET /orders', kind: 'server', isRoot: 1 },
    { ...ofService, name: 'SELECT orders', kind: 'client', isRoot: 0 },
  ])
  const logs = await stage.read(
    'SELECT body, toString(level) AS level, toString(service) AS service FROM logs',
    {},
  )
  expect(logs).toEqual([{ body: 'cache is slow', level: 'warn', service: 'api' }])
})
