// Visitors of a shop, as batches of lines: sessions of a few views, each with the events that a browser records in
// one. Ten flags are evaluated, two of them with a split.

import { randomUUID } from 'node:crypto'
import { v7 as newId } from 'uuid'

export type Line = Record<string, unknown>

export interface TrafficOptions {
  users: number
  /** Milliseconds since 1970 of the next event. */
  clock(): number
  random(): number
}

export const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
]

const pages = ['/', '/bikes', '/bikes/:id', '/cart', '/checkout', '/account', '/search', '/help/:id']
const endpoints = [
  '/api/cart',
  '/api/bikes/:id',
  '/api/search',
  '/api/orders/:id',
  '/api/account',
  '/api/prices',
]
const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']
const targets = [
  'main > img.hero',
  'button.buy',
  'ul.results > li:nth-child(3)',
  '#menu',
  'form input[name=q]',
]
const others = Array.from({ length: 8 }, (_, index) => ({ flag: `flag-${index}`, variation: 'on' }))
/** Events per view: about sixteen. */
const perView: [kind: string, count: number][] = [
  ['view', 1],
  ['vital', 5],
  ['resource', 5.2],
  ['action', 1.6],
  ['long_frame', 0.65],
  ['custom', 0.16],
  ['error', 0.05],
]

/** Endless batches, one view of a user each. */
export function* visit(options: TrafficOptions): Generator<Line[], never> {
  const { users, random } = options
  const pick = pickWith(random)

  for (;;) {
    const user = Math.floor(random() * users)
    const session = { session: newId(), tab: newId(), anonymousId: anonymousIdOf(user) }
    const reads = [
      ...others,
      {
        flag: 'checkout',
        variation: user % 2 ? 'new' : 'old',
        split: '11400714819323198485',
        epoch: 1,
        by: 'targetingKey',
        unit: session.anonymousId,
      },
      {
        flag: 'banner',
        variation: user % 3 ? 'on' : 'off',
        split: '7046029254386353131',
        epoch: 2,
        by: 'targetingKey',
        unit: session.anonymousId,
      },
    ]
    const viewCount = 1 + Math.floor(random() * 6)
    for (let index = 0; index < viewCount; index++) {
      const page = pick(pages)
      const url = `https://shop.example${page.replace(':id', String(Math.floor(random() * 5_000)))}`
      const context = {
        kind: 'context',
        index: 0,
        ...session,
        view: newId(),
        page,
        url,
        service: 'shop',
        version: '1.42.0',
        connection: '4g',
        reads,
      }
      const events = perView.flatMap(([kind, mean]) =>
        Array.from({ length: Math.floor(mean + random()) }, (_, each) => describe(kind, each, random)),
      )
      if (index === 0) events.push(...reads.map(({ flag }) => ({ kind: 'exposure', flag })))
      const state = {
        kind: 'view_state',
        rev: 1,
        startedAt: options.clock(),
        duration: random() * 60_000,
        active: false,
        exit: 'route',
        actions: 2,
        resources: 5,
        errors: 0,
        longFrames: 1,
        frustrations: 0,
      }
      yield [
        context,
        ...[...events, state].map((event) => ({
          id: randomUUID(),
          at: options.clock(),
          context: 0,
          ...event,
        })),
      ]
    }
  }
}

const pickWith =
  (random: () => number) =>
  <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item

function describe(kind: string, each: number, random: () => number): Line {
  const pick = pickWith(random)
  const duration = Math.round(random() * 4_000) / 10
  switch (kind) {
    case 'vital':
      return {
        kind,
        name: vitals[each % 5],
        value: each % 5 === 2 ? random() / 5 : duration * 5,
        target: pick(targets),
      }
    case 'resource':
      return {
        kind,
        type: random() < 0.6 ? 'fetch' : 'script',
        url: `https://shop.example${pick(endpoints).replace(':id', String(Math.floor(random() * 5_000)))}`,
        method: 'GET',
        status: random() < 0.02 ? 500 : 200,
        size: Math.floor(random() * 50_000),
        duration,
        traceId: randomUUID().replaceAll('-', ''),
      }
    case 'action':
      return {
        kind,
        name: pick(['Buy', 'Search', 'Open menu', 'Next']),
        target: pick(targets),
        action: newId(),
      }
    case 'long_frame':
      return {
        kind,
        duration,
        blocking: duration / 2,
        scripts: [{ source: 'https://shop.example/app.js', function: 'render', ms: duration / 2 }],
      }
    case 'custom':
      return { kind, name: 'added to cart', value: 1, attributes: { plan: pick(['free', 'pro']) } }
    case 'error':
      return {
        kind,
        source: 'uncaught',
        type: 'TypeError',
        message: `x${each} is undefined`,
        stack: stackOf(random),
        handled: false,
      }
    default:
      return { kind, name: 'route' }
  }
}

const stackOf = (random: () => number) =>
  [
    'TypeError: x is undefined',
    ...Array.from(
      { length: 8 },
      (_, frame) =>
        `    at step${frame} (https://shop.example/assets/app.js:${Math.floor(random() * 3)}:${frame})`,
    ),
  ].join('\n')

const anonymousIdOf = (user: number) => `0198a2c4-0000-7000-8000-${String(user).padStart(12, '0')}`
