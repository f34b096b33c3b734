import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { vitalNames } from '@telltale/core/contract/events'
import type { getOverview as getOverviewCall } from '@telltale/core/contract/overview'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { fillSteps, readSteps, type Steps } from '../explore/steps.ts'
import { toVitals } from '../explore/vitals.ts'
import {
  findEventPoints,
  findEventTotals,
  findSessionPoints,
  findSessionTotals,
  findVitalPoints,
  findVitals,
} from './queries.ts'

type Reply = ReplyOf<typeof getOverviewCall>

export async function getOverview(
  question: Question,
  { step }: QueryOf<typeof getOverviewCall>,
): Promise<Reply> {
  const { from, to } = question
  const before = question.with({ from: from - (to - from), to: from })
  const steps = readSteps(question, step)
  const [now, then, series] = await Promise.all([
    summarise(question),
    summarise(before),
    readSeries(question, steps),
  ])
  const { timeZone } = steps
  return {
    ...periodOf(question),
    step: steps.step,
    timeZone,
    now,
    before: { ...periodOf(before), ...then },
    series,
  }
}

async function summarise(question: Question): Promise<Reply['now']> {
  const [sessions, events, vitals] = await Promise.all([
    findSessionTotals(question),
    findEventTotals(question),
    findVitals(question),
  ])
  return {
    sessions: sessions.sessions,
    users: Number(sessions.users),
    views: events.views,
    errors: events.errors,
    errorsPerThousandViews: events.views === 0 ? null : (events.errors / events.views) * 1_000,
    sessionsWithError: sessions.sessions === 0 ? null : sessions.with_error / sessions.sessions,
    vitals: toVitals(vitals),
  }
}

async function readSeries(question: Question, steps: Steps): Promise<Reply['series']> {
  const [sessions, events, vitals] = await Promise.all([
    findSessionPoints(question, steps),
    findEventPoints(question, steps),
    findVitalPoints(question, steps),
  ])
  const sessionsAt = new Map(sessions.map((point) => [point.at, point.sessions]))
  const eventsAt = new Map(events.map((point) => [point.at, point]))
  const vitalsAt = new Map(vitals.map((point) => [`${point.at} ${point.vital}`, point]))
  const rows = steps.all.map(({ from }) => ({ at: from / 1_000 }))

  return fillSteps(steps, rows, (row) => {
    const at = row?.at ?? 0
    const { views = 0, errors = 0 } = eventsAt.get(at) ?? {}
    return {
      sessions: sessionsAt.get(at) ?? 0,
      views,
      errors,
      vitals: vitalNames.map((name) => {
        const point = vitalsAt.get(`${at} ${name}`)
        return { name, count: Number(point?.count ?? 0), p75: point?.p75 ?? null }
      }),
    }
  })
}
