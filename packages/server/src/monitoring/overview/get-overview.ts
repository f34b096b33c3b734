import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { vitalNames } from '@telltale/core/contract/events'
import type { getOverview as getOverviewCall } from '@telltale/core/contract/overview'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { fillSteps, readSteps } from '../explore/steps.ts'
import { toVitals, type VitalsRow } from '../explore/vitals.ts'
import {
  type EventSums,
  type SessionSums,
  type Summed,
  sumEvents,
  sumSessions,
  sumVitals,
} from './queries.ts'

type Reply = ReplyOf<typeof getOverviewCall>

interface Sums {
  sessions: readonly SessionSums[]
  events: readonly EventSums[]
  vitals: readonly (Summed & VitalsRow)[]
  /** Of how many users one was read: what is not weighted counts as many times. */
  sample: number
}

export async function getOverview(
  question: Question,
  { step, exact }: QueryOf<typeof getOverviewCall>,
): Promise<Reply> {
  const { from, to } = question
  const before = { from: from - (to - from), to: from }
  const steps = readSteps(question, step)
  const both = await chooseSample(question.with({ from: before.from }), { exact })
  const halves = { both, from, steps }
  const [sessions, events, vitals] = await Promise.all([
    sumSessions(halves),
    sumEvents(halves),
    sumVitals(halves),
  ])
  const sample = sampleOf(both)
  const sums = { sessions, events, vitals, sample }
  const toPoint = pointsOf(sums)
  const points = steps.all.map((one) => ({ at: one.from / 1_000 }))

  return {
    ...periodOf(question),
    sample,
    step: steps.step,
    timeZone: steps.timeZone,
    now: summarise(sums, 2),
    before: { ...periodOf(before), ...summarise(sums, 1) },
    series: fillSteps(steps, points, (point) => toPoint(point?.at ?? 0)),
  }
}

function summarise({ sessions, events, vitals, sample }: Sums, half: number): Reply['now'] {
  const isWhole = (row: Summed) => row.half === half && row.at === 0
  const begun = sessions.find(isWhole) ?? { sessions: 0, users: '0', with_error: 0 }
  const { views, errors } = events.find(isWhole) ?? { views: 0, errors: 0 }
  return {
    sessions: begun.sessions,
    users: Number(begun.users) * sample,
    views,
    errors,
    errorsPerThousandViews: views === 0 ? null : (errors / views) * 1_000,
    sessionsWithError: begun.sessions === 0 ? null : begun.with_error / begun.sessions,
    vitals: toVitals(vitals.filter(isWhole)),
  }
}

function pointsOf({ sessions, events, vitals }: Sums) {
  const keyOf = ({ half, at }: Summed, vital = '') => `${half} ${at} ${vital}`
  const sessionsAt = new Map(sessions.map((row) => [keyOf(row), row]))
  const eventsAt = new Map(events.map((row) => [keyOf(row), row]))
  const vitalsAt = new Map(vitals.map((row) => [keyOf(row, row.vital), row]))

  return (at: number) => {
    const place = { half: 2, at }
    const { views = 0, errors = 0 } = eventsAt.get(keyOf(place)) ?? {}
    return {
      sessions: sessionsAt.get(keyOf(place))?.sessions ?? 0,
      views,
      errors,
      vitals: vitalNames.map((name) => {
        const row = vitalsAt.get(keyOf(place, name))
        return { name, count: Number(row?.count ?? 0), p75: row?.p75 ?? null }
      }),
    }
  }
}
