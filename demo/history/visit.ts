// One visit to the shop from landing to exit: the actions depend on the user and on the served variations.

import { categories, type Product, products } from '../api/catalogue.ts'
import { ask, openPage } from './pages.ts'
import { startTape, type Tape, type TapeEvent, type TapeOptions } from './tape.ts'
import { troubles } from './troubles.ts'

type Step = 'home' | 'category' | 'search' | 'product' | 'cart' | 'checkout' | 'leave'

const second = 1_000
const longest = 14
const entries: readonly (readonly [Step, number])[] = [
  ['home', 44],
  ['category', 20],
  ['product', 30],
  ['search', 6],
]
const next: Record<'home' | 'category' | 'search' | 'product', readonly (readonly [Step, number])[]> = {
  home: [
    ['category', 46],
    ['search', 14],
    ['product', 22],
    ['leave', 18],
  ],
  category: [
    ['product', 62],
    ['category', 12],
    ['search', 6],
    ['leave', 20],
  ],
  search: [
    ['product', 60],
    ['search', 12],
    ['leave', 28],
  ],
  product: [
    ['cart', 27],
    ['product', 24],
    ['category', 19],
    ['leave', 30],
  ],
}
const questions = [
  'tyre',
  'helmet',
  'cargo bike',
  'pannier',
  'bike for two children',
  'gravel bike with belt',
  'bell',
  'light city bike',
]

export function generateVisit(options: TapeOptions): TapeEvent[] {
  const tape = startTape(options)
  const { random } = options
  let step: Step = random.weighted(entries)
  for (let count = 0; step !== 'leave' && count < longest; count++) {
    const [after, reading] = take(tape, step)
    tape.wait(random.around(reading * second, 0.7))
    step = after
  }
  tape.end()
  return tape.timeline
}

/** The next step, and how many seconds the user stays. */
function take(tape: Tape, step: Exclude<Step, 'leave'>): [Step, number] {
  const { random } = tape.options
  switch (step) {
    case 'home':
      openPage(tape, { page: '/', path: '/' })
      ask(tape, { path: 'products?featured=1', duration: 120, size: 2_300 })
      return [random.weighted(next.home), 9]
    case 'category':
      return [openCategory(tape), 13]
    case 'search':
      return [openSearch(tape), 10]
    case 'product':
      return [openProduct(tape), 22]
    case 'cart':
      return [openCart(tape), 12]
    case 'checkout':
      return [openCheckout(tape), 16]
  }
}

function openCategory(tape: Tape): Step {
  const { random } = tape.options
  const category = random.pick(['city', 'city', 'gravel', 'gravel', 'cargo', 'parts'] as const)
  const action = tape.timeline.length > 0 ? click(tape, categories[category], 'nav > a') : undefined
  openPage(tape, { page: '/c/:category', path: `/c/${category}` })
  troubles.ofQuickView(tape, category)
  ask(tape, { path: `products?category=${category}`, duration: 150, size: 2_900, ...(action && { action }) })
  if (random.isLikely(0.03))
    report(tape, { name: 'Sort by price', target: 'button.sort', frustration: ['dead'] })
  return random.weighted(next.category)
}

/** Hybrid search is slower but finds what keyword search misses. */
function openSearch(tape: Tape): Step {
  const { random } = tape.options
  const question = random.pick(questions)
  openPage(tape, { page: '/search', path: '/search' })
  const isHybrid = tape.read('hybrid-search') === true
  report(tape, { name: 'Search', target: 'form.search > button' })
  ask(tape, { path: 'search?q', duration: isHybrid ? 390 : 140, size: 1_900 })
  const words = question.split(' ').length
  if (!troubles.ofSearch(tape, words)) return random.isLikely(0.6) ? 'leave' : 'home'
  const found = isHybrid ? random.between(3, 9) : words > 2 ? 0 : random.between(1, 6)
  tape.report('custom', { name: 'searched', value: Math.floor(found) })
  if (Math.floor(found) === 0) return random.isLikely(0.55) ? 'leave' : 'category'
  return random.weighted(next.search)
}

