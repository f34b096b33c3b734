// Plans the recording orders of every environment again and again, while a rollout runs, a split seems to harm or an
// issue is fresh. With several servers, a lease assigns each environment to one of them.

import { emptyFilter } from '@telltale/core/query/filter'
import type { RecordingRates } from '@telltale/core/recording/chance'
import {
  type OpenQuestion,
  planOrders,
  type RecordedSite,
  type RecordingPlan,
} from '@telltale/core/recording/plan-orders'
import { partsOfArms } from '@telltale/core/recording/question-parts'
import { recordingLimits } from '@telltale/core/recording-limits'
import { ask } from '../../monitoring/explore/question.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Lacking, RecordingPeak } from '../../platform/engines/postgres/recording-schema.ts'
import type { Services } from '../../platform/services.ts'
import { quietReads } from '../looks/quiet-reads.ts'
import { type CountedArm, countArms, countIssues, readSite } from './count-recordings.ts'
import { type FoundSplit, findQuestions, type RecordedEnvironment } from './find-questions.ts'
import { beginPlan, claimPlan, dropPlan, findPlans, keepPlan } from './queries.ts'

type PlanServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

const { orderPlanInterval, orderWindow, orderMemory } = recordingLimits
/** An environment is planned again after this many times the duration of the last time: 5% of one thread. */
const work = 20

export async function planRecordings(services: PlanServices): Promise<void> {
  const { db, telemetry, clock, log } = services
  const [found, planned] = await Promise.all([findQuestions(db, clock()), findPlans(db)])
  const open = found.filter((each) => each.splits.length + each.issues.length > 0)
  const now = clock()
  for (const { environmentId, plan, peak } of planned) {
    if (open.some(({ id }) => id === environmentId)) continue
    const isPermitted = found.some(({ id }) => id === environmentId)
    // Recordings of its last orders are still on their way.
    if (!isPermitted || plan === null || (peak?.until ?? 0) <= now.getTime())
      await dropPlan(db, environmentId)
  }
  if (!isUsable(telemetry.state().state)) return
  const isKnown = new Set(planned.map(({ environmentId }) => environmentId))
  const ending = found.filter(({ id }) => isKnown.has(id) && !open.some((each) => each.id === id))
  for (const environment of [...open, ...ending]) {
    if (!isKnown.has(environment.id)) await beginPlan(db, environment.id, now)
    try {
      await planOne(services, environment)
    } catch (error) {
      // Its lease expires, and a server tries again.
      log.warn({ err: error, environment: environment.id }, 'recordings could not be ordered')
    }
  }
}

async function planOne(services: PlanServices, environment: RecordedEnvironment): Promise<void> {
  const { db, clock } = services
  const now = clock()
  const row = await claimPlan(db, environment.id, now)
  if (row === undefined) return
  const began = performance.now()
  const { site, questions, names } = await readQuestions(services, environment, now)
  const plan = planOrders(site, questions)
  const rest = Math.max(orderPlanInterval.value, work * (performance.now() - began))
  await keepPlan(db, environment.id, {
    plan: { ...plan, at: now.toISOString(), lacking: questions.map((one) => lackingOf(one, names)) },
    peak: peakAfter(row.peak, plan, now),
    nextAt: new Date(now.getTime() + rest - 1),
  })
}

interface ReadQuestions {
  site: RecordedSite
  questions: OpenQuestion[]
  names: ReadonlyMap<string, string>
}

async function readQuestions(
  { telemetry }: PlanServices,
  environment: RecordedEnvironment,
  now: Date,
): Promise<ReadQuestions> {
  const reads = quietReads(telemetry)
  const to = now.getTime()
  const askNow = () =>
    ask(reads, {
      environmentId: environment.id,
      timeZone: 'UTC',
      filter: emptyFilter,
      from: to - orderWindow.value,
      to,
    })
  const [site, arms, ofIssues] = await Promise.all([
    readSite(askNow, environment),
    countArms(askNow, environment.splits),
    countIssues(askNow, environment.issues),
  ])
  const perDay = site.sessionsToday + site.sessionsLeft
  const questions: OpenQuestion[] = [
    ...environment.splits.map((split) => describeSplit(split, arms, { perDay, weight: site.weight })),
    ...environment.issues.map(({ kind, id }) => ({ kind, id, parts: ofIssues.get(id) ?? [] })),
  ]
  const names = new Map([
    ...environment.splits.map(({ id, flag }) => [id, flag] as const),
    ...environment.issues.map(({ id, name }) => [id, name] as const),
  ])
  return { site, questions, names }
}

function describeSplit(
  { kind, id, flag, arms }: FoundSplit,
  counted: ReadonlyMap<string, CountedArm[]>,
  { perDay, weight }: { perDay: number; weight: number },
): OpenQuestion {
  const own = arms.flatMap(({ variation }) => counted.get(`${flag}=${variation}`) ?? [])
  const whole = own.filter(({ page, device, version }) => (page ?? device ?? version) === undefined)
  const sum = (read: (arm: CountedArm) => number) => whole.reduce((all, arm) => all + read(arm), 0)
  const seen =
    weight *
    Math.max(
      sum(({ sessions }) => sessions),
      24 * sum(({ recent }) => recent),
    )
  const about = { kind, id }
  return {
    ...about,
    // A flag that no session has read yet could be read by all.
    parts: partsOfArms({ ...about, flag, arms, counted: own, sessionsPerDay: seen > 0 ? seen : perDay }),
  }
}

const lackingOf = ({ kind, id, parts }: OpenQuestion, names: ReadonlyMap<string, string>): Lacking => ({
  kind,
  id,
  name: names.get(id) ?? '',
  parts: parts.map(({ target, replay, profile }) => ({ target, replay, profile })),
})

/** The highest rate of each kind, for as long as its recordings may arrive. */
function peakAfter(before: RecordingPeak | null, { base, orders }: RecordingPlan, now: Date): RecordingPeak {
  const highest = (kind: keyof RecordingRates) => Math.max(base[kind], ...orders.map((order) => order[kind]))
  const current = { replay: highest('replay'), profile: highest('profile') }
  const isOver = before === null || before.until <= now.getTime()
  const kept = isOver ? current : before
  const peak = {
    replay: Math.max(kept.replay, current.replay),
    profile: Math.max(kept.profile, current.profile),
  }
  const isHigh = orders.length > 0
  return { ...peak, until: isHigh || isOver ? now.getTime() + orderMemory.value : before.until }
}
