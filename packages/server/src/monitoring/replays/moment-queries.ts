import type { MomentKind } from '@telltale/core/contract/replays'
import { limits } from '@telltale/core/limits'
import { vitalBoundaries } from '@telltale/core/telemetry/vitals'
import { uuidLiteral } from '../../intake/retention/id-lists.ts'
import { recordedSessions } from '../explore/attached.ts'
import type { Question } from '../explore/question.ts'
import { sessionRows } from '../explore/session-rows.ts'

/** The worst moment of a recorded session, or its newest if moments have no ranking. */
export interface PickedMoment {
  session_id: string
  event_id: string
  at: string
  recorded_from: string
  recorded_to: string
  is_kept: number
  is_covered: number
  /** Recorded sessions with such a moment. */
  total: string
}

const past = (name: keyof typeof vitalBoundaries) =>
  `(name = '${name}' AND value > toFloat32(${vitalBoundaries[name][0]}))`
const timesGood = Object.entries(vitalBoundaries).map(([name, [good]]) => `name = '${name}', value / ${good}`)

/** The events that qualify as moments, and their ranking. */
const kinds: Readonly<Record<MomentKind, { of: readonly string[]; badness: string }>> = {
  any: { of: [], badness: '0' },
  error: { of: ["kind = 'error'"], badness: '0' },
  frustration: { of: ['notEmpty(frustration)'], badness: '0' },
  slow: {
    of: [
      "kind = 'vital'",
      `(${[past('LCP'), past('INP'), past('CLS'), past('FCP'), past('TTFB')].join(' OR ')})`,
    ],
    badness: `multiIf(${timesGood.join(', ')}, 0)`,
  },
  request: { of: ["kind = 'resource'", "res_endpoint != ''"], badness: 'res_failed * 1e9 + duration' },
  exposure: { of: ["kind = 'exposure'"], badness: '0' },
}

/** One of each session: those covered by a recording first, then the worst, then the newest. */
export async function pickMoments(
  question: Question,
  { kind, count }: { kind: MomentKind; count: number },
): Promise<PickedMoment[]> {
  const { bind, filter } = question
  const { of, badness } = kinds[kind]
  const flags = filter.chips.filter(({ field, isNegated }) => field === 'flag' && !isNegated)
  const ofFlags =
    kind === 'exposure' && flags.length > 0
      ? [`name IN (${flags.map(({ key }) => bind(key, 'String')).join(', ')})`]
      : []
  const recorded = recordedSessions(question, bind)
  const events = question.events(
    ...of,
    ...ofFlags,
    `session_id GLOBAL IN (SELECT session_id FROM (${recorded}))`,
  )
  const order = 'is_covered DESC, badness DESC, instant DESC, event_id DESC'
  return question.read<PickedMoment>(
    `SELECT session_id, event_id, toString(toUnixTimestamp64Milli(instant)) AS at, toString(toUnixTimestamp64Milli(recorded_from)) AS recorded_from,
      toString(toUnixTimestamp64Milli(recorded_to)) AS recorded_to, is_kept, is_covered, toString(count() OVER ()) AS total
    FROM (SELECT e.session_id AS session_id, e.event_id AS event_id, e.instant AS instant, e.badness AS badness, r.recorded_from AS recorded_from,
        r.recorded_to AS recorded_to, r.is_kept AS is_kept, e.instant >= r.recorded_from AND e.instant <= r.recorded_to AS is_covered
      FROM (SELECT session_id, event_id, ts AS instant, ${badness} AS badness FROM ${events}) AS e
      INNER JOIN (${recorded}) AS r ON r.session_id = e.session_id
      ORDER BY ${order} LIMIT 1 BY session_id)
    ORDER BY ${order} LIMIT ${bind(count, 'UInt32')}`,
  )
}

export interface MomentEventRow {
  event_id: string
  kind: string
  tab_id: string
  page: string
  url: string
  name: string
  value: number
  duration: number
  target: string
  frustration: string[]
  res_method: string
  res_host: string
  res_endpoint: string
  res_status: number
  res_failed: number
  err_type: string
  err_message: string
  blocking: number
  flags: string[]
}

export async function findMomentEvents(
  question: Question,
  moments: readonly Pick<PickedMoment, 'session_id' | 'event_id' | 'at'>[],
): Promise<MomentEventRow[]> {
  const times = moments.map(({ at }) => Number(at))
  const [first, last] = [Math.min(...times), Math.max(...times)].map(
    (at) => `fromUnixTimestamp64Milli(${question.bind(at, 'Int64')})`,
  )
  const rows = question.rowsOf(
    'events',
    `ts >= ${first} AND ts <= ${last}`,
    `session_id IN (${moments.map(({ session_id: id }) => uuidLiteral(id)).join(', ')})`,
    `event_id IN (${moments.map(({ event_id: id }) => uuidLiteral(id)).join(', ')})`,
  )
  return question.read<MomentEventRow>(
    `SELECT event_id, kind, tab_id, page, url, name, value, duration, target, frustration, res_method, res_host, res_endpoint,
      res_status, res_failed, err_type, err_message, blocking, flags
    FROM ${rows}`,
  )
}

interface MomentSessionRow {
  session_id: string
  started_at: string
  user_key: string
  anonymous_ids: string[]
  browser: string
  os: string
  device: string
  country: string
}

/** They may have begun before the period of the question. */
export async function findMomentSessions(
  question: Question,
  sessions: readonly string[],
): Promise<MomentSessionRow[]> {
  const { bind, from, to } = question
  const period = { from: from - limits.monitoredSessionMaximum, to }
  const own = `s.session_id IN (${sessions.map(uuidLiteral).join(', ')})`
  return question.read<MomentSessionRow>(
    `SELECT session_id, toString(toUnixTimestamp64Milli(started)) AS started_at, user_key, arraySort(anonymous_ids) AS anonymous_ids,
      browser, os, device, country
    FROM (${sessionRows(period, bind, own)})`,
  )
}
