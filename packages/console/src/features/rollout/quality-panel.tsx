import { limits } from '@telltale/core/limits'
import type { Comparison } from '../../api/impact.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { fullCountText, shareText, signedShareText } from '../../ui/text/measure-text.ts'

type Quality = Comparison['quality']
type OfMetric = NonNullable<Comparison['metrics'][number]['quality']>

interface MetricRow {
  metric: string
  name: string
  quality: OfMetric
}

type QualityPanelProps = {
  quality: Quality
  metrics: readonly { metric: string; name: string; quality: OfMetric | null }[]
  treatment: string
  control: string
}

/** How comparable the two variations are: the basis of the verdicts. */
export function QualityPanel({ quality, metrics, treatment, control }: QualityPanelProps) {
  const { crossed, heard, reexposed } = quality
  const rows = metrics.flatMap(({ quality: found, ...one }) => (found ? [{ ...one, quality: found }] : []))
  return (
    <Panel title="Quality of this comparison" flush>
      <div className="border-line border-b px-14 py-10">
        <Facts
          inWords
          facts={[
            [
              'In both arms',
              crossed === 0 ? 'no users' : `${fullCountText(crossed)} ${crossed === 1 ? 'user' : 'users'}`,
            ],
            ...(heard
              ? [
                  [
                    'With telemetry',
                    <span key="heard">
                      {shareText(heard.treatment)} of <code>{treatment}</code>, {shareText(heard.control)} of{' '}
                      <code>{control}</code>
                    </span>,
                  ] as const,
                ]
              : []),
            ...(reexposed === null
              ? []
              : [
                  [
                    'Re-exposed',
                    <span key="reexposed">
                      {shareText(reexposed)} of <code>{treatment}</code> had it before
                    </span>,
                  ] as const,
                ]),
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <p className="px-14 py-10 text-text-2">No metric has enough data yet.</p>
      ) : (
        <PlainTable<MetricRow>
          label="Quality by metric"
          rows={rows}
          rowId={({ metric }) => metric}
          columns={[
            {
              id: 'metric',
              header: 'Metric',
              cell: ({ name }) => <span className="block truncate">{name}</span>,
            },
            {
              id: 'effective',
              header: 'Effective users',
              align: 'end',
              cell: ({ quality: { effectiveUnits } }) =>
                both(effectiveUnits, (count) => fullCountText(Math.round(count))),
            },
            {
              id: 'largest',
              header: 'Largest user',
              align: 'end',
              cell: ({ quality: { largestShare } }) => both(largestShare, shareText),
            },
            {
              id: 'left-out',
              header: 'Left out',
              align: 'end',
              cell: ({ quality: { leftOut } }) => leftOutText(leftOut),
            },
            {
              id: 'denominator',
              header: 'Denominator',
              align: 'end',
              cell: ({ quality: { denominator } }) => <Denominator of={denominator} />,
            },
          ]}
        />
      )}
      <p className="border-line border-t px-14 py-8 text-pretty text-12 text-text-3">
        Treatment, then control. A user counts for at most {limits.guardUnitWeight} views, sessions or
        requests per stage; one with more than that and more than 1% of all is left out.
      </p>
    </Panel>
  )
}

const both = (of: { treatment: number; control: number }, text: (value: number) => string) =>
  `${text(of.treatment)} / ${text(of.control)}`

function leftOutText({ treatment, control }: OfMetric['leftOut']): string {
  return treatment + control === 0 ? 'none' : both({ treatment, control }, fullCountText)
}

/** The denominator of the metric: if it changed, the metric alone proves nothing. */
function Denominator({ of }: { of: OfMetric['denominator'] }) {
  const change = of?.change?.estimate
  if (of === null || change === null || change === undefined) return <span className="text-text-3">–</span>
  return <span className={of.differs ? 'font-medium text-warn' : ''}>{signedShareText(change)}</span>
}
