// The errors of Pedal & Post, at positions that exist in its code. Some are meant to be found: one-page checkout uses
// an API that Safari lacks, hybrid search returns another shape for some queries, the new gallery formats photo dates
// of a product without photos, and orders failed for one afternoon.

import type { EventOf } from '@telltale/core/contract/events'
import { type Product, withoutPictures } from '../api/catalogue.ts'
import type { Person } from './people.ts'
import type { Tape, TapeOptions } from './tape.ts'
import { versions } from './versions.ts'

/** The function's name in the bundle, its source, and the code at that position. */
export type Frame = readonly [name: string, source: string, code: string]

const [checkoutPage, searchPage, cart, gallery, quickView, api] = [
  'pages/checkout-page.tsx',
  'pages/search-page.tsx',
  'shop/cart.ts',
  'parts/gallery.tsx',
  'parts/quick-view.tsx',
  'shop/api.ts',
] as const
const react = 'react-dom-client.production.js'
const handlers: readonly Frame[] = [
  ['Ui', react, 'listener(event)'],
  ['HTMLDivElement.Wi', react, 'dispatchEvent('],
]

/** The caller of the request: either with `await` or with a callback. */
function callerOf(path: string): { frame: Frame; isAwaiting: boolean } {
  const awaiting = (frame: Frame) => ({ frame, isAwaiting: true })
  if (path === 'orders') return awaiting(['f', checkoutPage, "await ask('orders'"])
  if (path.startsWith('search')) return awaiting(['ge', searchPage, 'await ask<Found>('])
  if (path === 'quote') return { frame: ['', checkoutPage, "ask('quote', {})"], isAwaiting: false }
  return { frame: ['', api, 'ask<Answer>(path).then('], isAwaiting: false }
}

/** In the stack format of each engine. */
export function stackOf(
  { shop, scripts, person }: Pick<TapeOptions, 'shop' | 'scripts' | 'person'>,
  head: string,
  frames: readonly Frame[],
): string {
  const lines = frames.flatMap(([name, source, code]) => {
    const place = scripts.locationOf(source, code)
    if (place === undefined) return []
    const at = `${shop}/${place.file}:${place.line}:${place.column}`
    if (person.engine === 'chromium') return name === '' ? `    at ${at}` : `    at ${name} (${at})`
    const plain = name.replace('async ', person.engine === 'firefox' ? 'async*' : '')
    return `${plain.replace('HTMLDivElement.', '')}@${at}`
  })
  return person.engine === 'chromium' ? [head, ...lines].join('\n') : lines.join('\n')
}

type Spelling = Readonly<Record<Person['engine'], string>>

/** One error, as the engines spell it. */
const spellings = {
  unreachable: {
    chromium: 'Failed to fetch',
    firefox: 'NetworkError when attempting to fetch resource.',
    safari: 'Load failed',
  },
  cart: {
    chromium: "Cannot read properties of undefined (reading 'price')",
    firefox: 'can\'t access property "price", e is undefined',
    safari: "undefined is not an object (evaluating 'e.price')",
  },
  scheduler: {
    chromium: 'scheduler is not defined',
    firefox: 'scheduler is not defined',
    safari: "Can't find variable: scheduler",
  },
  ranks: {
    chromium: 'r.map is not a function',
    firefox: 'r.map is not a function',
    safari: "r.map is not a function. (In 'r.map(P)', 'r.map' is undefined)",
  },
  unit: {
    chromium: "Invalid unit argument for Intl.NumberFormat() 'wheel'",
    firefox: 'invalid value "wheel" for option unit',
    safari: 'unit is not a well-formed unit identifier',
  },
  date: {
    chromium: 'Invalid time value',
    firefox: 'date value is not finite in DateTimeFormat.format()',
    safari: 'date value is not finite in DateTimeFormat.format()',
  },
} as const satisfies Record<string, Spelling>

export const isWithWheels = (message: string) => message === spellings.unit.chromium

export const isWithoutScheduler = (message: string) => message === spellings.scheduler.chromium

/** A message of Chromium, as the user's browser spells it. */
export function respell(message: string, engine: Person['engine']): string {
  return Object.values<Spelling>(spellings).find(({ chromium }) => chromium === message)?.[engine] ?? message
}

interface Thrown {
  type: string
  message: string
  frames: readonly Frame[]
  source?: EventOf<'error'>['source']
  handled?: boolean
  componentStack?: string
  action?: string | undefined
}

