import type { getAaTest as getAaTestCall } from '@telltale/core/contract/aa-test'
import type { ReplyOf } from '@telltale/core/contract/call'
import { aaTestAlpha } from '@telltale/core/guard/aa-test/judge-round'
import { summarizeRounds } from '@telltale/core/guard/aa-test/summarize-rounds'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { metricsOf, type NamedMetric } from '../metrics/named-metrics.ts'
import { type AaTestRoundRow, findRounds } from './queries.ts'

type Reply = ReplyOf<typeof getAaTestCall>
type Round = Reply['past'][number]

interface GetAaTestOptions {
  projectId: string
  env: string
}

/** Reads the result of the last look; runs no query on telemetry. */
export async function getAaTest(
  { db }: Pick<Services, 'db'>,
  { projectId, env }: GetAaTestOptions,
): Promise<Reply> {
  const environment = await getEnvironment(db, { projectId, key: env })
  const rows = await findRounds(db, environment.id)
  const metrics = new Map((await metricsOf({ db }, projectId)).map((named) => [named.definition.key, named]))
  const counted = countedOf(rows, environment)
  const { verdict, rate, ...sums } = summarizeRounds(counted.map(outcomeOf))
  const [last, ...others] = rows
  const on = environment.aaTestSince !== null
  const since = environment.aaTestSince ?? counted[0]?.series
  const roundOf = (row: AaTestRoundRow) => toRound(row, { metrics, isCounted: counted.includes(row) })
  return {
    on,
    since: since?.toISOString() ?? null,
    promised: aaTestAlpha,
    verdict: !on && rows.length === 0 ? 'off' : verdict,
    rate: { ...sums, interval: rate },
    present: last === undefined ? null : { ...roundOf(last), ...detailsOf(last, metrics) },
    past: others.map(roundOf),
  }
}

/** The rounds of the current series, or of the last one. */
function countedOf(rows: readonly AaTestRoundRow[], { aaTestSince }: EnvironmentRow): AaTestRoundRow[] {
  const series = (aaTestSince ?? rows[0]?.series)?.getTime()
  return rows.filter((row) => row.series.getTime() === series)
}

function outcomeOf({ seen, alarms, splitWrong, endedAt }: AaTestRoundRow) {
  return {
    judged: judgedIn({ seen, alarms }),
    alarms,
    isSplitWrong: splitWrong !== null,
    isOver: endedAt !== null,
  }
}

/** A metric that alarmed counts as judged, even if the last look has too few users for a verdict. */
function judgedIn({ seen, alarms }: Pick<AaTestRoundRow, 'seen' | 'alarms'>): number {
  const judged = (seen?.findings ?? []).filter(({ state }) => state === 'holds' || state === 'left')
  return new Set([...judged, ...alarms].map(({ metric }) => metric)).size
}

type Named = ReadonlyMap<string, NamedMetric>

function toRound(row: AaTestRoundRow, { metrics, isCounted }: { metrics: Named; isCounted: boolean }): Round {
  const { round, seen, splitWrong } = row
  return {
    round,
    isCounted,
    startedAt: row.startedAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    checkedAt: seen?.at ?? null,
    units: seen?.units ?? { treatment: 0, control: 0 },
    judged: judgedIn(row),
    alarms: row.alarms.map((alarm) => ({ ...alarm, name: nameOf(alarm.metric, metrics) })),
    splitWrong,
  }
}

/** A deleted metric is shown by its key. */
const nameOf = (metric: string, metrics: Named) => metrics.get(metric)?.definition.name ?? metric

function detailsOf({ seen, judged }: AaTestRoundRow, metrics: Named) {
  return {
    crossed: seen?.crossed ?? 0,
    check: seen?.check ?? null,
    heard: seen?.heard ?? null,
    metrics: (seen?.findings ?? []).map(({ chance: _chance, ...finding }) => {
      const named = metrics.get(finding.metric)
      const frozen = judged.find(({ metric }) => metric === finding.metric)
      return {
        ...finding,
        name: nameOf(finding.metric, metrics),
        measuredIn: named?.definition.unit ?? ('value' as const),
        unit: named?.unit ?? '',
        better: frozen?.better ?? ('lower' as const),
      }
    }),
  }
}
