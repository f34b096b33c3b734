// Generated telemetry of a few days with changes to summer time: sessions over midnight, of several weights,
// bots, and another environment. Identical in every run.

import { noId } from '@telltale/core/telemetry/row-text'

export interface SomeEvent {
  environment: string
  kind: string
  at: number
  id: string
  session: string
  tab: string
  view: string
  user: string
  anonymous: string
  userHash: string
  weight: number
  bot: boolean
  version: string
  page: string
  url: string
  country: string
  browser: string
  os: string
  device: string
  name: string
  value: number
  duration: number
  target: string
  frustration: string[]
  method: string
  host: string
  endpoint: string
  status: number
  failed: boolean
  size: number
  issue: string
  errorType: string
  message: string
  handled: boolean
  blocking: number
  scripts: [source: string, name: string, ms: number][]
  flags: string[]
  attributes: Record<string, string>
  hasReplay: boolean
}

export const someColumns = [
  'environment_id',
  'kind',
  'ts',
  'event_id',
  'session_id',
  'tab_id',
  'view_id',
  'user_key',
  'anonymous_id',
  'user_hash',
  'weight',
  'bot',
  'version',
  'page',
  'url',
  'country',
  'browser',
  'os',
  'device',
  'name',
  'value',
  'duration',
  'target',
  'frustration',
  'res_type',
  'res_method',
  'res_host',
  'res_endpoint',
  'res_status',
  'res_failed',
  'res_size',
  'err_group',
  'err_type',
  'err_message',
  'err_handled',
  'blocking',
  'scripts',
  'flags',
  'attrs',
  'has_replay',
] as const

export const toRow = (event: SomeEvent) => [
  event.environment,
  event.kind,
  event.at,
  event.id,
  event.session,
  event.tab,
  event.view,
  event.user,
  event.anonymous,
  event.userHash,
  event.weight,
  event.bot ? 1 : 0,
  event.version,
  event.page,
  event.url,
  event.country,
  event.browser,
  event.os,
  event.device,
  event.name,
  event.value,
  event.duration,
  event.target,
  event.frustration,
  event.kind === 'resource' ? 'fetch' : '',
  event.method,
  event.host,
  event.endpoint,
  event.status,
  event.failed ? 1 : 0,
  event.size,
  event.issue,
  event.errorType,
  event.message,
  event.handled ? 1 : 0,
  event.blocking,
  event.scripts,
  event.flags,
  event.attributes,
  event.hasReplay ? 1 : 0,
]

const minute = 60_000
const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']
const pages = ['/', '/cart', '/checkout', '/bikes/:id', '/a "quoted", page']
const kinds = [
  'view',
  'vital',
  'vital',
  'vital',
  'vital',
  'resource',
  'resource',
  'action',
  'error',
  'long_frame',
  'custom',
]

export interface Invented {
  environments: readonly [string, string]
  from: number
  to: number
  sessions: number
}

export function inventTelemetry({ environments, from, to, sessions }: Invented): SomeEvent[] {
  const random = createRandom(11)
  const upTo = (most: number) => Math.floor(random() * most)
  const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length)] as Item
  const events: SomeEvent[] = []

  for (let number = 0; number < sessions; number++) {
    const person = upTo(25)
    const begun = from + upTo(to - from)
    const length = upTo(3) === 0 ? 200 * minute : upTo(20 * minute)
    const session = uuid(2, number)
    const shared = {
      environment: environments[number % 8 === 7 ? 1 : 0],
      session,
      anonymous: `browser-${person}`,
      userHash: String(2n ** 63n + BigInt(person)),
      weight: oneOf([1, 1, 2, 4]),
      bot: number % 11 === 10,
      version: oneOf(['1.0', '1.1', '2.0']),
      country: oneOf(['DE', 'NO', '']),
      browser: oneOf(['Chrome', 'Safari', 'Firefox']),
      os: oneOf(['iOS', 'Windows']),
      device: oneOf(['mobile', 'desktop', 'tablet']),
    }
    const flags = ['banner=off', `checkout=${oneOf(['new', 'old'])}`]
    const count = 1 + upTo(80)
    const times = Array.from({ length: count }, () => begun + upTo(length)).sort((a, b) => a - b)
    // Sequences compare order, so no two events have the same instant.
    const distinct = [...new Set([begun, ...times])].slice(0, count)
    for (const [index, at] of distinct.entries()) {
      const kind = index === 0 ? 'view' : oneOf(kinds)
      events.push({
        ...emptyEvent,
        ...shared,
        kind,
        at,
        id: uuid(1, events.length),
        tab: uuid(3, number * 2 + upTo(2)),
        user: index > count / 2 && person % 2 === 0 ? `user-${person}` : '',
        page: oneOf(pages),
        url: `https://shop.example/${upTo(50)}`,
        flags: index < 3 ? flags.slice(0, index) : flags,
        hasReplay: recordingOf(number, begun) !== undefined,
        attributes: upTo(2) === 0 ? { plan: oneOf(['free', 'pro']) } : {},
        ...ownOf(kind, { upTo, oneOf }),
      })
    }
  }
  return events
}

