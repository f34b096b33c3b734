import { Link } from '@tanstack/react-router'
import type { FlagTelltale } from '../../api/telltales.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Facts } from '../../ui/facts.tsx'
import { changeOf, intervalText, limitSentence, metricLabel, valueText } from '../../ui/text/effect-text.ts'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import {
  evidenceOfTelltale,
  harmText,
  lastWordOf,
  stateOfTelltale,
  telltaleText,
  unguardedNote,
} from './telltale-words.ts'
import { UnguardedTag } from './unguarded-tag.tsx'

/** The numbers behind a telltale: metric, both values, interval, limit, users per variation, time of evaluation. */
export function TelltaleCard({ telltale }: { telltale: FlagTelltale }) {
  const { project } = useScope()
  const { worst, users, treatment, control, checkedAt, flag } = telltale
  const harm = telltale.kind === 'unguarded' ? harmText(telltale) : undefined
  return (
    <div className="grid gap-10">
      <span className="flex items-center justify-between gap-8">
        <span className="flex items-center gap-6">
          <Verdict state={stateOfTelltale(telltale)} word={lastWordOf(telltale)} />
          <UnguardedTag telltale={telltale} />
        </span>
        <Telltale
          evidence={evidenceOfTelltale(telltale)}
          size="sm"
          word={lastWordOf(telltale)}
          text={telltaleText(telltale) ?? ''}
        />
      </span>
      <Facts
        inWords
        facts={[
          ...(worst ? factsOf(telltale, worst) : []),
          ...(harm === undefined ? [] : [['Harm', harm] as const]),
          ['Users', users ? `${fullCountText(users.treatment)} and ${fullCountText(users.control)}` : '–'],
          ['Compared', `${treatment} against ${control}`],
          ['Last check', <TimeAgo key="checked" at={checkedAt} none="not yet" />],
        ]}
      />
      {telltale.kind === 'unguarded' && <p className="text-pretty text-12 text-text-2">{unguardedNote}</p>}
      <Link
        to="/p/$project/flags/$flag/impact"
        params={{ project, flag }}
        search={comparisonOf(telltale)}
        className="w-fit text-accent hover:underline"
      >
        Open Impact
      </Link>
    </div>
  )
}

/** The comparison on the Impact tab that the telltale summarises. */
export function comparisonOf(telltale: FlagTelltale) {
  const { env } = telltale
  if (telltale.kind === 'guarded') return { env }
  const { split, epoch, control, treatment, worst } = telltale
  return { env, split, epoch, control, treatment, metric: worst?.metric }
}

function factsOf({ treatment, control }: FlagTelltale, worst: NonNullable<FlagTelltale['worst']>) {
  const { values, harm, limit, better } = worst
  return [
    ['Metric', metricLabel(worst)] as const,
    ...(values
      ? [
          [treatment, valueText(worst, values.treatment)] as const,
          [control, valueText(worst, values.control)] as const,
        ]
      : []),
    ...(harm ? [['Change', intervalText(changeOf(harm, better))] as const] : []),
    ['Limit', limitSentence(limit, better)] as const,
  ]
}
