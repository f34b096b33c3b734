import { use, useMemo } from 'react'
import type { TileDataOf, TileOf } from '../../api/dashboards.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { TimeChart } from '../../charts/time-chart.tsx'
import { fieldLabel, readFields } from '../../ui/filter/field-words.ts'
import { changeText, countText, shareText } from '../../ui/text/measure-text.ts'
import { measureLabel, pointsText, valueFormat } from '../../ui/text/measure-words.ts'
import { sampleText } from '../../ui/text/sample-text.ts'
import { TimeZone } from '../../ui/text/time.tsx'
import { addsUp } from '../explore/explore-search.ts'
import { exploredSeries, exploredTimes } from '../explore/explored-series.ts'
import { groupName } from '../explore/group-name.ts'
import { colorOf } from '../explore/series-colors.ts'
import { chartHeights } from './dashboard-grid.tsx'
import { TileMarkers } from './tile-markers.ts'
import { TileNote } from './tile-note.tsx'
import { thingOf } from './tile-words.ts'

/** Pixels of the line below a chart that says that it is estimated. */
const sampleLine = 24
/** There a tile is as tall as its content. */
const asCards = matchMedia('(width < 720px)')

type ExploredTileProps = { tile: TileOf<'explore'>; data: TileDataOf<'explore'> }

export function ExploredTile({ tile, data }: ExploredTileProps) {
  if (data.now.total.events === 0 && (tile.chart !== 'number' || data.now.total.value === null))
    return <TileNote title="No events">None match in this time range.</TileNote>
  const Chart = charts[tile.chart]
  const sampled = sampleText(data.now.sample)
  return (
    <>
      <Chart tile={tile} data={data} />
      {sampled && <p className="pt-4 text-12 text-text-3">{sampled}</p>}
    </>
  )
}

const charts = { number: ExploredNumber, table: ExploredTable, line: ExploredChart, bar: ExploredChart }

function ExploredChart({ tile, data: { now } }: ExploredTileProps) {
  const timeZone = use(TimeZone) ?? now.timeZone
  const markers = use(TileMarkers)
  const isBar = tile.chart === 'bar'
  const isStacked = isBar && now.groups.length > 1 && addsUp(tile.measure)
  const { times, partial } = useMemo(() => exploredTimes(now), [now])
  const look = isBar ? 'bars' : 'lines'
  const series = useMemo(() => exploredSeries({ groups: now.groups, look }), [now, look])
  const hasValues = series.some(({ values }) => values.some((value) => value !== null))
  if (!hasValues) return <TileNote title="Too few events">A percentile needs 50 values in a step.</TileNote>
  return (
    <TimeChart
      label={`${measureLabel(thingOf(tile))} over time`}
      times={times}
      series={series}
      isStacked={isStacked}
      format={valueFormat(thingOf(tile))}
      markers={markers}
      timeZone={timeZone}
      span={{ from: Date.parse(now.from), to: Date.parse(now.to) }}
      partial={partial}
      height={chartHeights[tile.height] - (now.sample > 1 ? sampleLine : 0)}
      isBounded={!asCards.matches}
    />
  )
}

function ExploredNumber({ tile, data: { now, before } }: ExploredTileProps) {
  const { value, events } = now.total
  const former = before?.value ?? null
  const format = valueFormat(thingOf(tile))
  const change =
    tile.measure === 'share' && value !== null && former !== null
      ? pointsText(value - former)
      : changeText(value, former)
  const points = now.groups[0]?.points ?? []
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center justify-between gap-x-12 gap-y-4">
        <span className="font-medium text-28 tracking-[-.02em]">
          {value === null ? (
            <span className="text-14 text-text-3">too few for a percentile</span>
          ) : (
            format(value)
          )}
        </span>
        <Sparkline
          values={points.map((point) => point.value)}
          label={`${measureLabel(thingOf(tile))} over time`}
        />
      </p>
      <p className="text-12 text-text-2">
        {change === undefined || former === null ? (
          'No previous period to compare with'
        ) : (
          <>
            <b className="font-medium text-text">{change}</b> from {format(former)} in the previous period
          </>
        )}
      </p>
      {tile.measure !== 'count' && <p className="text-12 text-text-3">Of {countText(events)} events</p>}
    </div>
  )
}

function ExploredTable({ tile, data: { now } }: ExploredTileProps) {
  const format = valueFormat(thingOf(tile))
  const fields = readFields(tile.by)
  const whole = addsUp(tile.measure) ? (now.total.value ?? 0) : 0
  const name = fields.length === 0 ? 'Events' : fields.map(fieldLabel).join(', ')
  return (
    <table
      className="w-full border-separate border-spacing-0"
      aria-label={`${measureLabel(thingOf(tile))} by ${name}`}
    >
      <thead>
        <tr className="text-11 text-text-3 [&>th]:border-line [&>th]:border-b [&>th]:whitespace-nowrap [&>th]:pb-4 [&>th]:font-medium">
          <th scope="col" className="text-left">
            {name}
          </th>
          <th scope="col" className="pl-12 text-right">
            {measureLabel(thingOf(tile))}
          </th>
          {whole > 0 && (
            <th scope="col" className="pl-12 text-right">
              Share
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {now.groups.map(({ values, value }, order) => (
          <tr key={JSON.stringify(values)} className="[&>*]:border-line [&>*]:border-b [&>*]:py-6">
            <th
              scope="row"
              className="w-full max-w-0 truncate text-left font-regular"
              title={groupName(values)}
            >
              <span
                aria-hidden="true"
                className="mr-8 inline-block size-8 rounded-chip"
                style={{
                  background: `var(--${colorOf(order, { isOther: values === null, isAlone: now.groups.length === 1 })})`,
                }}
              />
              {groupName(values)}
            </th>
            <td className="whitespace-nowrap pl-12 text-right">
              {value === null ? <span className="text-text-3">too few</span> : format(value)}
            </td>
            {whole > 0 && (
              <td className="whitespace-nowrap pl-12 text-right text-text-2">
                {value === null ? '–' : shareText(value / whole)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
