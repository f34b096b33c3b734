import type { VitalName } from '@telltale/core/telemetry/vitals'
import type { ReleaseComparison } from '../../api/releases.ts'
import { ChangeInterval } from '../../charts/change-interval.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { countOf, countText, shareText, signedShareText, vitalText } from '../../ui/text/measure-text.ts'
import { vitalTitles } from '../../ui/text/vital-names.ts'

type Compared = ReleaseComparison['metrics'][number]
type ShareMetric = Exclude<Compared['metric'], VitalName>

const shareTitles: Readonly<Record<ShareMetric, string>> = {
  'crashed-sessions': 'Sessions with an uncaught error',
  'failed-requests': 'Failed requests',
  'views-with-error': 'Views with an error',
}

const isShare = (metric: Compared['metric']): metric is ShareMetric => metric in shareTitles
const titleOf = (metric: Compared['metric']) =>
  isShare(metric) ? shareTitles[metric] : `${vitalTitles[metric]} p75`

/** `+0.4 points` for shares, `+3.1%` for vitals. */
function changeText(metric: Compared['metric'], change: number): string {
  if (!isShare(metric)) return signedShareText(change)
  const text = signedShareText(change).replace('%', '')
  return `${text}\u00a0points`
}

const valueText = (metric: Compared['metric'], value: number) =>
  isShare(metric) ? shareText(value) : vitalText(metric, value)

/** Each measure in both versions, with its change and interval. */
export function ComparisonTable({ comparison }: { comparison: ReleaseComparison }) {
  const { metrics, version, base } = comparison
  const reaches = { share: reachOf(metrics, true), vital: reachOf(metrics, false) }
  const columns: readonly Column<Compared>[] = [
    {
      id: 'metric',
      header: 'Metric',
      card: 'title',
      fixed: true,
      cell: ({ metric }) => <span className="font-medium">{titleOf(metric)}</span>,
    },
    {
      id: 'base',
      header: base,
      align: 'end',
      width: '14ch',
      cell: (row) => <Value row={row} of="base" name={base} />,
    },
    {
      id: 'version',
      header: version,
      align: 'end',
      width: '14ch',
      cell: (row) => <Value row={row} of="version" name={version} />,
    },
    {
      id: 'change',
      header: 'Change',
      width: '34ch',
      cell: (row) => <Change row={row} />,
    },
    {
      id: 'interval',
      header: 'Interval',
      hiddenHeader: true,
      width: '216px',
      card: 'none',
      cell: (row) => <Interval row={row} reach={isShare(row.metric) ? reaches.share : reaches.vital} />,
    },
    {
      id: 'users',
      header: 'Users',
      align: 'end',
      width: '18ch',
      hideBelow: 'full',
      card: 'none',
      cell: ({ users }) => `${countText(users.base)} vs ${countText(users.version)}`,
    },
  ]
  return (
    <ListSection title={`${version} compared with ${base}`}>
      <DataTable<Compared>
        label="Comparison"
        rows={metrics}
        rowId={({ metric }) => metric}
        columns={columns}
        sorted
        tall={false}
      />
      <p className="text-pretty text-12 text-text-3">
        Intervals hold at any time, 95% or more. Values are those of hours and countries with both versions,
        so they can differ from those of the whole release. Users are counted, not events.
      </p>
    </ListSection>
  )
}

/** One scale for all rows of a unit. */
function reachOf(metrics: readonly Compared[], ofShares: boolean): number {
  const ends = metrics.flatMap(({ metric, change }) =>
    change === null || isShare(metric) !== ofShares
      ? []
      : [Math.abs(change.estimate) * 1.5, Math.min(Math.abs(change.lower), Math.abs(change.upper))],
  )
  return Math.max(ofShares ? 0.01 : 0.05, ...ends)
}

type ValueProps = { row: Compared; of: 'version' | 'base'; name: string }

function Value({ row: { metric, values }, of, name }: ValueProps) {
  if (values === null) return <span className="text-text-3 max-wide:hidden">–</span>
  return (
    <span className="whitespace-nowrap">
      {valueText(metric, values[of])}
      <span className="text-12 text-text-3 wide:sr-only">
        {' '}
        in <code>{name}</code>
      </span>
    </span>
  )
}

const missingWords: Readonly<Record<NonNullable<Compared['missing']>, string>> = {
  'too-few': 'Too few users or events to compare',
  'no-units': 'Not recorded in both versions',
  'no-positive-mean': 'Too few to compare',
  'no-variance': 'Too few different values',
  'lowest-bucket': 'Too small to compare',
  unusable: 'Cannot be computed',
}

function Change({ row: { metric, change, missing, users } }: { row: Compared }) {
  if (change === null) {
    return (
      <span
        className="text-text-3"
        title={`${countOf(users.base, 'user')} and ${countOf(users.version, 'user')}`}
      >
        {missingWords[missing ?? 'unusable']}
      </span>
    )
  }
  const { estimate, lower, upper } = change
  const isCertain = lower > 0 || upper < 0
  return (
    <span className="grid py-4">
      <span className={isCertain ? 'font-medium' : 'text-text-2'}>
        {changeText(metric, estimate)}
        {!isCertain && <span className="font-regular text-12 text-text-3"> not sure yet</span>}
      </span>
      <span className="whitespace-nowrap text-12 text-text-3">
        {changeText(metric, lower)} to {changeText(metric, upper)}
      </span>
    </span>
  )
}

function Interval({ row: { metric, change }, reach }: { row: Compared; reach: number }) {
  if (change === null) return null
  const { estimate, lower, upper } = change
  return (
    <ChangeInterval
      change={estimate}
      lower={lower}
      upper={upper}
      reach={reach}
      label={`${titleOf(metric)}: ${changeText(metric, lower)} to ${changeText(metric, upper)}`}
      tone={lower > 0 ? 'more' : upper < 0 ? 'less' : 'same'}
    />
  )
}
