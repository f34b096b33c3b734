// Simulates a guard on random arms: the site's data is read once, then each draw is reported when it is done,
// together with what each stage can detect. Other requests are served in between.

import type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'
import { Problem } from '@telltale/core/errors'
import { type Alarm, type BackTest, stepThrough } from '@telltale/core/guard/back-test/back-test'
import { growthOf, scheduleStages } from '@telltale/core/guard/back-test/site-units'
import { StagePower } from '@telltale/core/guard/back-test/stage-power'
import { limits } from '@telltale/core/limits'
import { wilsonInterval } from '@telltale/core/statistics/wilson'
import { createYielder } from '../../platform/process/create-yielder.ts'
import type { Services } from '../../platform/services.ts'
import type { Trial as WholeTrial } from './find-trial.ts'
import { type PastSite, readSite } from './read-site.ts'

/** The part of a trial that the draws need. */
type Trial = Omit<WholeTrial, 'environment'> & { environment: { id: string; timeZone: string } }

type End = Omit<Extract<BackTestMessage, { type: 'end' }>, 'type'>

export interface Listener {
  isGone(): boolean
  say(message: BackTestMessage): void
}

export async function simulateDraws(
  { telemetry, clock }: Pick<Services, 'telemetry' | 'clock'>,
  trial: Trial,
  listener: Listener,
): Promise<End> {
  const { say } = listener
  const past = await readPast(telemetry, trial, clock())
  if (typeof past === 'string') return { rate: null, why: past }
  const { site, sampled, reading } = past
  const { stages, isShortened } = scheduleStages(trial.plan, site)
  say({
    type: 'site',
    from: new Date(past.from).toISOString(),
    to: new Date(past.to).toISOString(),
    people: site.units,
    sampled,
    reading,
    looks: stages.length,
    time: stages.length * site.width,
    isShortened,
    runs: trial.runs,
  })
  if (stages.length === 0) return { rate: null, why: 'no-comparison' }
  if (site.units === 0) return { rate: null, why: 'nobody' }
  return runAll({ trial, past, ...listener })
}

type Refused = 'engine-unavailable' | 'query-too-large'

async function readPast(
  telemetry: Services['telemetry'],
  { environment, flag, plan, metrics }: Trial,
  now: Date,
): Promise<PastSite | Refused> {
  try {
    return await readSite(telemetry, { environment, flag, plan, metrics, now })
  } catch (error) {
    const code = error instanceof Problem ? error.code : undefined
    if (code === 'engine-unavailable' || code === 'query-too-large') return code
    throw error
  }
}

interface Running extends Listener {
  trial: Trial
  past: PastSite
}

/** What the stages can detect changes little from one draw to the next. */
const runsPerReport = 20

async function runAll({ trial, past, isGone, say }: Running): Promise<End> {
  const begun = performance.now()
  const { site } = past
  const power = powerOf(trial, past)
  const reportPower = (runs: number, isOver: boolean) =>
    say({ type: 'stages', runs, stages: describeStages(power, isOver, { trial, past }) })
  const toReported = (run: number, { look, ...alarm }: Alarm) => ({
    run,
    ...alarm,
    after: (look + 1) * site.width,
  })
  let rolledBack = 0
  let runs = 0
  while (runs < trial.runs && !isGone() && performance.now() - begun < limits.backTestTime) {
    const alarms = await runInTurns({ ...trial, site }, runs, power)
    if (alarms.some(({ onRegression }) => onRegression === 'roll-back')) rolledBack += 1
    say({
      type: 'progress',
      alarms: alarms.map((alarm) => toReported(runs, alarm)),
      rate: rateOf(rolledBack, runs + 1),
    })
    runs += 1
    if (runs % runsPerReport === 0) reportPower(runs, false)
  }
  if (!isGone()) reportPower(runs, true)
  return { rate: rateOf(rolledBack, runs), why: runs < trial.runs ? 'time' : 'done' }
}

function powerOf({ plan, metrics }: Trial, { site, sampled, reading }: PastSite): StagePower {
  const scale = ((plan.pool / limits.weightTotal) * reading) / sampled
  return new StagePower({ plan, metrics, scale, growth: growthOf(site) })
}

function describeStages(
  power: StagePower,
  isOver: boolean,
  { trial: { plan }, past: { site } }: Pick<Running, 'trial' | 'past'>,
) {
  const looks = scheduleStages(plan, site).stages
  return power.results(isOver).map(({ stage, metrics }) => ({
    stage,
    time: looks.filter((one) => one === stage).length * site.width,
    metrics: metrics.map(({ half, fourInFive, instead, ...metric }) => ({
      ...metric,
      half: half ?? null,
      fourInFive: fourInFive ?? null,
      instead: instead
        ? {
            time: instead.time ?? null,
            weight: instead.weight ?? null,
            limit: instead.limit ?? null,
          }
        : null,
    })),
  }))
}

/** Yields between steps so that other requests are served. */
async function runInTurns(test: BackTest, run: number, power: StagePower): Promise<Alarm[]> {
  const steps = stepThrough(test, run, (stage, evidence) => power.take(stage, evidence))
  const yieldIfDue = createYielder(1)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    await yieldIfDue()
  }
}

function rateOf(rolledBack: number, runs: number) {
  const interval = wilsonInterval(rolledBack, runs)
  return interval === undefined ? null : { runs, rolledBack, ...interval }
}
