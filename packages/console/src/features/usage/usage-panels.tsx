import { useQuery } from '@tanstack/react-query'
import { type Meter, meters } from '@telltale/core/usage/meters'
import { useMemo } from 'react'
import { type Usage, usageExportAddress, usageQuery } from '../../api/usage.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { chartUsage, groupUsage, sumUsage, type UsageDimension, type UsageGroup } from './sum-usage.ts'
import { groupings, periods, type UsageSearch } from './usage-search.ts'
import { amountText, meterWords } from './usage-words.ts'

const dimensionWords: Readonly<Record<UsageDimension, string>> = {
  project: 'Project',
  environment: 'Environment',
  key: 'SDK key',
  application: 'Application',
}

const groupTitles: Readonly<Record<UsageDimension, string>> = {
  project: 'By project',
  environment: 'By environment',
  key: 'By SDK key',
  application: 'By application',
}

interface UsagePanelsProps {
  /** Undefined: every project. */
  project: string | undefined
  search: UsageSearch
  onSearch: (change: UsageSearch) => void
}

const dayLength = 10
const msPerDay = 86_400_000
/** Days are those of the meters, in UTC. */
const firstDay = (days: number) =>
  new Date(Date.now() - (days - 1) * msPerDay).toISOString().slice(0, dayLength)

/** Meters of a project or of the installation: one as a chart, all as a table. */
export function UsagePanels({ project, search, onSearch }: UsagePanelsProps) {
  const { days = 30, meter = 'events' } = search
  const by: UsageDimension = project === undefined ? 'project' : (search.by ?? 'environment')
  const question = { from: firstDay(days), groupBy: by === 'project' ? 'day' : `day,${by}` }
  const usage = useQuery(usageQuery(project, question))
  const name = `usage-${project ?? 'installation'}.csv`
  return (
    <>
      <div className="flex flex-wrap items-end gap-8">
        <Select
          label="Meter"
          options={meters.map((value) => ({ value, label: meterWords[value] }))}
          value={meter}
          onValue={(value) => onSearch({ meter: value })}
        />
        {project !== undefined && (
          <Select
            label="Group by"
            options={groupings.map((value) => ({ value, label: dimensionWords[value] }))}
            value={search.by ?? 'environment'}
            onValue={(value) => onSearch({ by: value })}
          />
        )}
        <Segmented
          label="Period"
          choices={periods.map((value) => ({ value: String(value), label: `${value} days` }))}
          value={String(days)}
          onValue={(value) => onSearch({ days: periods.find((one) => String(one) === value) })}
        />
        <a
          className="ml-auto inline-flex h-ctl items-center gap-6"
          href={usageExportAddress(project, question)}
          download={name}
        >
          <Icon name="out" className="size-16" />
          Download CSV
        </a>
      </div>
      <Async
        of={usage}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <Empty title="Nothing was used in this period">
            Usage is counted from the first event or flag evaluation on, with a few seconds of delay.
          </Empty>
        }
      >
        {(found) => <Counted usage={found} by={by} meter={meter} />}
      </Async>
    </>
  )
}

function Counted({ usage, by, meter }: { usage: Usage; by: UsageDimension; meter: Meter }) {
  const chart = useMemo(() => chartUsage(usage, { by, meter }), [usage, by, meter])
  const groups = useMemo(() => groupUsage(usage.rows, by, meter), [usage, by, meter])
  const sums = sumUsage(groups)
  const total = amountText(meter, sums[meter])
  return (
    <>
      <Panel title={meterWords[meter]} note={`${total} in total, days in UTC`}>
        <TimeChart
          {...chart}
          label={`${meterWords[meter]} by day: ${total}`}
          format={(value) => amountText(meter, value)}
          timeZone="UTC"
          isStacked
          height={200}
        />
      </Panel>
      <Panel title={groupTitles[by]} flush>
        <UsageTable groups={groups} by={by} sums={sums} />
      </Panel>
    </>
  )
}

interface UsageTableProps {
  groups: readonly UsageGroup[]
  by: UsageDimension
  sums: UsageGroup['totals']
}

function UsageTable({ groups, by, sums }: UsageTableProps) {
  const used = meters.filter((meter) => sums[meter] > 0)
  const total: UsageGroup = { id: 'total', name: 'Total', totals: sums }
  return (
    <PlainTable
      label={`Usage by ${dimensionWords[by]}`}
      rows={groups.length > 1 ? [...groups, total] : groups}
      rowId={({ id }) => id}
      columns={[
        {
          id: 'name',
          header: dimensionWords[by],
          cell: (group) => (
            <span className={`block truncate ${group === total ? 'font-medium' : ''}`}>{group.name}</span>
          ),
        },
        ...used.map((meter) => ({
          id: meter,
          header: meterWords[meter],
          align: 'end' as const,
          cell: ({ totals }: UsageGroup) => (
            <span className="tabular-nums">{amountText(meter, totals[meter])}</span>
          ),
        })),
      ]}
    />
  )
}