function openProduct(tape: Tape): Step {
  const { random } = tape.options
  const product = random.pick(products)
  if (tape.timeline.length > 0) click(tape, product.name, 'ul.products > li > a')
  openPage(tape, { page: '/p/:product', path: `/p/${product.slug}` })
  ask(tape, { path: `products/${product.id}`, duration: 95, size: 700 })
  if (tape.read('new-gallery') === true)
    ask(tape, { path: `products/${product.id}/photos`, duration: 640, size: 4_800 })
  troubles.ofGallery(tape, product)
  tape.read('delivery-estimate')
  tape.read('sticky-cart')
  if (random.isLikely(0.34)) report(tape, { name: 'Next picture', target: 'figure.gallery > button' })
  if (random.isLikely(0.02))
    report(tape, { name: 'Size guide', target: 'a.size-guide', frustration: ['dead'] })
  const after = random.weighted(next.product)
  if (after === 'cart') addToCart(tape, product)
  return after
}

function addToCart(tape: Tape, { id, price, category }: Product): void {
  tape.wait(tape.options.random.around(9 * second, 0.5))
  const action = click(tape, 'Add to cart', 'button.add')
  ask(tape, { path: 'cart', method: 'POST', duration: 110, size: 240, action })
  tape.report('custom', {
    name: 'added_to_cart',
    value: price,
    attributes: { product: String(id), category },
  })
}

function openCart(tape: Tape): Step {
  const { random } = tape.options
  openPage(tape, { page: '/cart', path: '/cart' })
  ask(tape, { path: 'cart', duration: 90, size: 420 })
  // Being close to the threshold leads users to checkout, or to one more product.
  const threshold = tape.read('free-shipping-threshold')
  const usual = typeof threshold === 'number' && threshold <= 75 ? 0.58 : 0.52
  // Few leave to look for the costs of delivery once they stand beside the cart.
  const goesOn = random.isLikely(tape.read('cart-summary') === true ? usual + 0.26 : usual)
  if (!goesOn) return random.isLikely(0.35) ? 'category' : 'leave'
  click(tape, 'Go to checkout', 'a.checkout')
  return 'checkout'
}

function openCheckout(tape: Tape): Step {
  const { random, person } = tape.options
  openPage(tape, { page: '/checkout', path: '/checkout' })
  const isOnePage = tape.read('checkout-v2') === 'one-page'
  ask(tape, { path: 'quote', method: 'POST', duration: 210, size: 320 })
  tape.wait(random.around((isOnePage ? 38 : 61) * second, 0.4))
  const action = click(tape, 'Place order', 'button.pay')
  if (!troubles.ofCheckout(tape, action)) {
    if (random.isLikely(0.42))
      report(tape, { name: 'Place order', target: 'button.pay', frustration: ['rage', 'error'] })
    return 'leave'
  }
  // Fewer steps reduce abandonment; club members have their address prefilled.
  const finishes = (isOnePage ? 0.71 : 0.62) + (person.traits.plan === 'club' ? 0.08 : 0)
  if (!random.isLikely(finishes)) return random.isLikely(0.3) ? 'cart' : 'leave'
  if (!ask(tape, { path: 'orders', method: 'POST', duration: 340, size: 510, action })) {
    if (random.isLikely(0.5))
      report(tape, { name: 'Place order', target: 'button.pay', frustration: ['rage'] })
    return 'leave'
  }
  openPage(tape, { page: '/thanks', path: '/thanks' })
  const value = random.pick(products).price
  tape.report('custom', {
    name: 'order_placed',
    value,
    attributes: { payment: random.pick(['card', 'card', 'paypal', 'invoice']) },
  })
  return 'leave'
}

function click(tape: Tape, name: string, target: string): string {
  const { random } = tape.options
  const action = random.uuid()
  tape.report('action', { action, name, target, duration: Math.round(random.around(160, 0.5)) })
  return action
}

interface Done {
  name: string
  target: string
  frustration?: ('rage' | 'dead' | 'error')[]
}

function report(tape: Tape, done: Done): void {
  const { random } = tape.options
  tape.wait(random.around(1_500, 0.5))
  tape.report('action', { action: random.uuid(), duration: Math.round(random.around(120, 0.5)), ...done })
}
