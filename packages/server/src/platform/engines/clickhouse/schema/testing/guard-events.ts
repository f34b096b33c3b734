// Generated events with arms, and the expected content of the guard's roll-ups, counted directly. The same events in
// every run.

import type { Telemetry } from '../../telemetry.ts'

export type Arm = { split: string; epoch: number; arm: 'control' | 'treatment'; unit: string }

export type GuardEvent = {
  environment: string
  kind: string
  at: string
  id: string
  session: string
  /** A view's vitals can be sent again: the highest revision counts. */
  view: string
  rev: number
  isBot: boolean
  name: string
  value: number
  duration: number
  frustration: string[]
  endpoint: string
  browser: string
  hasFailed: boolean
  isHandled: boolean
  arms: Arm[]
}

/** The last one exceeds JavaScript's safe integers. */
const splits = ['11', '18446744073709551615']
const environments = [1, 2].map((n) => `0190b3a4-0000-7000-8000-00000000000${n}`)
const units = 40
const month = Date.UTC(2026, 4, 31, 22)

export function inventEvents(count: number): GuardEvent[] {
  const random = createRandom(7)
  const upTo = (most: number) => Math.floor(random() * most)
  const oneOf = <Item>(items: readonly [Item, ...Item[]]): Item => items[upTo(items.length)] ?? items[0]

  /** Revisions and first timestamps of vitals that are sent again. */
  const revised = new Map<string, { told: number; at: string }>()
  return Array.from({ length: count }, (_, index) => {
    const person = upTo(units)
    const kind = oneOf([
      'exposure',
      'view',
      'vital',
      'vital',
      'action',
      'resource',
      'error',
      'long_frame',
      'custom',
    ])
    const epoch = 1 + upTo(2)
    // Some units change arms in the second stage, some in the middle of the first.
    const arm = (person + (person % 5 === 0 ? upTo(2) : person % 7 === 0 ? epoch : 0)) % 2
    const armsOf = (read: readonly string[]) =>
      read.map((split) => ({
        split,
        epoch,
        arm: arm === 0 ? ('control' as const) : ('treatment' as const),
        unit: String(2n ** 63n + BigInt(person)),
      }))
    const arms = armsOf(splits.slice(0, upTo(3)))
    // Quarters can be added without rounding errors.
    const size = oneOf([0, 0.25, 1, 1.25, 2_500.5, 12_000, 90_000]) + upTo(4_000) / 4
    const name = nameOf(kind, oneOf(['LCP', 'INP', 'CLS', 'FCP', 'TTFB']), oneOf(['paid', 'opened']))
    // Half of the vitals have no view, or one without other events.
    const place = kind === 'vital' && upTo(2) === 0 ? 1 + upTo(2) : 0
    // Across the end of a month, where the roll-ups start a new partition.
    const at = toText(month + upTo(4 * 3_600_000))
    const before = revised.get(`${person} ${place} ${name}`) ?? { told: 0, at }
    if (place > 0) revised.set(`${person} ${place} ${name}`, { ...before, told: before.told + 1 })
    return {
      environment: environments[person % 9 === 0 ? 1 : 0] ?? '',
      kind,
      at: place > 0 ? before.at : at,
      view: place > 0 ? uuid(3, person * 10 + place) : uuid(0, 0).replace(/[^-]/g, '0'),
      // Those of every other view arrive in reverse order.
      rev: place > 0 ? (place === 1 ? before.told : 60_000 - before.told) : 0,
      id: uuid(1, index),
      session: uuid(2, person),
      isBot: person % 13 === 0,
      name,
      value: kind === 'custom' ? size * oneOf([1, -1, 1e8]) : size,
      duration: kind === 'resource' || kind === 'long_frame' ? size : 0,
      frustration: kind === 'action' ? ['rage', 'dead', 'error'].slice(0, upTo(4)) : [],
      endpoint: kind === 'resource' ? oneOf(['', '/api/orders/:id']) : '',
      browser: ['Chrome', 'Firefox', 'Safari'][person % 3] ?? '',
      hasFailed: kind === 'resource' && upTo(3) === 0,
      isHandled: kind === 'error' && upTo(2) === 0,
      // Variations read during a view remain.
      arms: place > 0 ? armsOf(splits) : arms,
    }
  })
}

function nameOf(kind: string, vital: string, custom: string): string {
  if (kind === 'vital') return vital
  return kind === 'custom' ? custom : ''
}

/** Without vitals that a later revision of the same view replaces. */
export function latestOf<Given extends Pick<GuardEvent, 'view' | 'name' | 'rev' | 'kind'>>(
  events: readonly Given[],
): Given[] {
  const isRevised = ({ kind, view }: Given) => kind === 'vital' && !/^[0-]*$/.test(view)
  const latest = new Map<string, number>()
  for (const event of events.filter(isRevised)) {
    const key = `${event.view} ${event.name}`
    latest.set(key, Math.max(event.rev, latest.get(key) ?? 0))
  }
  return events.filter(
    (event) => !isRevised(event) || latest.get(`${event.view} ${event.name}`) === event.rev,
  )
}

const caps: Record<string, number> = { CLS: 5, INP: 10_000 }

