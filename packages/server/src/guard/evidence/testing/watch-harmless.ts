// Many harmless rollouts at once, from events to decisions on the real engine. The arms do not differ, and
// everything else is a worst case: both arms get slower and fail more often every minute while the treatment
// grows, a user's views are correlated, and a limit near zero is checked every minute.
import { act } from '@telltale/core/guard/act'
import { builtInMetrics, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { judgeAll, nextShareOf } from '@telltale/core/guard/judge-all'
import { lookAt } from '@telltale/core/guard/look'
import type { Look, Rollout, RolloutPlan } from '@telltale/core/guard/rollout'
import { newRollout } from '@telltale/core/guard/rollout'
import { hasEnded } from '@telltale/core/states/rollout'
import type { Telemetry } from '../../../platform/engines/clickhouse/telemetry.ts'
import { readEvidenceTogether, type SplitQuery } from '../read-evidence.ts'

export interface HarmlessRun {
  telemetry: Pick<Telemetry, 'read' | 'command'>
  environment: string
  rollouts: number
  /** New users of each rollout per minute. */
  people: number
  minutes: number
}

export interface HarmlessEnd {
  rolledBack: number
  splitWrong: number
  /** Rollouts by the stage they reached. */
  stages: number[]
}

const minute = 60_000
const firstSplit = 70_000
const together = 25
const shares = [0.1, 0.5, 0.8]
const weightTotal = 100_000
const begun = Date.UTC(2026, 10, 1)
const metrics = ['lcp', 'users-with-an-error', 'errors-per-session'].flatMap((name) =>
  builtInMetrics
    .filter(({ key }) => key === name)
    .map((one) => freezeMetric({ ...one, alphaWeight: 1 }, { limit: 1e-6, base: undefined })),
)
const plan: RolloutPlan = {
  stages: shares.map((share) => ({
    weight: share * weightTotal,
    minDuration: 0,
    minUnits: 0,
    needsApproval: false,
  })),
  metrics: metrics.map(({ metric }) => ({ metric, role: 'required', onRegression: 'roll-back' })),
  alpha: 0.05,
  timeBox: 48 * 60 * minute,
  whenUndecided: 'hold',
  startedBy: 'ada',
}

export async function watchHarmless(run: HarmlessRun): Promise<HarmlessEnd> {
  const all = Array.from({ length: run.rollouts }, () => start())
  for (let passed = 1; passed <= run.minutes; passed += 1) {
    const now = begun + passed * minute
    await run.telemetry.command(renderArrivals(run, all, passed))
    for (let from = 0; from < all.length; from += together) await lookAtSome(run, all, { from, now })
    // Advanced manually: with a limit near zero the guard never finds a stage healthy.
    const isTime = passed === Math.ceil(run.minutes / 3) || passed === Math.ceil((2 * run.minutes) / 3)
    if (isTime) for (const [index, rollout] of all.entries()) all[index] = advance(rollout, now)
  }
  return {
    rolledBack: all.filter(({ state }) => state === 'rolled-back').length,
    splitWrong: all.filter(({ splitWrong }) => splitWrong !== undefined).length,
    stages: shares.map((_, stage) => all.filter((rollout) => rollout.stage === stage).length),
  }
}

function start(): Rollout {
  const started = act(plan, newRollout(), { action: 'start', by: 'ada', turn: 0, now: begun })
  if ('refused' in started) throw new Error(started.refused)
  return started.rollout
}

function advance(rollout: Rollout, now: number): Rollout {
  const advanced = act(plan, rollout, { action: 'advance', by: 'ada', turn: rollout.turn, now })
  return 'refused' in advanced ? rollout : advanced.rollout
}

async function lookAtSome(
  { telemetry, environment, people }: HarmlessRun,
  all: Rollout[],
  { from, now }: { from: number; now: number },
): Promise<void> {
  const running = all.flatMap((rollout, index) =>
    index < from || index >= from + together || hasEnded(rollout.state) ? [] : [{ index, rollout }],
  )
  const [first, ...others] = running.map(
    ({ index, rollout }): SplitQuery => ({
      arms: {
        environmentId: environment,
        split: String(firstSplit + index),
        epochs: shares.slice(0, rollout.stage + 1).map((share, epoch) => ({ epoch: epoch + 1, share })),
        treatment: 'on',
        control: 'off',
      },
      metrics,
    }),
  )
  if (first === undefined) return
  const found = await readEvidenceTogether(telemetry, [first, ...others])
  for (const [place, { index, rollout }] of running.entries()) {
    const seen = found[place]
    if (seen === undefined) throw new Error('every rollout was asked about')
    const look: Look = {
      now,
      flag: 'on',
      signal: {
        spoolLag: 0,
        evaluations: people,
        heard: { treatment: people, control: people },
        expected: { treatment: people, control: people },
        isFresh: true,
      },
      evidence: {
        units: seen.exposures.units,
        split: { exposures: seen.exposures.stages, heard: seen.heard },
        findings: judgeAll(metrics, seen.metrics, {
          alpha: plan.alpha,
          nextShare: nextShareOf(plan, rollout.stage),
        }),
      },
    }
    all[index] = lookAt(plan, rollout, look).rollout
  }
}

/**
 * A tenth of the users came before, in the same bucket. Each has one to six correlated views, and some have
 * errors, several of them.
 */
function renderArrivals(
  { environment, people, minutes }: HarmlessRun,
  all: readonly Rollout[],
  passed: number,
): string {
  const list = (of: (rollout: Rollout) => number) => `[${all.map(of).join(', ')}]`
  const even = (salt: string, of: string) => `((cityHash64('${salt}', ${of}) % 1000003 + 0.5) / 1000003)`
  const normal = (salt: string, of: string) =>
    `(sqrt(-2 * log(${even(`${salt}1`, of)})) * cos(2 * pi() * ${even(`${salt}2`, of)}))`
  const trend = passed / minutes
  return `
INSERT INTO events (environment_id, kind, ts, event_id, session_id, name, value, arms)
SELECT '${environment}', act.1, fromUnixTimestamp64Milli(toInt64(${begun + (passed - 1) * minute}) + number % ${minute}), generateUUIDv4(),
  toUUID('0198a2c4-0000-7000-8000-000000000001'), if(act.1 = 'vital', 'LCP', ''),
  if(act.1 = 'vital', 1500 * exp(${(0.5 * trend).toFixed(4)} + 0.7 * ${normal('person', 'unit')} + 0.3 * ${normal('view', 'unit, act.2, number')}), 0),
  [(toUInt64(${firstSplit} + rollout), toUInt32(epoch), if(place < share, 'on', 'off'), unit)]
FROM (
  SELECT number, intDiv(number, ${people}) AS rollout, ${list(({ stage }) => stage + 1)}[rollout + 1] AS epoch,
    ${list(({ stage }) => shares[stage] ?? 0)}[rollout + 1] AS share,
    if(number % 10 = 0 AND ${passed} > 1, ${passed} - 1, ${passed}) AS came,
    cityHash64(rollout, number % ${people}, came) AS unit, ${even('place', 'unit')} AS place,
    arrayConcat([('exposure', 0), ('view', 0)], arrayMap(i -> ('vital', i), range(1 + unit % 6)),
      if(${even('error', 'unit')} < ${(0.02 + 0.04 * trend).toFixed(4)}, arrayMap(i -> ('error', i), range(1 + unit % 4)), [])) AS acts
  FROM numbers(${people * all.length}))
ARRAY JOIN acts AS act`
}
