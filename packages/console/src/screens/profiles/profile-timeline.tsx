import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { Profile } from '../../api/profiles.ts'
import type { DrawnBox } from '../../charts/flame-box.ts'
import { FlameChart } from '../../charts/flame-chart.tsx'
import { useWidth } from '../../charts/use-width.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { functionTimes } from './call-tree.ts'
import { FindField } from './find-field.tsx'
import { findFunctions } from './find-functions.ts'
import { originsOf } from './flame-view.tsx'
import { fileOf, nameOf, whereOf } from './frame-words.ts'
import { LongFrameList } from './long-frame-list.tsx'
import { MissingMapsHint } from './missing-maps-hint.tsx'
import { MomentLink } from './moment-link.tsx'
import { ProfileFacts } from './profile-facts.tsx'
import { ProfileRuler } from './profile-ruler.tsx'
import { layoutSpans, nodesOf, type Span, spansOf } from './profile-spans.ts'
import type { ProfileSearch } from './profiles-search.ts'
import { type TimeWindow, windowOf, zoomed } from './time-window.ts'

/** Timeline: stacks over time, with the long frames and the position in the session. */
export function ProfileTimeline({ profile }: { profile: Profile }) {
  const search = useSearch({ from: '/p/$project/profiles/one/$profile' })
  const navigate = useNavigate({ from: '/p/$project/profiles/one/$profile' })
  const set = (change: ProfileSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const nodes = useMemo(() => nodesOf(profile), [profile])
  const functions = useMemo(() => functionTimes(nodes), [nodes])
  const { find = '' } = search
  const found = useMemo(() => (find === '' ? undefined : findFunctions(nodes, find)), [nodes, find])
  const shown = windowOf(profile, search)
  const show = ({ from, to }: TimeWindow) => set({ from: Math.round(from), to: Math.round(to) })

  return (
    <>
      {!profile.mapped && <MissingMapsHint />}
      <ProfileFacts profile={profile} />
      <Panel
        title="Timeline"
        note="width: time, sampled every 10 ms"
        flush
        actions={
          <>
            <Button size="small" onClick={() => show(zoomed(shown, 0.5, profile.duration))}>
              Zoom in
            </Button>
            <Button
              size="small"
              disabled={shown.from === 0 && shown.to === profile.duration}
              onClick={() => show(zoomed(shown, 2, profile.duration))}
            >
              Zoom out
            </Button>
            <FindField text={find} onText={(next) => set({ find: next || undefined }, true)} found={found} />
          </>
        }
      >
        {profile.samples.length === 0 ? (
          <Empty title="Idle">No script ran during this profile.</Empty>
        ) : (
          <Spans profile={profile} shown={shown} onShow={show} />
        )}
      </Panel>
      <LongFrameList profile={profile} nodes={functions} onShow={show} />
    </>
  )
}

type SpansProps = { profile: Profile; shown: TimeWindow; onShow: (window: TimeWindow) => void }

function Spans({ profile, shown, onShow }: SpansProps) {
  const { at, find = '' } = useSearch({ from: '/p/$project/profiles/one/$profile' })
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const spans = useMemo(() => spansOf(profile), [profile])
  const origin = useMemo(() => originsOf(profile), [profile])
  const [current, setCurrent] = useState<number>()
  const [pointed, setPointed] = useState<number>()
  const wanted = find.trim().toLowerCase()
  const { from, to } = shown
  const boxes = useMemo(
    () =>
      layoutSpans(spans, { from, to, width }).map((box): DrawnBox => {
        const span = spans[box.id]
        if (span === undefined || box.more > 1) {
          const name = `${box.more} more`
          return { ...box, name, label: `${name}, each too short to show`, look: 'native', isFaint: true }
        }
        const isFound =
          wanted !== '' && `${nameOf(span.frame)} ${fileOf(span.frame)}`.toLowerCase().includes(wanted)
        return {
          ...box,
          name: nameOf(span.frame),
          note: durationText(span.to - span.from),
          look: origin(span.frame),
          isMarked: isFound,
          isFaint: wanted !== '' && !isFound,
          label: `${nameOf(span.frame)} ${durationText(span.to - span.from)}, at ${durationText(span.from)}`,
        }
      }),
    [spans, from, to, width, origin, wanted],
  )
  const detail = spans[pointed ?? current ?? boxes[0]?.id ?? -1]
  return (
    <>
      <div className="max-h-[70vh] overflow-y-auto px-14 py-12">
        <div ref={frame} className="relative min-w-0">
          {width > 0 && (
            <>
              <ProfileRuler profile={profile} shown={shown} width={width} at={at} />
              {boxes.length === 0 ? (
                <p className="py-16 text-text-2">Idle in this time range.</p>
              ) : (
                <FlameChart
                  label={`Stacks over time, from ${durationText(from)} to ${durationText(to)}`}
                  boxes={boxes}
                  current={current ?? boxes[0]?.id ?? 0}
                  onCurrent={setCurrent}
                  onPoint={setPointed}
                  onOpen={(id) => {
                    const span = spans[id]
                    if (span) onShow({ from: span.from, to: Math.max(span.to, span.from + 1) })
                  }}
                  onChoose={setCurrent}
                  onBack={() => onShow(zoomed(shown, 2, profile.duration))}
                />
              )}
            </>
          )}
        </div>
      </div>
      <footer className="flex min-h-row flex-wrap items-center gap-x-10 gap-y-2 border-line border-t px-14 py-6 text-12 text-text-2">
        {detail ? <SpanDetail span={detail} profile={profile} /> : 'Use the arrow keys to move.'}
      </footer>
    </>
  )
}

function SpanDetail({ span, profile }: { span: Span; profile: Profile }) {
  return (
    <>
      <code className="min-w-0 max-w-full truncate font-strong text-text">{nameOf(span.frame)}</code>
      <span>
        {durationText(span.to - span.from)}, from {durationText(span.from)} on
      </span>
      <code className="min-w-0 truncate text-text-3">{whereOf(span.frame)}</code>
      <span className="ml-auto">
        <MomentLink profile={profile} at={span.from}>
          This moment in the session
        </MomentLink>
      </span>
    </>
  )
}
