// What a recording adds to the lanes of its session, in milliseconds since the session started.

import type { Replay, ReplayNote } from '../../../api/replays.ts'
import type { NotedInstant, RecordedSpans } from '../timeline/lanes.ts'
import { activityOf } from './activity-of.ts'
import type { RecorderNote, ReplayGap } from './player.ts'
import { gapText, recorderNoteText } from './replay-words.ts'

interface Recorded {
  replay: Replay
  gaps: readonly ReplayGap[]
  sessionStart: number
}

export function recordedSpans({ replay, gaps, sessionStart }: Recorded): RecordedSpans {
  const { buckets, idle } = activityOf(replay)
  const since = (instant: number) => Math.max(0, instant - sessionStart)
  const span = <Span extends { from: number; to: number }>(one: Span) => ({
    from: since(one.from),
    to: since(one.to),
  })
  return {
    from: since(Date.parse(replay.startedAt)),
    to: since(Date.parse(replay.endedAt)),
    activity: buckets,
    idle: idle.map(span),
    gaps: gaps.map((gap) => ({ ...span(gap), label: gapText(gap) })),
  }
}

interface Noted {
  notes: readonly ReplayNote[]
  recorderNotes: readonly RecorderNote[]
  sessionStart: number
}

export interface NotedLine extends NotedInstant {
  readonly key: string
  /** Undefined: the recorder's own. */
  readonly note: ReplayNote | undefined
}

/** Notes of members and reports of the recorder, by time. */
export function notedInstants({ notes, recorderNotes, sessionStart }: Noted): NotedLine[] {
  return [
    ...notes.map((note) => ({
      key: note.id,
      at: Date.parse(note.at) - sessionStart,
      label: note.text,
      by: 'people' as const,
      note,
    })),
    ...recorderNotes.map((own) => ({
      key: `${own.at} ${own.tab} ${own.kind}`,
      at: own.at - sessionStart,
      label: recorderNoteText(own),
      by: 'recorder' as const,
      note: undefined,
    })),
  ].sort((one, other) => one.at - other.at)
}
