// What a process with Sentry's client for Node does, and what the API must report of it.

export interface Scenario {
  name: string
  /** Statements of the process. */
  did: string
  errors?: { errorMessage: string; [name: string]: unknown }[]
  customs?: { name: string; attributes: object }[]
  spans?: { name: string; kind: string; [name: string]: unknown }[]
  /** In the order of their bodies. */
  logs?: { body: string; level: string }[]
  exposures?: { name: string; userKey: string }[]
}

/** Fastify's own, and its route. */
const handlers = (route: string) => Array.from({ length: 2 }, () => ({ name: route, kind: 'internal' }))

export const nodeScenarios: readonly Scenario[] = [
  {
    name: 'an error with its cause',
    did: "Sentry.captureException(new RangeError('out of stock', { cause: new Error('no rows') }))",
    errors: [{ errorMessage: 'out of stock', errorType: 'RangeError' }],
  },
  {
    name: 'a message that warns',
    did: "Sentry.captureMessage('cache is cold', 'warning')",
    errors: [{ errorMessage: 'cache is cold', attributes: { level: 'warning' } }],
  },
  {
    name: 'a message that informs',
    did: "Sentry.captureMessage('ready', 'info')",
    customs: [{ name: 'message', attributes: { message: 'ready' } }],
  },
  {
    name: 'a text that was thrown',
    did: "Sentry.captureException('only text')",
    errors: [{ errorMessage: 'only text', errorType: 'Error' }],
  },
  {
    name: 'an object that was thrown',
    did: 'Sentry.captureException({ code: 7 })',
    errors: [{ errorMessage: 'Object captured as exception with keys: code' }],
  },
  {
    name: 'several errors in one',
    did: "Sentry.captureException(new AggregateError([new Error('one'), new TypeError('two')], 'all failed'))",
    errors: [{ errorMessage: 'all failed', errorType: 'AggregateError' }],
  },
  {
    name: 'the tags, level and user of a scope end with it',
    did: `
      Sentry.withScope((scope) => {
        scope.setTag('step', 'pay').setLevel('fatal').setUser({ id: 'u-scoped' }).setExtra('items', 3)
        Sentry.captureException(new Error('within a scope'))
      })
      Sentry.captureException(new Error('after the scope'))`,
    errors: [
      {
        ...{ errorMessage: 'within a scope', userKey: 'u-scoped' },
        attributes: { step: 'pay', level: 'fatal', 'extra.items': '3', plan: 'pro' },
      },
      { errorMessage: 'after the scope', attributes: { level: 'error', plan: 'pro', environment: 'live' } },
    ],
  },
  {
    name: 'a user who signed out',
    did: `
      Sentry.withIsolationScope(() => {
        Sentry.setUser(null)
        Sentry.captureException(new Error('of no user'))
      })`,
    errors: [{ errorMessage: 'of no user', userKey: '' }],
  },
  {
    name: 'a user without an id',
    did: `
      Sentry.withIsolationScope(() => {
        Sentry.setUser({ username: 'grace' })
        Sentry.captureException(new Error('of a name'))
      })`,
    errors: [{ errorMessage: 'of a name', userKey: 'grace' }],
  },
  {
    name: 'errors that are grouped by hand are one issue',
    did: `
      for (const holder of ['Ada', 'Grace']) {
        Sentry.captureException(new Error('card of ' + holder), { fingerprint: ['card-declined'] })
      }`,
    errors: [{ errorMessage: 'card of Ada' }, { errorMessage: 'card of Grace' }],
  },
  {
    name: 'an event that the application leaves out',
    did: "Sentry.captureException(new Error('left out'))",
  },
  {
    name: 'a query within a request',
    did: `
      await Sentry.startSpan({ name: 'GET /orders', op: 'http.server' }, () =>
        Sentry.startSpan({ name: 'SELECT orders', op: 'db.query', attributes: { 'db.system.name': 'postgresql' } }, async () => undefined))`,
    spans: [
      { name: 'GET /orders', kind: 'server', isRoot: 1 },
      { name: 'SELECT orders', kind: 'client', isRoot: 0 },
    ],
  },
  {
    name: 'a span that fails',
    did: "await Sentry.startSpan({ name: 'nightly job' }, async () => { throw new Error('caught outside') }).catch(() => undefined)",
    spans: [{ name: 'nightly job', kind: 'internal', status: 'error', isRoot: 1 }],
  },
  {
    name: 'a message that is put into a queue and taken out of it',
    did: `
      await Sentry.startSpan({ name: 'publish order', op: 'queue.publish' }, async () => undefined)
      await Sentry.startSpan({ name: 'process order', op: 'queue.process' }, async () => undefined)`,
    spans: [
      { name: 'publish order', kind: 'producer' },
      { name: 'process order', kind: 'consumer' },
    ],
  },
  {
    name: 'a trace that is not sampled',
    did: "await Sentry.startSpan({ name: 'health check' }, async () => undefined)",
  },
  {
    name: 'a request between two services, answered by a route of Fastify',
    did: 'await (await fetch(url + "/orders/7")).text()',
    spans: [
      { name: 'GET 127.0.0.1', kind: 'client', httpStatus: 200, isRoot: 1 },
      { name: 'GET /orders/:id', kind: 'server', httpStatus: 200, isRoot: 0, route: '/orders/:id' },
      ...handlers('/orders/:id'),
    ],
  },
  {
    name: 'a request that fails, with its error',
    did: 'await (await fetch(url + "/broken")).text()',
    errors: [{ errorMessage: 'in a request', attributes: { transaction: 'GET /broken' } }],
    spans: [
      { name: 'GET 127.0.0.1', kind: 'client', httpStatus: 500, status: 'error' },
      { name: 'GET /broken', kind: 'server', httpStatus: 500, status: 'error' },
      ...handlers('/broken'),
    ],
  },
  {
    name: 'a flag that is evaluated while a span runs, and an error after it',
    did: `
      Sentry.startSpan({ name: 'search' }, () => {
        flags.addFeatureFlag('fast-search', true)
        Sentry.captureException(new Error('after a flag'))
      })`,
    errors: [{ errorMessage: 'after a flag', flags: ['fast-search=on'] }],
    spans: [{ name: 'search', kind: 'internal' }],
    exposures: [{ name: 'fast-search', userKey: 'u-42' }],
  },
  {
    name: 'logs',
    did: `
      Sentry.logger.warn('cache is slow', { took: 31 })
      Sentry.logger.error('disk is full')
      Sentry.logger.fmt && Sentry.logger.info(Sentry.logger.fmt\`order \${7} is paid\`)`,
    logs: [
      { body: 'cache is slow', level: 'warn' },
      { body: 'disk is full', level: 'error' },
      { body: 'order 7 is paid', level: 'info' },
    ],
  },
  {
    name: 'a check-in and a metric have no counterpart',
    did: `
      Sentry.captureCheckIn({ monitorSlug: 'nightly', status: 'ok' })
      Sentry.metrics.count('jobs', 1)`,
  },
  {
    name: 'a rejection without a handler',
    did: "Promise.reject(new TypeError('late')); await new Promise((resolve) => setTimeout(resolve, 50))",
    errors: [{ errorMessage: 'late', errorType: 'TypeError' }],
  },
  {
    name: 'an exception that nothing caught ends the process',
    did: "setTimeout(() => { throw new URIError('nothing caught me') }); await new Promise(() => undefined)",
    errors: [{ errorMessage: 'nothing caught me', errorType: 'URIError', attributes: { level: 'fatal' } }],
  },
]

export const program = `
  import * as Sentry from '@sentry/node'
  Sentry.init({
    dsn: process.env.DSN, release: 'api@2.1', environment: 'live', enableLogs: true,
    // Its usual two seconds to send what is left are not enough on a busy machine.
    shutdownTimeout: 60_000,
    integrations: [Sentry.featureFlagsIntegration()],
    tracesSampler: ({ name, inheritOrSampleWith }) => (name === 'health check' ? 0 : inheritOrSampleWith(1)),
    beforeSend: (event) => (event.exception?.values?.[0]?.value === 'left out' ? null : event),
  })
  Sentry.setUser({ id: 'u-42' })
  Sentry.setTag('plan', 'pro')
  const flags = Sentry.getClient().getIntegrationByName('FeatureFlags')
  const { default: fastify } = await import('fastify')
  const app = fastify()
  app.get('/orders/:id', async () => 'an order')
  app.get('/broken', async () => { throw new Error('in a request') })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  ${nodeScenarios.map(({ did }) => `{ ${did} }`).join('\n')}
`
