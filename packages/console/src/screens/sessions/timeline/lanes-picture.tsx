import { memo, type ReactNode, useMemo, useRef } from 'react'
import type { Session } from '../../../api/sessions.ts'
import { useWidth } from '../../../charts/use-width.ts'
import { countOf, lengthText } from '../../../ui/text/measure-text.ts'
import { Activity, Flags, Gaps, Notes, Pages, Spans, Trouble } from './lane-marks.tsx'
import { axisHeight, barHeight, laneHeight, topOf } from './lane-places.ts'
import {
  type Lanes,
  layOutLanes,
  type NotedInstant,
  type ProfiledSpan,
  type RecordedSpans,
  spanOfLanes,
} from './lanes.ts'
import type { Moment } from './moments.ts'
import type { Playhead } from './playhead-place.ts'
import { PlayheadSlider } from './playhead-slider.tsx'

type LanesPictureProps = {
  session: Session
  moments: readonly Moment[]
  playhead: Playhead
  onSeek: (at: number) => void
  recorded?: RecordedSpans | undefined
  profiles?: readonly ProfiledSpan[]
  notes?: readonly NotedInstant[]
  /** A link to a profile, over its bar. */
  profileLink?: (profile: ProfiledSpan) => ReactNode
}

const always = ['Pages', 'Flags', 'Activity', 'Issues', 'Slow', 'Network'] as const
type LaneName = (typeof always)[number] | 'Notes' | 'Profile'
const none: readonly never[] = []

/** Profiles are last: the slider does not cover them, so that their links work. */
function namesOf({ hasNotes, hasProfiles }: { hasNotes: boolean; hasProfiles: boolean }): LaneName[] {
  return [...always, ...(hasNotes ? ['Notes' as const] : []), ...(hasProfiles ? ['Profile' as const] : [])]
}

/** The events of a session in lanes over time. The slider above them moves the playhead. */
export function LanesPicture(props: LanesPictureProps) {
  const { session, moments, playhead, onSeek, recorded, profiles = none, notes = none } = props
  const frame = useRef<HTMLDivElement>(null)
  const width = Math.max(1, useWidth(frame))
  const lanes = useMemo(
    () =>
      layOutLanes({
        session,
        moments,
        width,
        recorded,
        profiles,
        notes,
        idleText: (span) => `idle ${idleText(span)}`,
      }),
    [session, moments, width, recorded, profiles, notes],
  )
  const length = useMemo(
    () => Math.ceil(spanOfLanes(session, { moments, recorded })),
    [session, moments, recorded],
  )
  const [hasNotes, hasProfiles] = [notes.length > 0, profiles.length > 0]
  const names = useMemo(() => namesOf({ hasNotes, hasProfiles }), [hasNotes, hasProfiles])
  const height = names.length * laneHeight

  return (
    <div className="grid grid-cols-[60px_minmax(0,1fr)] gap-x-8">
      <ul aria-hidden="true" className="text-11 text-text-2">
        {names.map((name) => (
          <li key={name} className="flex h-20 items-center">
            {name}
          </li>
        ))}
      </ul>
      <div ref={frame} className="relative min-w-0 overflow-clip [overflow-clip-margin:8px]">
        <Painted label={sentence(session)} lanes={lanes} names={names} width={width} height={height} />
        <PlayheadSlider
          playhead={playhead}
          moments={moments}
          length={length}
          width={width}
          height={height}
          onSeek={onSeek}
          lasts={Math.max(session.length, recorded?.to ?? 0)}
          reach={hasProfiles ? height - laneHeight : height}
        />
        {lanes.profiles.map(({ from, width: wide }, index) => (
          <span
            key={profiles[index]?.id}
            className="absolute *:absolute *:inset-0"
            style={{ left: from, top: height - laneHeight, width: wide, height: laneHeight }}
          >
            {profiles[index] && props.profileLink?.(profiles[index])}
          </span>
        ))}
      </div>
    </div>
  )
}

type PaintedProps = { label: string; lanes: Lanes; names: readonly LaneName[]; width: number; height: number }

/** Hundreds of elements that must not rerender while the playhead moves. */
const Painted = memo(function Painted({ label, lanes, names, width, height }: PaintedProps) {
  const rowOf = (name: LaneName) => names.indexOf(name)
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height + axisHeight}
      className="block overflow-visible text-11"
    >
      {names.map((name, row) => (
        <rect key={name} y={topOf(row)} width={width} height={barHeight} rx="2" className="fill-sunken" />
      ))}
      <Pages bars={lanes.pages} row={rowOf('Pages')} />
      <Gaps bars={lanes.gaps} height={height} />
      <Flags pennants={lanes.flags} row={rowOf('Flags')} />
      <Activity heights={lanes.activity} idle={lanes.idle} width={width} row={rowOf('Activity')} />
      <Trouble marks={lanes.trouble} row={rowOf('Issues')} />
      <Spans bars={lanes.slow} row={rowOf('Slow')} color="fill-warn-fill" thickness={12} />
      <Spans bars={lanes.network} row={rowOf('Network')} color="fill-v2" thickness={5} />
      {lanes.notes.length > 0 && <Notes notes={lanes.notes} row={rowOf('Notes')} />}
      {lanes.profiles.length > 0 && (
        <Spans bars={lanes.profiles} row={rowOf('Profile')} color="fill-fl-app" thickness={10} />
      )}
      {lanes.ticks.map(({ x, at }) => (
        <text
          key={at}
          x={x}
          y={height + 13}
          textAnchor={x > width - 32 ? 'end' : 'start'}
          className="fill-text-3"
        >
          {lengthText(at)}
        </text>
      ))}
    </svg>
  )
})

function idleText(span: number): string {
  return span < 60_000 ? `${Math.round(span / 1_000)}\u00a0s` : `${Math.round(span / 60_000)}\u00a0min`
}

function sentence({ views, length, flags, trouble }: Session): string {
  return `${lengthText(length)} on ${countOf(views, 'page')}, ${countOf(flags.length, 'variation')} evaluated, ${trouble === 0 ? 'no issues' : countOf(trouble, 'issue')}. The event list has the same information.`
}
