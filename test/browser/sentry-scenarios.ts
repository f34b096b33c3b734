// What a page with Sentry's client for browsers does in one visit, and what the API must report of it.

import type { Page } from '@playwright/test'

declare const Sentry: typeof import('@sentry/react')
declare const breakCart: () => void

interface Wanted {
  [name: string]: unknown
}

interface Scenario {
  name: string
  did(page: Page): Promise<unknown>
  errors?: (Wanted & { errorMessage: string })[]
  customs?: Wanted[]
  requests?: (readonly [endpoint: string, status: number])[]
  /** The clicks, which the client reports with the errors after them. */
  actions?: string[]
  logs?: Wanted[]
}

const within = (work: () => unknown) => (page: Page) => page.evaluate(work)

export const browserScenarios: readonly Scenario[] = [
  {
    name: 'a click that is followed by an error later',
    did: (page) => page.click('#add'),
    actions: ['#add'],
  },
  {
    name: 'an error with its cause, tags and extra data',
    did: within(() =>
      Sentry.captureException(new TypeError('reported by hand', { cause: new Error('the first cause') }), {
        tags: { step: 'pay' },
        extra: { items: 3 },
      }),
    ),
    errors: [
      {
        ...{ errorMessage: 'reported by hand', errorType: 'TypeError', flags: ['new-cart=true'] },
        attributes: { plan: 'pro', step: 'pay', 'extra.items': '3', environment: 'live' },
      },
    ],
  },
  {
    name: 'a message that warns',
    did: within(() => Sentry.captureMessage('stock is low', 'warning')),
    errors: [{ errorMessage: 'stock is low', attributes: { level: 'warning' } }],
  },
  {
    name: 'a message that informs',
    did: within(() => Sentry.captureMessage('all is well', 'info')),
    customs: [{ name: 'message', attributes: { message: 'all is well' } }],
  },
  {
    name: 'an event that the application leaves out',
    did: within(() => Sentry.captureMessage('left out', 'error')),
  },
  {
    name: 'errors that are grouped by hand',
    did: within(() => {
      for (const holder of ['Ada', 'Grace']) {
        Sentry.captureException(new Error(`card of ${holder}`), { fingerprint: ['payment', 'declined'] })
      }
    }),
    errors: [{ errorMessage: 'card of Ada' }, { errorMessage: 'card of Grace' }],
  },
  {
    name: 'a text that was thrown',
    did: within(() => Sentry.captureException('only text')),
    errors: [{ errorMessage: 'only text' }],
  },
  {
    name: 'an object that was thrown',
    did: within(() => Sentry.captureException({ code: 7 })),
    errors: [{ errorMessage: 'Object captured as exception with keys: code' }],
  },
  {
    name: 'several errors in one',
    did: within(() =>
      Sentry.captureException(new AggregateError([new Error('one'), new TypeError('two')], 'all failed')),
    ),
    errors: [{ errorMessage: 'all failed', errorType: 'AggregateError' }],
  },
  {
    name: 'tags and level of a scope end with it',
    did: within(() => {
      Sentry.withScope((scope) => {
        scope.setTag('coupon', 'spring').setLevel('fatal')
        Sentry.captureException(new Error('within a scope'))
      })
      Sentry.captureException(new Error('after the scope'))
    }),
    errors: [
      { errorMessage: 'within a scope', attributes: { coupon: 'spring', level: 'fatal', plan: 'pro' } },
      { errorMessage: 'after the scope', attributes: { level: 'error', plan: 'pro' } },
    ],
  },
  {
    name: 'a user who signs out and in again',
    did: within(() => {
      Sentry.setUser(null)
      Sentry.captureException(new Error('of no user'))
      Sentry.setUser({ id: 'user-7' })
    }),
    errors: [{ errorMessage: 'of no user', userKey: '' }],
  },
  {
    name: 'an error of a worker, which the page reports',
    did: within(
      () =>
        new Promise<void>((resolve) => {
          const worker = new Worker(URL.createObjectURL(new Blob(['throw new Error("in a worker")'])))
          worker.onerror = (event) => {
            event.preventDefault()
            Sentry.captureException(event)
            resolve()
          }
        }),
    ),
    errors: [
      { errorMessage: 'Event `ErrorEvent` captured as exception with message `Uncaught Error: in a worker`' },
    ],
  },
  {
    name: 'an error of a frame, which the page reports',
    did: within(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      Object.assign(frame.contentWindow ?? {}, { report: (error: Error) => Sentry.captureException(error) })
      frame.contentWindow?.postMessage('')
      Object(frame.contentWindow).eval('report(new RangeError("in a frame"))')
    }),
    errors: [{ errorMessage: 'in a frame', errorType: 'RangeError' }],
  },
  {
    name: 'requests, one of which fails',
    did: within(async () => {
      await fetch('/api/stock')
      await fetch('/api/fail')
    }),
    requests: [
      ['/api/fail', 503],
      ['/api/stock', 200],
    ],
  },
  {
    name: 'a request of the older kind',
    did: within(
      () =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest()
          request.open('POST', '/api/order')
          request.onloadend = resolve
          request.send('{}')
        }),
    ),
    requests: [['/api/order', 200]],
  },
  {
    name: 'an error on the console',
    // biome-ignore lint/suspicious/noConsole: the client listens to it
    did: within(() => console.error(new RangeError('console says no'))),
    errors: [{ errorMessage: 'console says no', errorType: 'RangeError' }],
  },
  {
    name: 'an exception that nothing caught, with its click',
    did: (page) => page.click('#throw'),
    errors: [{ errorMessage: 'basket is empty', errorType: 'RangeError' }],
    actions: ['#throw'],
  },
  {
    name: 'a rejection that nothing caught',
    did: (page) => page.click('#reject'),
    errors: [{ errorMessage: 'coupon is wrong', errorType: 'SyntaxError' }],
    actions: ['#reject'],
  },
  {
    name: 'an error of a component within a boundary of React',
    did: async (page) => {
      await page.evaluate(() => breakCart())
      await page.getByText('gone').waitFor()
    },
    errors: [{ errorMessage: 'cannot render the cart', errorType: 'TypeError' }],
  },
  {
    name: 'feedback of the user',
    did: within(() => Sentry.captureFeedback({ message: 'the basket is slow' })),
    customs: [{ name: 'feedback', attributes: { message: 'the basket is slow' } }],
  },
  {
    name: 'logs',
    did: within(() => {
      Sentry.logger.warn('cart is slow', { items: 3 })
      Sentry.logger.error('cart is lost')
    }),
    logs: [
      { body: 'cart is lost', level: 'error' },
      { body: 'cart is slow', level: 'warn' },
    ],
  },
  {
    name: 'a span of the application is no event',
    did: within(() => Sentry.startSpan({ name: 'sum up', op: 'task' }, () => undefined)),
  },
]
