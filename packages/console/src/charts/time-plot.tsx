import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { groupMarkers } from './group-markers.ts'
import { PlotReadout, type Pointed } from './plot-readout.tsx'
import { stackSeries } from './stack-series.ts'
import type { TimeChartProps } from './time-chart.tsx'

const lane = 18
const lowBelow = 120
const axisWidth = 56
const axisFont = '11px "Geist Variable", ui-sans-serif, system-ui, sans-serif'

/** The only file that uses uPlot. Redraws when the data, the width or the theme change. */
export function TimePlot(props: TimeChartProps & { height: number }) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [pointed, setPointed] = useState<Pointed>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new data redraws; the rest is read through `latest`.
  useEffect(() => {
    const element = host.current
    if (!element) return
    let plot = draw(element, latest.current, setPointed)
    const redraw = () => {
      plot.destroy()
      plot = draw(element, latest.current, setPointed)
    }
    const sizes = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: latest.current.height }),
    )
    sizes.observe(element)
    const themes = new MutationObserver(redraw)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', redraw)
    return () => {
      sizes.disconnect()
      themes.disconnect()
      system.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [
    props.times,
    props.series,
    props.markers,
    props.boundary,
    props.height,
    props.timeZone,
    props.isStacked,
    props.span?.from,
    props.span?.to,
  ])

  return (
    <div className="relative">
      <div ref={host} role="img" aria-label={props.label} style={{ minHeight: props.height }} />
      {pointed && <PlotReadout {...props} pointed={pointed} />}
    </div>
  )
}

type Drawn = TimeChartProps & { height: number }

/**
 * Leaves room above the highest value. Always includes zero and the threshold, however far they are from the
 * values.
 */
function heightOf(found: readonly (number | null | undefined)[]): [low: number, high: number] {
  const known = found.filter((value) => value != null)
  const low = Math.min(0, ...known)
  const high = Math.max(0, ...known)
  return [low * 1.08, (high || (low < 0 ? 0 : 1)) * 1.08]
}

function draw(element: HTMLElement, props: Drawn, onPoint: (pointed: Pointed | undefined) => void): uPlot {
  const { times, format, timeZone, markers = [], height, group, onSpan, isStacked = false } = props
  const series = isStacked ? stackSeries(props.series) : props.series
  const hasBars = series.some(({ kind }) => kind === 'bars')
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const color = (name: string) => resolveColor(element, token(name))
  const grid = { stroke: color('line'), width: 1 }

  const options: uPlot.Options = {
    width: element.clientWidth || 300,
    height,
    // Half a label of the time axis may overhang the last instant.
    padding: [markers.length > 0 ? lane + 4 : 8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      ...(group ? { sync: { key: group, setSeries: true } } : {}),
      y: false,
      drag: { x: onSpan !== undefined, y: false, setScale: false },
    },
    ...(timeZone ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1_000), timeZone) } : {}),
    scales: {
      x: { time: true, ...spanOf(props, hasBars) },
      y: { range: (_plot, low, high) => heightOf([low, high, props.boundary?.value]) },
    },
    axes: [
      {
        stroke: color('text-3'),
        font: axisFont,
        grid: { show: false },
        ticks: { ...grid, size: 4 },
        size: 28,
        values: (...[, instants, , , step]) => timeLabels(instants, step, timeZone),
      },
      {
        stroke: color('text-3'),
        font: axisFont,
        grid,
        ticks: { show: false },
        size: axisWidth,
        // Even a low chart has room for two values.
        ...(height < lowBelow ? { space: 16 } : {}),
        values: (_plot, values) => values.map(format),
      },
    ],
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        stroke: color(one.color),
        // Without this, the border of a zero-height bar would show as a line.
        width: one.kind === 'bars' ? 0 : 1.5,
        points: { show: true, size: 4, filter: lonePoints },
        spanGaps: false,
        ...(one.kind === 'bars' && uPlot.paths.bars
          ? { paths: uPlot.paths.bars({ size: [0.8], align: 1 }), fill: color(one.color) }
          : {}),
      })),
    ],
    hooks: {
      draw: [(plot) => palePartial(plot, props, color('surface')), (plot) => drawMarks(plot, props, color)],
      setCursor: [
        ({ cursor: { idx, left = -1 } }) =>
          onPoint(idx == null || left < 0 ? undefined : { index: idx, left: left + axisWidth }),
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select
          if (width > 4) onSpan?.(plot.posToVal(left, 'x') * 1_000, plot.posToVal(left + width, 'x') * 1_000)
        },
      ],
    },
  }
  const columns: uPlot.AlignedData = [
    times.map((at) => at / 1_000),
    ...series.map(({ values }) => [...values]),
  ]
  return new uPlot(options, columns, element)
}

