// A project in a zone whose clocks change, with invented telemetry on the real engine, and the same events at hand.

import { expect } from 'vitest'
import {
  groupBy,
  type SessionByHand,
  sessionsOf,
} from '../../packages/server/src/monitoring/explore/testing/count-by-hand.ts'
import {
  hasProfile,
  inventTelemetry,
  recordingOf,
  type SomeEvent,
  type SomeRecording,
  someColumns,
  toRow,
} from '../../packages/server/src/monitoring/explore/testing/some-events.ts'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'

const hour = 3_600_000
export const timeZone = 'Europe/Berlin'
/** The night in which an hour comes twice is in the middle. */
export const from = Date.parse('2026-10-24T09:30:00Z')
export const to = Date.parse('2026-10-26T15:10:00Z')

export type Query = Record<string, string | number | undefined>
/** Of one session there is no period. */
export const always = { from: undefined, to: undefined }

export interface ByHandStage extends AsyncDisposable {
  telemetry: Telltale['running']['services']['telemetry']
  environmentId: string
  /** Of everybody in the environment that is asked about, whenever it was. */
  ours: SomeEvent[]
  /** The same without bots, in the period. */
  seen: SomeEvent[]
  /** That began in the period. */
  sessions: SessionByHand[]
  /** What is here of the recording of a session. */
  recordings: Map<string, SomeRecording>
  /** Sessions with a profile. */
  profiled: Set<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
  ask(path: string, query?: Query): Promise<any>
  /** Everything behind the first page too. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  askAll(path: string, query?: Query): Promise<any[]>
}

const environments = '/api/v1/projects/shop/environments'

/** `arrange` makes other events of those that are invented. */
export async function openByHandStage(
  arrange: (events: SomeEvent[]) => SomeEvent[] = (events) => events,
): Promise<ByHandStage> {
  const telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  const owner = await telltale.person({ role: 'owner' })
  const idOf = async (key: string) =>
    (await telltale.request('GET', `${environments}/${key}`, { as: owner })).body.id
  const [own, other] = [await idOf('production'), await idOf('staging')]
  await telltale.request('PATCH', `${environments}/production`, { as: owner, body: { timeZone } })

  const invented = inventTelemetry({
    environments: [own, other],
    from: from - 5 * hour,
    to: to + hour,
    sessions: 150,
  })
  const events = arrange(invented)
  await insert(telltale, events)
  const { recordings, profiled } = await attach(telltale, events)
  const ours = events.filter(({ environment }) => environment === own)
  const ask = asker(telltale, owner)
  return {
    telemetry: telltale.running.services.telemetry,
    environmentId: own,
    ours,
    seen: ours.filter(({ at, bot }) => at >= from && at < to && !bot),
    sessions: sessionsOf(ours.filter(({ bot }) => !bot)).filter(({ begun }) => begun >= from && begun < to),
    recordings,
    profiled,
    ask,
    async askAll(path, query = {}) {
      const items = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await ask(path, { ...query, cursor })
        expect(page.items.length).toBeLessThanOrEqual(Number(query.limit ?? 50))
        items.push(...page.items)
        cursor = page.next
      }
      return items
    },
    [Symbol.asyncDispose]: () => telltale[Symbol.asyncDispose](),
  }
}

/** In batches out of order, so that a session's rows come apart and late; every third comes twice. */
async function insert(telltale: Telltale, events: readonly SomeEvent[]): Promise<void> {
  const batches = [...groupBy(events, ({ id }) => String(Number(id.slice(-3)) % 7))]
  for (const [name, batch] of [...batches, ...batches.filter((_, index) => index % 3 === 0)]) {
    const rows = Buffer.from(batch.map((event) => JSON.stringify(toRow(event))).join('\n'))
    const stored = await telltale.running.services.telemetry.insert({
      table: 'events',
      columns: someColumns,
      rows,
      token: `by-hand-${name}`,
    })
    expect(stored).toEqual({ kind: 'stored' })
  }
}

/** Recordings and profiles, also of the other environment. */
async function attach(
  telltale: Telltale,
  events: readonly SomeEvent[],
): Promise<Pick<ByHandStage, 'recordings' | 'profiled'>> {
  const { telemetry } = telltale.running.services
  const at = (time: number) => `fromUnixTimestamp64Milli(${time})`
  const recordings = new Map<string, SomeRecording>()
  const profiled = new Set<string>()
  const rows = { replay_segments: [] as string[], replay_kept: [] as string[], profile_blobs: [] as string[] }
  for (const [session, own] of groupBy(events, (event) => event.session)) {
    const number = Number(session.slice(-12))
    const [first] = own
    if (first === undefined) continue
    const begun = Math.min(...own.map((event) => event.at))
    const place = `'${first.environment}', toDate(${at(begun)}), '${session}'`
    if (hasProfile(number)) {
      profiled.add(session)
      rows.profile_blobs.push(`(${place}, '${first.id}', ${at(begun)})`)
    }
    const recording = recordingOf(number, begun)
    if (recording === undefined) continue
    const segments = recording.segments.map(
      ({ tab, index, from: began, to: until }) =>
        `(${place}, '${tab}', ${index}, ${at(began)}, ${at(until)})`,
    )
    if (!recording.isPast) rows.replay_segments.push(...segments)
    if (recording.isKept) rows.replay_kept.push(...segments)
    recordings.set(session, recording)
  }
  const columns = 'environment_id, day, session_id'
  for (const table of ['replay_segments', 'replay_kept'] as const) {
    await telemetry.command(
      `INSERT INTO ${table} (${columns}, tab_id, seq, started, ended) VALUES ${rows[table].join(', ')}`,
    )
  }
  await telemetry.command(
    `INSERT INTO profile_blobs (${columns}, profile_id, ts) VALUES ${rows.profile_blobs.join(', ')}`,
  )
  return { recordings, profiled }
}

function asker(telltale: Telltale, owner: SomePerson): ByHandStage['ask'] {
  return async (path, query = {}) => {
    const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    const given = Object.entries({ ...period, ...query }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, `${value}`]],
    )
    const address = `${environments}/production/${path}?${new URLSearchParams(given)}`
    const answer = await telltale.request('GET', address, { as: owner })
    expect(answer.body).not.toHaveProperty('status')
    return answer.body
  }
}

export const ofKind = (events: readonly SomeEvent[], kind: string) =>
  events.filter((event) => event.kind === kind)
