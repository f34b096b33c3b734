import { Link } from '@tanstack/react-router'
import type { FlagTelltale } from '../../api/telltales.ts'
import { Telltale } from '../../charts/telltale.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Facts } from '../../ui/facts.tsx'
import { changeOf, intervalText, limitSentence, metricLabel, valueText } from '../../ui/text/effect-text.ts'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import { evidenceOfTelltale, lastWordOf, stateOfTelltale, telltaleText } from './telltale-words.ts'

/** The numbers behind a telltale: metric, both values, interval, limit, users per variation, time of evaluation. */
export function TelltaleCard({ telltale }: { telltale: FlagTelltale }) {
  const { project } = useScope()
  const { worst, users, treatment, control, checkedAt, flag, env } = telltale
  return (
    <div className="grid gap-10">
      <span className="flex items-center justify-between gap-8">
        <Verdict state={stateOfTelltale(telltale)} word={lastWordOf(telltale)} />
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
          ['Users', users ? `${fullCountText(users.treatment)} and ${fullCountText(users.control)}` : '–'],
          ['Compared', `${treatment} against ${control}`],
          ['Last check', <TimeAgo key="checked" at={checkedAt} none="not yet" />],
        ]}
      />
      <Link
        to="/p/$project/flags/$flag/impact"
        params={{ project, flag }}
        search={{ env }}
        className="w-fit text-accent hover:underline"
      >
        Open Impact
      </Link>
    </div>
  )
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
