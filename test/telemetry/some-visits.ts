// Random visits for tests of funnels, retention and paths: several events in one millisecond, clocks that jump, users in
// several sessions, without an id, with several variations, and bots.

import fc from 'fast-check'

export interface SomeStep {
  kind: 'view' | 'action' | 'custom' | 'exposure'
  at: number
  id: string
  session: string
  view: string
  /** The hash of the user, as text. */
  user: string
  bot: boolean
  browser: string
  page: string
  name: string
  flags: string[]
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const browsers = ['Chrome', 'Firefox', 'Safari']
const pages = ['/a', '/b', '/c', '/d']

/** Few different times, so that many are equal; a jump goes back, or over a night. */
const offset = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 10 }).map((count) => count * 5 * minute) },
  { weight: 1, arbitrary: fc.constantFrom(-2 * hour, 3 * hour, 26 * hour) },
)
const step = fc.record({
  offset,
  kind: fc.constantFrom('view' as const, 'view' as const, 'action' as const, 'custom' as const),
  page: fc.constantFrom(...pages),
  view: fc.integer({ min: 0, max: 2 }),
  name: fc.constantFrom('Buy', 'Search', ''),
})
const visit = fc.record({
  begun: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 6 * 24 }).map((hours) => hours * hour),
  ),
  bot: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  browser: fc.constantFrom(...browsers),
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  exposures: fc.array(
    fc.record({ offset, view: fc.integer({ min: 0, max: 2 }), other: fc.integer({ min: 0, max: 7 }) }),
    {
      maxLength: 2,
    },
  ),
})
const person = fc.record({
  isKnown: fc.integer({ min: 0, max: 4 }).map((chance) => chance > 0),
  variation: fc.constantFrom('new', 'old'),
  visits: fc.array(visit, { minLength: 1, maxLength: 3 }),
})

/** `world` keeps the ids of one run from those of another. */
export const someVisits = (from: number) =>
  fc
    .array(person, { minLength: 1, maxLength: 24 })
    .map((people) => (world: number) => people.flatMap((one, index) => toSteps(one, { world, index, from })))

type SomePerson = typeof person extends fc.Arbitrary<infer Value> ? Value : never

function toSteps(
  { isKnown, variation, visits }: SomePerson,
  { world, index, from }: { world: number; index: number; from: number },
): SomeStep[] {
  return visits.flatMap(({ begun, steps, exposures, bot, browser }, number) => {
    const place = world * 10_000 + index * 100 + number * 10
    const session = uuid(2, place)
    const own = {
      session,
      bot,
      browser,
      user: String(2n ** 60n + BigInt(isKnown ? place - number * 10 : place)),
    }
    const start = from + begun
    let last = 0
    const id = (kind: number) => uuid(kind, place * 100 + last++)
    return [
      ...steps.map(
        (one): SomeStep => ({
          ...own,
          kind: one.kind,
          at: start + one.offset,
          id: id(1),
          view: uuid(3, place + one.view),
          page: one.page,
          name: one.kind === 'view' ? 'load' : one.name,
          flags: [],
        }),
      ),
      ...exposures.map((one): SomeStep => {
        // Now and then a user gets another variation.
        const seen = one.other === 0 ? 'third' : variation
        return {
          ...own,
          kind: 'exposure',
          at: start + one.offset,
          id: id(4),
          view: uuid(3, place + one.view),
          page: '/a',
          name: 'checkout',
          flags: ['banner=on', `checkout=${seen}`],
        }
      }),
    ]
  })
}

/** A user with thousands of events, most of them in the same few milliseconds. */
export function tirelessUser(from: number, world: number): SomeStep[] {
  const place = world * 10_000
  return Array.from({ length: 6_000 }, (_, index) => ({
    kind: index % 3 === 0 ? 'custom' : 'view',
    at: from + (index % 50) + (index % 7) * day + (index % 11) * hour,
    id: uuid(1, place * 100 + index),
    session: uuid(2, place + (index % 7)),
    view: uuid(3, place),
    user: String(2n ** 60n + BigInt(place)),
    bot: false,
    browser: 'Chrome',
    page: pages[index % 4] ?? '/a',
    name: index % 3 === 0 ? 'Buy' : 'load',
    flags: [],
  }))
}

/** 200 users each; 30 % of those with `old`, and 60 % of those with `new`, go on. */
export function twoVariations(from: number, world: number): SomeStep[] {
  const users = Array.from({ length: 400 }, (_, index) => index)
  return users.flatMap((index) => {
    const isNew = index % 2 === 1
    const place = String(world * 10_000 + index).padStart(12, '0')
    const step = (kind: SomeStep['kind'], page: string, number: number): SomeStep => ({
      kind,
      // Half of those with `new` go on after a millisecond more.
      at: from + (number === 2 ? 1_000 + (index % 4 === 3 ? 1 : 0) : number),
      id: `0190b3a4-0001-7000-800${number}-${place}`,
      session: `0190b3a4-0002-7000-8000-${place}`,
      view: `0190b3a4-0003-7000-8000-${place}`,
      user: String(2n ** 60n + BigInt(place)),
      bot: false,
      browser: 'Chrome',
      page,
      name: kind === 'exposure' ? 'checkout' : 'load',
      flags: kind === 'exposure' ? ['banner=on', `checkout=${isNew ? 'new' : 'old'}`] : [],
    })
    const goesOn = Math.floor(index / 2) < (isNew ? 120 : 60)
    return [step('view', '/a', 0), step('exposure', '/a', 1), ...(goesOn ? [step('view', '/b', 2)] : [])]
  })
}

/** Sessions that all go to another page. */
export function manyPaths(from: number, world: number): SomeStep[] {
  return Array.from({ length: 20_000 }, (_, index) => {
    const place = String(world * 100_000 + Math.floor(index / 2)).padStart(12, '0')
    return {
      kind: 'view',
      at: from + index,
      id: `0190b3a4-0001-7000-8000-${String(world * 100_000 + index).padStart(12, '0')}`,
      session: `0190b3a4-0002-7000-8000-${place}`,
      view: `0190b3a4-0003-7000-8000-${place}`,
      user: String(2n ** 60n + BigInt(place)),
      bot: false,
      browser: 'Chrome',
      page: index % 2 === 0 ? '/a' : `/p/${index}`,
      name: 'load',
      flags: [],
    }
  })
}

function uuid(kind: number, number: number): string {
  return `0190b3a4-000${kind}-7000-8000-${String(number).padStart(12, '0')}`
}

/** Steps as the API takes them, and by hand. */
export const stepChoices = [
  { text: 'kind:view page:/a', matches: ({ kind, page }: SomeStep) => kind === 'view' && page === '/a' },
  { text: 'kind:view page:/b', matches: ({ kind, page }: SomeStep) => kind === 'view' && page === '/b' },
  { text: 'kind:view', matches: ({ kind }: SomeStep) => kind === 'view' },
  {
    text: 'kind:custom,action name:Buy',
    matches: ({ kind, name }: SomeStep) => kind !== 'view' && name === 'Buy',
  },
  { text: 'page:/a,/c', matches: ({ page }: SomeStep) => page === '/a' || page === '/c' },
]
