// A page before any user input: the resources it loads, its vitals, and the influence of the flags on both.

import type { ShopScripts } from './scripts.ts'
import type { Place, Tape, Vital } from './tape.ts'
import { limited, troubles } from './troubles.ts'

/** The assets loaded with the shop's first page. */
const assetsOf = ({ script, style }: ShopScripts) =>
  [
    { type: 'script', name: script, size: 85_300 },
    { type: 'css', name: style, size: 2_290 },
    { type: 'img', name: 'api/pictures/hero.svg', size: 6_200 },
  ] as const

export const targets: Record<string, string> = {
  '/': 'main > section.hero > h1',
  '/c/:category': 'main > ul.products > li > a > img',
  '/p/:product': 'main > figure.gallery > img',
  '/search': 'main > ul.products > li > a > img',
  '/cart': 'main > h1',
  '/checkout': 'main > form > h1',
  '/thanks': 'main > h1',
}

/** Opens a page: its requests, vitals and the flags that every page evaluates. */
export function openPage(tape: Tape, place: Place): void {
  tape.open(place)
  if (tape.isLoad()) loadPage(tape, place)
  readHeader(tape)
  if (place.page === '/p/:product') tape.read('new-gallery')
  if (tape.isLoad()) paint(tape, place)
  const { random, person } = tape.options
  if (random.isLikely(0.82)) tape.vital('INP', interaction(tape, place), 'button')
  if (random.isLikely(0.9)) tape.vital('CLS', shift(tape, place), targets[place.page])
  if (random.isLikely(person.slowness > 1.3 ? 0.35 : 0.08)) longFrame(tape)
  troubles.ofEveryPage(tape)
  if (place.page === '/cart') troubles.ofCart(tape)
}

function readHeader(tape: Tape): void {
  tape.wait(30)
  tape.read('theme')
  tape.read('promo-banner')
  tape.read('free-shipping-threshold')
}

function loadPage(tape: Tape, { path }: Place): void {
  const { random, person, shop, scripts } = tape.options
  const document = random.around(190 * person.slowness, 0.4)
  tape.vital('TTFB', document * 0.8)
  tape.report('resource', {
    type: 'document',
    url: shop + path,
    method: 'GET',
    status: 200,
    size: 1_180,
    duration: document,
  })
  for (const { type, name, size } of assetsOf(scripts)) {
    const duration = random.around(140 * person.slowness, 0.5)
    tape.report(
      'resource',
      { type, url: `${shop}/${name}`, status: 200, size, duration },
      document + duration,
    )
  }
}

function paint(tape: Tape, place: Place): void {
  const { random, person } = tape.options
  const first = random.around(1_080 * person.slowness, 0.3)
  tape.vital('FCP', first)
  tape.vital('LCP', first + largest(tape, place), targets[place.page])
  tape.wait(400)
}

/** What the view that is open on the tape measures for its user, without reporting it. */
export function drawVitals(tape: Tape, place: Place): Partial<Record<Vital, number>> {
  const { random, person } = tape.options
  const first = random.around(1_080 * person.slowness, 0.3)
  const ofEveryView = {
    INP: Math.round(interaction(tape, place)),
    CLS: Math.round(shift(tape, place) * 1e4) / 1e4,
  }
  if (!tape.isLoad()) return ofEveryView
  return {
    ...ofEveryView,
    TTFB: Math.round(random.around(190 * person.slowness, 0.4) * 0.8),
    FCP: Math.round(first),
    LCP: Math.round(first + largest(tape, place)),
  }
}

/** The gallery requests its photo list before it shows the first one: slower everywhere, most on phones. */
function largest(tape: Tape, { page }: Place): number {
  const { random, person } = tape.options
  const usual = random.around((page === '/p/:product' ? 760 : 560) * person.slowness, 0.5)
  if (page !== '/p/:product' || tape.read('new-gallery') !== true) return usual
  return usual + random.around((person.traits.device === 'desktop' ? 520 : 980) * person.slowness, 0.35)
}

function interaction(tape: Tape, { page }: Place): number {
  const { random, person } = tape.options
  const usual = random.around(92 * person.slowness, 0.55)
  return page === '/checkout' && tape.read('checkout-v2') === 'one-page' ? usual * 1.35 : usual
}

/** The banner is rendered after the flags arrive and shifts the page if no flags are cached from an earlier visit. */
function shift(tape: Tape, { page }: Place): number {
  const { random } = tape.options
  const usual = random.around(0.018, 1)
  const hasBanner = tape.read('promo-banner') !== ''
  const ofBanner = hasBanner && tape.isLoad() && random.isLikely(0.55) ? random.between(0.03, 0.09) : 0
  return Math.min(0.9, usual + ofBanner + (page === '/p/:product' ? 0.008 : 0))
}

function longFrame(tape: Tape): void {
  const { random, shop, scripts, person } = tape.options
  const duration = random.around(88 * person.slowness, 0.45) + 50
  const blocking = duration - 50
  const script = {
    source: `${shop}/${scripts.script}`,
    function: random.pick(['Bt', 'hydrate', 'j']),
    ms: blocking,
  }
  tape.report('long_frame', { duration, blocking, scripts: [script] }, 600)
}

interface ShopRequest {
  path: string
  method?: 'GET' | 'POST'
  /** Median in milliseconds. */
  duration: number
  size?: number
  action?: string
}

/** A request to the shop's API. Returns whether it succeeded. */
export function ask(
  tape: Tape,
  { path, method = 'GET', duration: median, size = 900, action }: ShopRequest,
): boolean {
  const { random, person, shop } = tape.options
  const trouble = troubles.ofRequest(tape, path)
  const duration = limited(
    random.around(median * (0.6 + 0.4 * person.slowness), 0.4) * (trouble?.slower ?? 1),
  )
  const status = trouble?.status ?? (method === 'POST' ? 201 : 200)
  tape.report(
    'resource',
    {
      type: 'fetch',
      url: `${shop}/api/${path}`,
      method,
      status,
      duration,
      failed: status === 0 || status >= 400,
      size: status === 0 ? 0 : size,
      ...(action !== undefined && { action }),
    },
    duration,
  )
  tape.wait(duration)
  const isAnswered = status !== 0 && status < 400
  if (!isAnswered) troubles.ofAnswer(tape, path, status)
  return isAnswered
}