/** A value with gaps on both sides is invisible as a line. */
function lonePoints({ data }: uPlot, series: number): number[] {
  const values: (number | null | undefined)[] = [...(data[series] ?? [])]
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** Bars start at their instant, so the last one needs room too. */
function spanOf({ span, times }: TimeChartProps, hasBars: boolean): { range?: [number, number] } {
  const first = times[0]
  const last = times.at(-1)
  if (first === undefined || last === undefined) return {}
  const step = times.length > 1 ? last - (times.at(-2) ?? last) : 0
  if (!span) return hasBars ? { range: [first / 1_000, (last + step) / 1_000] } : {}
  return {
    range: [Math.min(first, span.from) / 1_000, Math.max(hasBars ? last + step : last, span.to) / 1_000],
  }
}

function palePartial(plot: uPlot, { partial, times }: TimeChartProps, surface: string): void {
  if (!partial || partial.size === 0) return
  const { ctx, bbox } = plot
  ctx.save()
  ctx.globalAlpha = 0.5
  ctx.fillStyle = surface
  for (const at of partial) {
    const next = times[times.indexOf(at) + 1]
    const left = Math.max(bbox.left, plot.valToPos(at / 1_000, 'x', true))
    const right = next === undefined ? bbox.left + bbox.width : plot.valToPos(next / 1_000, 'x', true)
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}

const daySeconds = 86_400

/** `14:30`, and the date at the start of a day. */
function timeLabels(instants: readonly number[], step: number, timeZone: string | undefined): string[] {
  const zone = timeZone ? { timeZone } : {}
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone })
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone })
  return instants.map((instant) => {
    const time = clock.format(instant * 1_000)
    return step >= daySeconds || time === '00:00' ? date.format(instant * 1_000) : time
  })
}

/** Canvas does not support `light-dark()`: let the browser resolve it here. */
function resolveColor(element: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  element.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}

function drawMarks(plot: uPlot, props: TimeChartProps, color: (name: string) => string): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.font = axisFont.replace('11px', `${11 * ratio}px`)
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'

  if (props.boundary) {
    const y = plot.valToPos(props.boundary.value, 'y', true)
    if (y >= bbox.top) {
      dashed(ctx, color('warn-fill'), [bbox.left, y, bbox.left + bbox.width, y])
      ctx.fillStyle = color('text-2')
      ctx.fillText(props.boundary.label, bbox.left + 4 * ratio, y - 8 * ratio)
    }
  }
  const placed = (props.markers ?? []).map((marker, index) => ({
    ...marker,
    number: index + 1,
    x: plot.valToPos(marker.at / 1_000, 'x', true),
  }))
  for (const { x, members, isRollback, ...group } of groupMarkers(placed, lane * ratio)) {
    // The list of changes below has the details; here the next group starts a few pixels further.
    const text = members.length === 1 ? group.text : `${members.length}×`
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    dashed(ctx, color('text-3'), [x, bbox.top, x, bbox.top + bbox.height])
    const width = ctx.measureText(text).width + 8 * ratio
    ctx.fillStyle = color(isRollback ? 'bad-fill' : 'ink')
    ctx.fillRect(x, bbox.top - lane * ratio, width, 14 * ratio)
    ctx.fillStyle = color('on-ink')
    ctx.fillText(text, x + 4 * ratio, bbox.top - (lane - 7) * ratio)
  }
  ctx.restore()
}

function dashed(
  ctx: CanvasRenderingContext2D,
  stroke: string,
  [fromX, fromY, toX, toY]: [number, number, number, number],
): void {
  ctx.strokeStyle = stroke
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(fromX, fromY)
  ctx.lineTo(toX, toY)
  ctx.stroke()
}
