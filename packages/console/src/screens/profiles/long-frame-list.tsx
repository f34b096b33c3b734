import type { Profile } from '../../api/profiles.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { durationText, shareText } from '../../ui/text/measure-text.ts'
import type { FunctionTime } from './call-tree.ts'
import { FunctionName } from './function-name.tsx'
import { MomentLink } from './moment-link.tsx'
import { type TimeWindow, windowAround } from './time-window.ts'

type LongFrameListProps = {
  profile: Profile
  nodes: readonly FunctionTime[]
  onShow: (window: TimeWindow) => void
}

const shownAtMost = 12

/** The long animation frames, and the functions that took most of their time. */
export function LongFrameList({ profile, nodes, onShow }: LongFrameListProps) {
  const { longFrames, busyMs, duration } = profile
  const hottest = nodes.filter(({ self }) => self > 0).slice(0, shownAtMost)
  return (
    <div className="grid min-w-0 items-start gap-16 full:grid-cols-2">
      <Panel title="Top self time" flush>
        <PlainTable
          label="Top self time"
          rows={hottest}
          rowId={({ frame }) => keyOf(frame)}
          columns={[
            { id: 'function', header: 'Function', cell: ({ frame }) => <FunctionName frame={frame} /> },
            { id: 'self', header: 'Self time', align: 'end', cell: ({ self }) => durationText(self) },
            {
              id: 'share',
              header: 'of all',
              align: 'end',
              cell: ({ self }) => shareText(Math.min(1, self / Math.max(1, busyMs))),
            },
          ]}
        />
      </Panel>
      <Panel title="Long frames" note="over 50 ms" flush>
        {longFrames.length === 0 ? (
          <p className="px-14 py-12 text-text-2">No frame of this profile took longer than 50&nbsp;ms.</p>
        ) : (
          <PlainTable
            label="Long frames"
            rows={longFrames}
            rowId={({ at }) => String(at)}
            columns={[
              {
                id: 'at',
                header: 'At',
                cell: (one) => (
                  <Button size="small" onClick={() => onShow(windowAround(one, duration))}>
                    Show {durationText(one.at)}
                  </Button>
                ),
              },
              { id: 'long', header: 'Length', align: 'end', cell: ({ duration }) => durationText(duration) },
              {
                id: 'session',
                header: 'Session',
                align: 'end',
                cell: ({ at }) => (
                  <MomentLink profile={profile} at={at}>
                    Show in session
                  </MomentLink>
                ),
              },
            ]}
          />
        )}
      </Panel>
    </div>
  )
}
