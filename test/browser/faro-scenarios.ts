// What a page with Faro's client does in one visit, and what the API must report of it.

import type { Page } from '@playwright/test'

declare const faro: import('@grafana/faro-web-sdk').Faro
declare const LogLevel: typeof import('@grafana/faro-web-sdk').LogLevel

interface Wanted {
  [name: string]: unknown
}

interface Scenario {
  name: string
  did(page: Page): Promise<unknown>
  errors?: (Wanted & { errorMessage: string })[]
  customs?: (Wanted & { name: string })[]
  requests?: (readonly [endpoint: string, status: number])[]
  actions?: string[]
  logs?: Wanted[]
}

const within = (work: () => unknown) => (page: Page) => page.evaluate(work)

export const faroScenarios: readonly Scenario[] = [
  {
    name: 'a user action with the request that it causes',
    async did(page) {
      const sent = page.waitForRequest((request) => request.postData()?.includes('faro.user.action') ?? false)
      await page.click('#add')
      await sent
    },
    actions: ['add to basket'],
    requests: [['/api/add', 200]],
  },
  {
    name: 'an error with its cause and context',
    did: within(() =>
      faro.api.pushError(new TypeError('reported by hand', { cause: new Error('the first cause') }), {
        context: { step: 'pay' },
      }),
    ),
    errors: [
      {
        ...{ errorMessage: 'reported by hand', errorType: 'TypeError' },
        attributes: { step: 'pay', cause: 'Error: the first cause', environment: 'live' },
      },
    ],
  },
  {
    name: 'a fatal error',
    did: within(() => faro.api.pushError(new Error('the shop is gone'), { fatal: true })),
    errors: [{ errorMessage: 'the shop is gone' }],
  },
  {
    name: 'errors that are grouped by hand',
    did: within(() => {
      for (const holder of ['Ada', 'Grace']) {
        faro.api.pushError(new Error(`card of ${holder}`), { fingerprint: 'payment declined' })
      }
    }),
    errors: [{ errorMessage: 'card of Ada' }, { errorMessage: 'card of Grace' }],
  },
  {
    name: 'an exception that nothing caught',
    did: (page) => page.click('#throw'),
    errors: [
      {
        ...{ errorMessage: 'basket is empty', errorType: 'RangeError' },
        attributes: { cause: 'Error: no items' },
      },
    ],
  },
  {
    name: 'a rejection that nothing caught',
    did: (page) => page.click('#reject'),
    errors: [
      {
        ...{ errorMessage: 'Non-Error promise rejection captured with value: coupon is wrong' },
      },
    ],
  },
  {
    name: 'an error on the console',
    // biome-ignore lint/suspicious/noConsole: the client listens to it
    did: within(() => console.error(new RangeError('console says no'))),
    errors: [{ errorMessage: 'console says no' }],
  },
  {
    name: 'logs, one of them from the console',
    did: within(() => {
      faro.api.pushLog(['cart is slow'], { level: LogLevel.WARN, context: { items: '3' } })
      faro.api.pushLog(['cart is lost'], { level: LogLevel.ERROR })
      // biome-ignore lint/suspicious/noConsole: the client listens to it
      console.info('cart is open')
    }),
    logs: [
      { body: 'cart is lost', level: 'error' },
      { body: 'cart is open', level: 'info' },
      { body: 'cart is slow', level: 'warn', attributes: { items: '3' } },
    ],
  },
  {
    name: 'measurements of one value and of several',
    did: within(() => {
      faro.api.pushMeasurement({ type: 'basket', values: { total: 12.5 } })
      faro.api.pushMeasurement({ type: 'delivery', values: { days: 3, price: 4 } })
    }),
    customs: [
      { name: 'basket', attributes: { total: '12.5' } },
      { name: 'delivery', attributes: { days: '3', price: '4' } },
    ],
  },
  {
    name: 'an event of the application',
    did: within(() => faro.api.pushEvent('ordered', { plan: 'pro' }, 'shop')),
    customs: [{ name: 'ordered', attributes: { plan: 'pro', 'event.domain': 'shop' } }],
  },
  {
    name: 'a view of the application, which names those after it',
    did: within(() => {
      faro.api.setView({ name: 'checkout' })
      faro.api.pushEvent('paid')
    }),
    customs: [
      { name: 'paid', attributes: { view: 'checkout' } },
      { name: 'view_changed', attributes: { toView: 'checkout' } },
    ],
  },
  {
    name: 'the evaluation of a flag',
    did: within(() =>
      faro.api.pushEvent('feature_flag.evaluation', {
        'feature_flag.key': 'new-cart',
        'feature_flag.result.value': 'true',
      }),
    ),
    customs: [{ name: 'feature_flag.evaluation', flags: ['new-cart=true'] }],
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
]
