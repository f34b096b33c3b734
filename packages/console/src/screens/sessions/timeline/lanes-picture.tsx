import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Session } from '../../../api/sessions.ts'
import { countOf, lengthText } from '../../../ui/measure-text.ts'
import { type Bar, layLanes, type Mark, type Pennant, spanOfLanes } from './lanes.ts'
import type { Moment } from './moments.ts'

type LanesPictureProps = {
  session: Session
  moments: readonly Moment[]
  /** Milliseconds since the session began; undefined while nothing is chosen. */
  playhead: number | undefined
  /** What is at the playhead, for readers. */
  playheadText: string
  onSeek: (at: number) => void
}

const lane = 20
const names = ['Pages', 'Flags', 'Activity', 'Trouble', 'Slow', 'Network']
const height = names.length * lane
const axis = 18
const barHeight = 14
const seekStep = 5_000

/** What happened, lane by lane over the time of the session. The slider over it moves the playhead, by hand and by keys. */
export function LanesPicture({ session, moments, playhead, playheadText, onSeek }: LanesPictureProps) {
  const { frame, width } = useWidth()
  const lanes = useMemo(
    () => layLanes({ session, moments, width, idleText: (span) => `idle ${idleText(span)}` }),
    [session, moments, width],
  )
  const length = useMemo(() => Math.ceil(spanOfLanes(session, moments)), [session, moments])
  const x = playhead === undefined ? undefined : (Math.min(playhead, length) / length) * width

  return (
    <div className="grid grid-cols-[60px_minmax(0,1fr)] gap-x-8">
      <ul aria-hidden="true" className="text-11 text-text-2">
        {names.map((name) => (
          <li key={name} className="flex h-20 items-center">
            {name}
          </li>
        ))}
      </ul>
      <div ref={frame} className="relative min-w-0">
        <svg
          role="img"
          aria-label={sentence(session)}
          width={width}
          height={height + axis}
          className="block overflow-visible text-11"
        >
          {names.map((name, index) => (
            <rect
              key={name}
              y={index * lane + 3}
              width={width}
              height={barHeight}
              rx="2"
              className="fill-sunken"
            />
          ))}
          <Pages bars={lanes.pages} />
          <Flags pennants={lanes.flags} />
          <Activity heights={lanes.activity} width={width} idle={lanes.idle} />
          <Trouble marks={lanes.trouble} />
          <Spans bars={lanes.slow} row={4} color="fill-warn-fill" tall />
          <Spans bars={lanes.network} row={5} color="fill-v2" />
          {lanes.ticks.map(({ x: at, at: time }) => (
            <text
              key={time}
              x={at}
              y={height + 13}
              textAnchor={at > width - 32 ? 'end' : 'start'}
              className="fill-text-3"
            >
              {lengthText(time)}
            </text>
          ))}
          {x !== undefined && <path d={`M${x} 0v${height}`} className="stroke-text" strokeWidth="1.5" />}
          {x !== undefined && <path d={`M${x - 5} -3h10l-5 6z`} className="fill-text" />}
        </svg>
        <input
          type="range"
          aria-label="Time in the session"
          aria-valuetext={`${lengthText(playhead ?? 0)} of ${lengthText(session.length)}${playheadText && `, ${playheadText}`}`}
          min={0}
          max={length}
          step={1}
          value={Math.round(playhead ?? 0)}
          onChange={(event) => onSeek(event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -seekStep, ArrowRight: seekStep }[event.key]
            if (step === undefined) return
            event.preventDefault()
            onSeek(Math.min(length, Math.max(0, (playhead ?? 0) + step)))
          }}
          style={{ height }}
          className="absolute inset-x-0 top-0 m-0 w-full cursor-pointer appearance-none bg-transparent [&::-webkit-slider-thumb]:size-1 [&::-webkit-slider-thumb]:appearance-none [&::-moz-range-thumb]:size-1 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-transparent"
        />
      </div>
    </div>
  )
}

