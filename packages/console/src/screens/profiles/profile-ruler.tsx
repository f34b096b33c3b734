import type { Profile } from '../../api/profiles.ts'
import { durationText } from '../../ui/text/measure-text.ts'
import type { TimeWindow } from './time-window.ts'

type ProfileRulerProps = { profile: Profile; shown: TimeWindow; width: number; at: number | undefined }

const pixelsPerTick = 90
const rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]

/** The time axis at the top, long frames as bars below it, and the moment the user navigated from. */
export function ProfileRuler({ profile, shown, width, at }: ProfileRulerProps) {
  const { from, to } = shown
  const x = (time: number) => ((time - from) / Math.max(1e-6, to - from)) * width
  const step = rounds.find((one) => (one / (to - from)) * width >= pixelsPerTick) ?? to - from
  const first = Math.ceil(from / step)
  const ticks = Array.from(
    { length: Math.floor(to / step) - first + 1 },
    (_, index) => (first + index) * step,
  )
  const longFrames = profile.longFrames.filter((one) => one.at < to && one.at + one.duration > from)
  const isMarked = at !== undefined && at >= from && at <= to
  return (
    <div
      role="img"
      aria-label={`From ${durationText(from)} to ${durationText(to)}, ${longFrames.length} long frames${isMarked ? `, the moment at ${durationText(at)}` : ''}`}
      className="relative mb-4 h-32 overflow-hidden text-11 text-text-3"
    >
      {ticks.map((time) => (
        <span
          key={time}
          className="absolute top-0 border-line-strong border-l pl-4"
          style={{ left: x(time) }}
        >
          {durationText(time)}
        </span>
      ))}
      {longFrames.map((one) => (
        <span
          key={one.at}
          title={`Long frame, ${durationText(one.duration)}`}
          className="absolute bottom-0 h-12 overflow-hidden whitespace-nowrap rounded-chip bg-warn-soft px-4 text-warn shadow-[inset_0_-2px_0_var(--warn-fill)]"
          style={{
            left: Math.max(0, x(one.at)),
            width: Math.max(3, Math.min(width, x(one.at + one.duration)) - Math.max(0, x(one.at))),
          }}
        >
          {x(one.at + one.duration) - x(one.at) > 120 && `long frame ${durationText(one.duration)}`}
        </span>
      ))}
      {isMarked && (
        <span className="absolute inset-y-0 w-2 bg-accent" style={{ left: Math.min(width - 2, x(at)) }} />
      )}
    </div>
  )
}
