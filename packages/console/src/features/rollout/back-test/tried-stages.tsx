import { limitText } from '../../../ui/text/effect-text.ts'
import { shareText } from '../../../ui/text/measure-text.ts'
import { percent, spanText } from '../rollout-words.ts'
import { type KnownMetrics, useKnownMetrics } from '../use-known-metrics.ts'
import type { TriedStage } from './use-back-test.ts'

export interface TriedPlan {
  alpha: number
  stages: readonly { weight: number }[]
  metrics: readonly { metric: string; role: 'required' | 'watched' }[]
}

type SeenMetric = TriedStage['metrics'][number]

/** The smallest harm that each stage detects, and what would help where that is not enough. */
export function TriedStages({ stages, plan }: { stages: readonly TriedStage[]; plan: TriedPlan }) {
  const known = useKnownMetrics()
  const isRequired = (metric: string) =>
    plan.metrics.some((one) => one.metric === metric && one.role === 'required')
  return (
    <div className="grid gap-8">
      <h3 className="font-medium">Smallest harm detectable per stage (80% power)</h3>
      <ol className="grid gap-10">
        {stages.map(({ stage, time, metrics }) => (
          <li key={stage} className="grid gap-4">
            <p className="text-text-2">
              Stage {stage + 1}, {percent(plan.stages[stage]?.weight ?? 0)}, {spanText(time)}
            </p>
            <dl className="grid gap-2 text-12">
              {metrics.map((seen) => (
                <SeenHarm key={seen.metric} seen={seen} known={known} isRequired={isRequired(seen.metric)} />
              ))}
            </dl>
          </li>
        ))}
      </ol>
    </div>
  )
}

type SeenHarmProps = { seen: SeenMetric; known: KnownMetrics; isRequired: boolean }

function SeenHarm({ seen, known, isRequired }: SeenHarmProps) {
  const { metric, half, fourInFive, healthy, instead } = seen
  const better = known.find(metric)?.better ?? 'lower'
  const more = half === null ? '' : `, ${limitText(half, better)} in half`
  return (
    <div className="grid gap-2">
      <div className="flex justify-between gap-12">
        <dt className="min-w-0 break-words">{known.nameOf(metric)}</dt>
        <dd className="shrink-0 text-right tabular-nums">
          {fourInFive === null ? `none${more}` : `from ${limitText(fourInFive, better)}`}
        </dd>
      </div>
      {isRequired && instead && (
        <dd className="text-pretty text-warn">
          Too short: {healthyText(healthy)} found healthy by then. {insteadText(instead, better)}
        </dd>
      )}
    </div>
  )
}

function healthyText(healthy: number): string {
  return healthy === 0 ? 'no harmless run was' : `${shareText(healthy)} of harmless runs were`
}

/** `About 5 days, 20% of users, or a limit of +9% would be enough.` */
function insteadText(
  { time, weight, limit }: NonNullable<SeenMetric['instead']>,
  better: 'lower' | 'higher',
): string {
  const ways = [
    ...(time === null ? [] : [spanText(time)]),
    ...(weight === null ? [] : [`${percent(weight)} of users`]),
    ...(limit === null ? [] : [`a limit of ${limitText(Math.ceil(limit * 100) / 100, better)}`]),
  ]
  const last = ways.pop()
  if (last === undefined) return 'Too few users to decide it. Make it a watched metric.'
  return `About ${ways.length > 0 ? `${ways.join(', ')} or ` : ''}${last} would be enough.`
}
