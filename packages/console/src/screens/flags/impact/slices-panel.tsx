import { useQuery } from '@tanstack/react-query'
import {
  type ImpactMetric,
  type ImpactSlices,
  impactSlicesQuery,
  type SliceField,
} from '../../../api/impact.ts'
import { ForestRow } from '../../../charts/forest-row.tsx'
import { changeScale } from '../../../charts/harm-scale.ts'
import { oneSidedText } from '../../../features/impact/metric-words.ts'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { changeOf, estimateText, hasChange, intervalText, valueText } from '../../../ui/text/effect-text.ts'
import { fullCountText } from '../../../ui/text/measure-text.ts'
import { Time } from '../../../ui/text/time.tsx'
import { useConfigRef } from '../flag-context.ts'
import { sliceFields } from './impact-search.ts'
import { type Compared, useImpactSearch } from './use-compared.ts'

const names: Record<SliceField, string> = {
  browser: 'Browser',
  device: 'Device',
  country: 'Country',
  version: 'Version',
}

/** The same metric by segment. Without verdicts: among many segments, one always looks unusual. */
export function SlicesPanel({ compared, metric }: { compared: Compared; metric: ImpactMetric }) {
  const { search, set } = useImpactSearch()
  const by = search.by ?? 'browser'
  const slices = useQuery(impactSlicesQuery(useConfigRef(), { ...compared.choiceOf(metric.metric), by }))

  return (
    <Panel
      title={`${metric.name} by ${names[by].toLowerCase()}`}
      note="intervals corrected for the number of segments"
      actions={
        <Segmented
          label="Segment by"
          choices={sliceFields.map((value) => ({ value, label: names[value] }))}
          value={by}
          onValue={(next) => set({ by: next })}
        />
      }
      flush
      footer={
        slices.data && (
          <>
            Simultaneous intervals, so each is wider than the overall interval. From events since{' '}
            <Time at={slices.data.from} />.
          </>
        )
      }
    >
      <Async of={slices} empty={<Empty title="No segments">No recent measurements.</Empty>}>
        {(found) => <SliceTable slices={found} by={by} limit={metric.limit} />}
      </Async>
    </Panel>
  )
}

function SliceTable({ slices, by, limit }: { slices: ImpactSlices; by: SliceField; limit: number }) {
  const { better } = slices
  const rows = slices.items.map((slice) => ({
    ...slice,
    name: slice.value || 'not recorded',
    change: hasChange(slice.harm)
      ? { ...changeOf(slice.harm, better), limit: better === 'lower' ? limit : -limit }
      : undefined,
  }))
  const scale = changeScale(rows.flatMap(({ change }) => (change === undefined ? [] : [change])))

  return (
    <PlainTable
      label={`By ${names[by].toLowerCase()}`}
      rows={rows}
      rowId={({ value }) => value}
      columns={[
        {
          id: 'value',
          header: names[by],
          cell: ({ name }) => (
            <span className="block truncate" title={name}>
              {name}
            </span>
          ),
        },
        {
          id: 'users',
          header: 'Users',
          align: 'end',
          cell: ({ units }) => (
            <span className="text-text-2">
              {fullCountText(units.treatment)} and {fullCountText(units.control)}
            </span>
          ),
        },
        {
          id: 'values',
          header: 'Values',
          align: 'end',
          cell: ({ values }) =>
            values === null
              ? '–'
              : `${valueText(slices, values.control)} → ${valueText(slices, values.treatment)}`,
        },
        {
          id: 'change',
          header: 'Change',
          align: 'end',
          cell: ({ change, values }) =>
            change === undefined ? (
              <span className="text-12 text-text-3">{oneSidedText(values) ?? 'Too few to compare'}</span>
            ) : (
              <>
                <b className="block font-strong">{estimateText(change.est)}</b>
                <span className="text-12 text-text-3">{intervalText(change)}</span>
              </>
            ),
        },
        {
          id: 'interval',
          header: 'Interval',
          cell: ({ name, change }) => (
            <span className="block w-[180px]">
              {change && (
                <ForestRow
                  change={change}
                  scale={scale}
                  label={`${name} ${estimateText(change.est)}, interval ${intervalText(change)}`}
                />
              )}
            </span>
          ),
        },
      ]}
    />
  )
}