function idleText(span: number): string {
  return span < 60_000 ? `${Math.round(span / 1_000)}\u00a0s` : `${Math.round(span / 60_000)}\u00a0min`
}

function sentence({ views, length, flags, trouble }: Session): string {
  return `${lengthText(length)} on ${countOf(views, 'page')}, ${countOf(flags.length, 'variation')} read, ${trouble === 0 ? 'no trouble' : `trouble ${countOf(trouble, 'time')}`}. The list of events says the same.`
}

function Pages({ bars }: { bars: readonly Bar[] }) {
  return bars.map(({ from, width, label }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages stay where they were, and repeat.
    <g key={index}>
      <title>{label}</title>
      <rect
        x={from}
        y={3}
        width={Math.max(1, width - 1)}
        height={barHeight}
        rx="2"
        className="fill-line-strong"
      />
      {width > 40 && (
        <foreignObject x={from} y={3} width={width - 4} height={barHeight}>
          <div className="truncate px-4 font-code text-11 leading-none [line-height:14px] text-text">
            {label}
          </div>
        </foreignObject>
      )}
    </g>
  ))
}

/** One that was read for the first time is an outline; one that became another is filled. */
function Flags({ pennants }: { pennants: readonly Pennant[] }) {
  return pennants.map(({ x, flag, variation, isChange }) => (
    <path
      key={`${flag} ${x} ${variation}`}
      d={`M${x} ${lane + 4}h7l2 6l-2 6h-7z`}
      strokeWidth="1"
      className={isChange ? 'fill-v1 stroke-v1' : 'fill-surface stroke-v1'}
    >
      <title>{`${flag} = ${variation}${isChange ? ', changed' : ''}`}</title>
    </path>
  ))
}

function Activity(props: { heights: readonly number[]; width: number; idle: readonly Bar[] }) {
  const { heights, width, idle } = props
  const step = width / Math.max(1, heights.length)
  const foot = 2 * lane + 3 + barHeight
  return (
    <>
      {heights.map((part, index) => {
        const tall = part === 0 ? 0 : 2 + part * (barHeight - 2)
        return tall === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
            key={index}
            x={index * step}
            y={foot - tall}
            width={Math.max(2, step - 3)}
            height={tall}
            className="fill-control"
          />
        )
      })}
      {idle.map(({ from, width: wide, label }) => (
        <g key={from}>
          <rect
            x={from + 2}
            y={2 * lane + 3}
            width={Math.max(0, wide - 4)}
            height={barHeight}
            className="fill-hover"
          />
          <text x={from + wide / 2} y={2 * lane + 14} textAnchor="middle" className="fill-text-3">
            {label}
          </text>
        </g>
      ))}
    </>
  )
}

function Trouble({ marks }: { marks: readonly Mark[] }) {
  const middle = 3 * lane + lane / 2
  return marks.map(({ x, label, shape }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: several may lie at one place.
    <g key={index}>
      <title>{label}</title>
      {shape === 'error' ? (
        <path
          d={`M${x} ${middle - 6}l6 6l-6 6l-6 -6z`}
          className="fill-bad-fill stroke-surface"
          strokeWidth="1"
        />
      ) : (
        <circle cx={x} cy={middle} r="5" className="fill-surface stroke-bad-fill" strokeWidth="2" />
      )}
    </g>
  ))
}

function Spans({
  bars,
  row,
  color,
  tall = false,
}: {
  bars: readonly Bar[]
  row: number
  color: string
  tall?: boolean
}) {
  const tallness = tall ? barHeight - 2 : 5
  return bars.map(({ from, width, label, isBad }, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: several may lie at one place.
      key={index}
      x={from}
      y={row * lane + (lane - tallness) / 2}
      width={width}
      height={tallness}
      rx="1"
      className={isBad ? 'fill-bad-fill' : color}
    >
      <title>{label}</title>
    </rect>
  ))
}

const widthAtFirst = 640

function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(widthAtFirst)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const look = () => setWidth(Math.max(1, Math.floor(element.clientWidth)))
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return { frame, width }
}