/** What one event adds, by measure. */
function measuresOf(event: GuardEvent): [measure: string, y: number][] {
  const { kind, name } = event
  const value = Math.fround(event.value)
  const found: [string, number][] = event.frustration.map((which) => [`${which}_click`, 1])
  if (kind === 'vital') found.push([name, Math.min(value, caps[name] ?? 60_000)])
  if (kind === 'view') found.push(['view', 1])
  if (kind === 'exposure') found.push(['session', 1])
  if (kind === 'error') found.push(['error', 1])
  if (kind === 'error' && !event.isHandled) found.push(['unhandled_error', 1])
  if (kind === 'long_frame') found.push(['long_frame', Math.min(event.duration, 10_000)])
  if (kind === 'resource' && event.endpoint !== '') found.push(['request', Math.min(event.duration, 60_000)])
  if (kind === 'resource' && event.endpoint !== '' && event.hasFailed) found.push(['failed_request', 1])
  if (kind === 'custom') found.push([`custom:${name}`, Math.max(Math.min(value, 1e9), -1e9)])
  return found
}

/** Values with a histogram are not capped in it. */
function histogramOf({
  kind,
  name,
  value,
  duration,
  endpoint,
}: GuardEvent): [string, number, number] | undefined {
  if (kind === 'vital') return [name, Math.fround(value), name === 'CLS' ? 0.001 : 1]
  if (kind === 'long_frame') return ['long_frame', duration, 1]
  return kind === 'resource' && endpoint !== '' ? ['request', duration, 1] : undefined
}

export function bucketOf(value: number, first: number): number {
  if (value <= first) return 0
  return Math.min(1_200, Math.max(1, Math.ceil(Math.log(value / first) / Math.log(1.02) - 1e-9)))
}

export function countByHand(events: GuardEvent[]) {
  const measures: Record<string, [n: number, y: number]> = {}
  const buckets: Record<string, number> = {}
  const seen: Record<string, { at: string; arm: string }[]> = {}
  const fromPeople = events.filter(({ isBot }) => !isBot)
  for (const { environment, arms } of fromPeople.filter(({ name }) => name === 'LCP')) {
    for (const { split, epoch, arm, unit } of arms) {
      const key = [environment, split, 'lcp_seen', epoch, arm, unit].join('|')
      const [n, sum] = measures[key] ?? [0, 0]
      measures[key] = [n + 1, sum + 1]
    }
  }
  for (const event of latestOf(fromPeople)) {
    for (const { split, epoch, arm, unit } of event.arms) {
      for (const [measure, y] of measuresOf(event)) {
        const key = [event.environment, split, measure, epoch, arm, unit].join('|')
        const [n, sum] = measures[key] ?? [0, 0]
        measures[key] = [n + 1, sum + y]
      }
      const [measure, value, first] = histogramOf(event) ?? []
      if (measure !== undefined && value !== undefined && first !== undefined) {
        const key = [event.environment, split, measure, epoch, arm, unit, bucketOf(value, first)].join('|')
        buckets[key] = (buckets[key] ?? 0) + 1
      }
      if (event.kind !== 'exposure') continue
      const key = [event.environment, split, unit, epoch].join('|')
      seen[key] = [...(seen[key] ?? []), { at: event.at, arm }]
    }
  }
  return { measures, exposures: sumUpExposures(seen), buckets }
}

function sumUpExposures(seen: Record<string, { at: string; arm: string }[]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(seen).map(([key, exposures]) => {
      const ordered = exposures.map(({ at, arm }) => `${at}|${arm}`).sort()
      const [firstAt = '', firstArm = ''] = (ordered[0] ?? '').split('|')
      const [lastAt = ''] = (ordered.at(-1) ?? '').split('|')
      const arms = [...new Set(exposures.map(({ arm }) => arm))].sort().join(',')
      return [key, [String(exposures.length), firstAt, lastAt, firstArm, arms]]
    }),
  )
}

const toText = (time: number) => new Date(time).toISOString().replace('T', ' ').replace('Z', '')

const uuid = (kind: number, number: number) =>
  `0190b3a4-000${kind}-7000-8000-${String(number).padStart(12, '0')}`

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const columns = [
  'environment_id',
  'kind',
  'ts',
  'event_id',
  'session_id',
  'view_id',
  'rev',
  'bot',
  'name',
  'value',
  'duration',
  'frustration',
  'res_endpoint',
  'browser',
  'res_failed',
  'err_handled',
  'user_hash',
  'attrs',
  'arms',
] as const

/** With arms of any name. */
export type SentEvent = Omit<GuardEvent, 'arms'> & {
  arms: readonly (Omit<Arm, 'arm'> & { arm: string })[]
  /** Of the identified user, as in the arms. */
  user?: string
  attrs?: Readonly<Record<string, string>>
}

const toRow = (event: SentEvent) => [
  event.environment,
  event.kind,
  event.at,
  event.id,
  event.session,
  event.view,
  event.rev,
  event.isBot ? 1 : 0,
  event.name,
  event.value,
  event.duration,
  event.frustration,
  event.endpoint,
  event.browser,
  event.hasFailed ? 1 : 0,
  event.isHandled ? 1 : 0,
  event.user ?? '0',
  event.attrs ?? {},
  event.arms.map(({ split, epoch, arm, unit }) => [split, epoch, arm, unit]),
]

/** One batch, as the writer sends it. */
export async function sendEvents(
  telemetry: Pick<Telemetry, 'insert'>,
  events: readonly SentEvent[],
  token: string,
): Promise<void> {
  const rows = Buffer.from(events.map((event) => JSON.stringify(toRow(event))).join('\n'))
  const outcome = await telemetry.insert({ table: 'events', columns, rows, token })
  if (outcome.kind !== 'stored') throw new Error(`the batch was not stored: ${JSON.stringify(outcome)}`)
}
