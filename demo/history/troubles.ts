// What goes wrong at Pedal & Post. Three stories are worth finding: one-page checkout uses what Safari does not have, hybrid
// search answers some questions in another shape, and one afternoon the orders failed.

import type { EventOf } from '@telltale/core/contract/events'
import type { Engine } from './people.ts'
import type { Tape } from './tape.ts'

const checkout = 'assets/checkout-DkP3vq9s.js'
const search = 'assets/search-Bx81mE4t.js'
const main = 'assets/shop-B7c1f0aZ.js'

type Frame = readonly [name: string, file: string, column: number]

/** As each engine writes a stack; minified, the whole file is one line. */
function stackOf(
  shop: string,
  engine: Engine,
  { head, frames }: { head: string; frames: readonly Frame[] },
): string {
  const place = (file: string, column: number) => `${shop}/${file}:1:${column}`
  if (engine !== 'chromium') {
    return frames.map(([name, file, column]) => `${name}@${place(file, column)}`).join('\n')
  }
  const lines = frames.map(([name, file, column]) => `    at ${name} (${place(file, column)})`)
  return [head, ...lines].join('\n')
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
  const { shop, person } = tape.options
  const { type, message, frames, source = 'uncaught', handled = false, componentStack, action } = thrown
  const stack = stackOf(shop, person.engine, { head: `${type}: ${message}`, frames })
  tape.tell(
    'error',
    {
      ...{ source, type, message, stack, handled },
      ...(componentStack && { componentStack }),
      ...(action && { action }),
    },
    120,
  )
}

/** A request ends, or is given up. */
export const limited = (duration: number) => Math.round(Math.min(duration, 15_000) * 10) / 10

export const troubles = {
  ofEveryPage(tape: Tape): void {
    const { random, person } = tape.options
    if (random.isLikely(0.0014)) {
      const message = 'ResizeObserver loop completed with undelivered notifications.'
      fail(tape, { type: 'Error', message, frames: [] })
    }
    if (random.isLikely(0.0035)) {
      const messages = {
        chromium: 'Failed to fetch',
        firefox: 'NetworkError when attempting to fetch resource.',
        safari: 'Load failed',
      }
      const frames: Frame[] = [
        ['ut', main, 20_913],
        ['async Wr', main, 21_377],
      ]
      fail(tape, { type: 'TypeError', message: messages[person.engine], frames, source: 'rejection' })
    }
  },

  /** Whether checkout can be used. */
  ofCheckout(tape: Tape, action: string): boolean {
    const { random, person } = tape.options
    if (tape.read('checkout-v2') !== 'one-page' || person.engine !== 'safari' || random.isLikely(0.12))
      return true
    const frames: Frame[] = [
      ['q', checkout, 4_182],
      ['He', checkout, 5_530],
      ['Ui', main, 31_204],
    ]
    fail(tape, { type: 'ReferenceError', message: "Can't find variable: scheduler", frames, action })
    return false
  },

  ofSearch(tape: Tape, words: number): boolean {
    const { random, person } = tape.options
    if (tape.read('hybrid-search') !== true || words < 3 || random.isLikely(0.1)) return true
    const message =
      person.engine === 'safari'
        ? "r.map is not a function. (In 'r.map(P)', 'r.map' is undefined)"
        : 'r.map is not a function'
    fail(tape, {
      type: 'TypeError',
      message,
      frames: [
        ['k', search, 1_077],
        ['async N', search, 1_420],
      ],
      source: 'rejection',
    })
    return false
  },

  ofGallery(tape: Tape): void {
    const { random, person } = tape.options
    if (tape.read('new-gallery') !== true || person.traits.device === 'desktop' || !random.isLikely(0.03))
      return
    fail(tape, {
      type: 'RangeError',
      message: 'Invalid time value',
      frames: [
        ['Lt', main, 44_871],
        ['Gallery', main, 45_260],
        ['Ui', main, 31_204],
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
    return random.isLikely(0.002) ? { status: 500, slower: 1 } : undefined
  },
}