function fail(tape: Tape, thrown: Thrown): void {
  const { type, message, frames, source = 'uncaught', handled = false, componentStack, action } = thrown
  const stack = stackOf(tape.options, `${type}: ${message}`, frames)
  tape.report(
    'error',
    {
      source,
      type,
      message,
      stack,
      handled,
      ...(componentStack && { componentStack }),
      ...(action && { action }),
    },
    120,
  )
}

/** A request either completes or times out. */
export const limited = (duration: number) => Math.round(Math.min(duration, 15_000) * 10) / 10

export const troubles = {
  ofEveryPage(tape: Tape): void {
    const { random } = tape.options
    if (random.isLikely(0.0014)) {
      const message = 'ResizeObserver loop completed with undelivered notifications.'
      fail(tape, { type: 'Error', message, frames: [] })
    }
  },

  /** The pages report a failed request. */
  ofAnswer(tape: Tape, path: string, status: number): void {
    const { frame, isAwaiting } = callerOf(path)
    const reported = { source: 'reported', handled: true } as const
    if (status !== 0) {
      const [name, source, code] = frame
      const caller: Frame = [`async ${name}`, source, code]
      const frames: Frame[] = [
        ['$', api, 'throw new Error(`The shop does not answer'],
        ...(isAwaiting ? [caller] : []),
      ]
      fail(tape, { ...reported, type: 'Error', message: `The shop does not answer (${status}).`, frames })
      return
    }
    const message = spellings.unreachable[tape.options.person.engine]
    fail(tape, {
      ...reported,
      type: 'TypeError',
      message,
      frames: [['$', api, 'await fetch(base + path'], frame],
    })
  },

  /** Fixed in 3.9.0. */
  ofCart(tape: Tape): void {
    const { random, person, version } = tape.options
    if (version !== versions.old || !random.isLikely(0.06)) return
    fail(tape, {
      type: 'TypeError',
      message: spellings.cart[person.engine],
      frames: [['te', cart, 'products.reduce((sum']],
      source: 'react',
      handled: true,
      componentStack: '\n    at CartPage\n    at main\n    at App',
    })
  },

  /** Returns whether checkout works. */
  ofCheckout(tape: Tape, action: string): boolean {
    const { random, person } = tape.options
    if (tape.read('checkout-v2') !== 'one-page' || person.engine !== 'safari' || random.isLikely(0.12))
      return true
    const frames: Frame[] = [['u', checkoutPage, 'scheduler.postTask(pay)'], ...handlers]
    fail(tape, { type: 'ReferenceError', message: spellings.scheduler.safari, frames, action })
    return false
  },

  ofSearch(tape: Tape, words: number): boolean {
    const { random, person } = tape.options
    if (tape.read('hybrid-search') !== true || words < 3 || random.isLikely(0.1)) return true
    const message = spellings.ranks[person.engine]
    fail(tape, {
      type: 'TypeError',
      message,
      frames: [['ge', searchPage, 'ranks.map((']],
      source: 'rejection',
    })
    return false
  },

  ofQuickView(tape: Tape, category: Product['category']): void {
    const { quickViewBroken: broken } = tape.options
    const isFixed = broken === undefined || tape.now() >= broken.until
    if (tape.read('quick-view') !== true || isFixed || (category !== 'gravel' && category !== 'cargo')) return
    fail(tape, {
      type: 'RangeError',
      message: spellings.unit[tape.options.person.engine],
      frames: [
        ['qe', quickView, "new Intl.NumberFormat('en'"],
        ['ze', quickView, 'countOf(own.length'],
      ],
      source: 'react',
      handled: true,
      componentStack: '\n    at QuickView\n    at ErrorBoundary\n    at CategoryPage\n    at App',
    })
  },

  ofGallery(tape: Tape, product: Product): void {
    if (tape.read('new-gallery') !== true || product.id !== withoutPictures) return
    fail(tape, {
      type: 'RangeError',
      message: spellings.date[tape.options.person.engine],
      frames: [
        ['fe', gallery, 'month.format(new Date(at))'],
        ['pe', gallery, 'takenIn(takenAt)'],
      ],
      source: 'react',
      handled: true,
      componentStack: '\n    at Gallery\n    at ErrorBoundary\n    at ProductPage\n    at App',
    })
  },

  ofRequest({ options, now }: Tape, path: string): { status: number; slower: number } | undefined {
    const { random, outage } = options
    const isOut = outage !== undefined && now() >= outage.from && now() < outage.until
    if (path === 'orders' && isOut && random.isLikely(0.4)) return { status: 503, slower: 6 }
    if (path === 'quote' && random.isLikely(0.018)) return { status: 502, slower: 4 }
    if (random.isLikely(0.0025)) return { status: 0, slower: 3 }
    return random.isLikely(0.004) ? { status: 500, slower: 1 } : undefined
  },
}
