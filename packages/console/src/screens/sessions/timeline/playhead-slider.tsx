import { lengthText } from '../../../ui/text/measure-text.ts'
import type { Moment } from './moments.ts'
import { type Playhead, usePlaceIn, usePlayheadAt } from './playhead-place.ts'

type PlayheadSliderProps = {
  playhead: Playhead
  /** The event at the playhead, for screen readers. */
  moments: readonly Moment[]
  /** Of the lanes; a last request may end after the session. */
  length: number
  /** The announced length. */
  lasts: number
  width: number
  /** Of all lanes. */
  height: number
  /** Of the lanes that it covers. */
  reach: number
  onSeek: (at: number) => void
}

const seekStep = 5_000

/** The line through the lanes, and the slider that moves it by pointer and keyboard. */
export function PlayheadSlider(props: PlayheadSliderProps) {
  const { playhead, moments, length, lasts, width, height, reach, onSeek } = props
  const at = usePlayheadAt(playhead)
  const title = moments[usePlaceIn(moments, playhead)]?.title ?? ''
  const x = at === undefined ? undefined : (Math.min(at, length) / length) * width
  return (
    <>
      {x !== undefined && (
        <svg
          aria-hidden="true"
          width="12"
          height={height + 4}
          style={{ transform: `translate(${x - 6}px, -4px)` }}
          className="pointer-events-none absolute top-0 left-0 overflow-visible"
        >
          <path d={`M6 4v${height}`} className="stroke-text" strokeWidth="1.5" />
          <path d="M1 1h10l-5 6z" className="fill-text" />
        </svg>
      )}
      <input
        type="range"
        aria-label="Time in the session"
        aria-valuetext={`${lengthText(at ?? 0)} of ${lengthText(lasts)}${title && `, ${title}`}`}
        min={0}
        max={length}
        step={1}
        value={Math.round(at ?? 0)}
        onChange={(event) => onSeek(event.currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          const step = { ArrowLeft: -seekStep, ArrowRight: seekStep }[event.key]
          if (step === undefined) return
          event.preventDefault()
          onSeek(Math.min(length, Math.max(0, (at ?? 0) + step)))
        }}
        style={{ height: reach }}
        className="absolute inset-x-0 top-0 m-0 w-full cursor-pointer appearance-none bg-transparent [&::-webkit-slider-thumb]:size-1 [&::-webkit-slider-thumb]:appearance-none [&::-moz-range-thumb]:size-1 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-transparent"
      />
    </>
  )
}