export interface SomeRecording {
  session: string
  /** Segments in order of time, each with its tab, first and last instant. */
  segments: { tab: string; index: number; from: number; to: number }[]
  isKept: boolean
  /** Retention has expired: only kept copies are left. */
  isPast: boolean
}

/** Every third session is recorded, from its start or later, some in two tabs. */
export function recordingOf(number: number, begun: number): SomeRecording | undefined {
  if (number % 3 !== 0) return undefined
  const first = begun + (number % 4) * 4 * minute
  const segments = Array.from({ length: 1 + (number % 7) }, (_, index) => ({
    tab: uuid(3, number * 2 + (number % 6 === 0 ? index % 2 : 0)),
    index,
    from: first + index * 2 * minute,
    to: first + (index + 1) * 2 * minute - 1,
  }))
  return { session: uuid(2, number), segments, isKept: number % 9 === 0, isPast: number % 18 === 0 }
}

export const hasProfile = (number: number) => number % 4 === 0

const emptyEvent = {
  view: noId,
  name: '',
  value: 0,
  duration: 0,
  target: '',
  frustration: [],
  method: '',
  host: '',
  endpoint: '',
  status: 0,
  failed: false,
  size: 0,
  issue: '0',
  errorType: '',
  message: '',
  handled: false,
  blocking: 0,
  scripts: [],
}

interface Chance {
  upTo(most: number): number
  oneOf<Item>(items: readonly Item[]): Item
}

/** Quarters are exact in 32 bits; a boundary of CLS is not. */
function ownOf(kind: string, { upTo, oneOf }: Chance): Partial<SomeEvent> {
  const duration = upTo(4_000) / 4
  switch (kind) {
    case 'vital': {
      const name = oneOf(vitals)
      const value = name === 'CLS' ? upTo(40) / 100 : name === 'INP' ? duration : duration * 5
      return { name, value, target: oneOf(['main > img', '#menu', '']) }
    }
    case 'resource': {
      const failed = upTo(5) === 0
      const status = failed ? oneOf([0, 404, 503]) : 200
      const endpoint = oneOf(['/api/cart', '/api/bikes/:id', ''])
      const host = oneOf(['shop.example', 'api.example'])
      return {
        method: oneOf(['GET', 'POST']),
        host,
        endpoint,
        status,
        failed,
        size: upTo(3) * 1_000,
        duration,
        target: host,
      }
    }
    case 'action':
      return {
        name: oneOf(['Buy', 'Search']),
        frustration: upTo(3) === 0 ? [oneOf(['rage', 'dead', 'error'])] : [],
      }
    case 'error': {
      const which = upTo(6)
      return {
        name: 'uncaught',
        issue: String(2n ** 64n - 1n - BigInt(which)),
        errorType: 'TypeError',
        message: `x${which} is undefined`,
        handled: upTo(2) === 0,
      }
    }
    case 'long_frame':
      return {
        duration,
        blocking: duration / 2,
        scripts: [['app.js', oneOf(['render', 'layout']), duration / 2]],
      }
    case 'custom':
      return { name: 'bought', value: upTo(100) }
    default:
      return { name: 'load' }
  }
}

export function uuid(kind: number, number: number): string {
  return number < 0 ? noId : `0190b3a4-000${kind}-7000-8000-${String(number).padStart(12, '0')}`
}

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
