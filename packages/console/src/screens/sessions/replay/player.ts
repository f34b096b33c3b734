// A replay in playback: its state and controls for the screen around the picture. Times are milliseconds since
// 1970 by the server's clock, as for segments, events and notes.

export interface Span {
  readonly from: number
  readonly to: number
}

/** A part of a tab that cannot be shown. */
export interface ReplayGap extends Span {
  readonly tab: string
  readonly why: 'missing' | 'no-beginning' | 'broken'
  /** Segments that never arrived. */
  readonly missing: number
}

export type Speed = 1 | 2 | 4 | 8
export const speeds: readonly Speed[] = [1, 2, 4, 8]

/** Reports of the recorder: it wrote changes less often, left out detail, blocked a part, stopped, or lost data. */
export interface RecorderNote {
  readonly at: number
  readonly tab: string
  readonly kind: 'throttled' | 'thinned' | 'blocked' | 'stopped' | 'lost'
  /** Of `throttled` and `blocked`: the selector of the part, empty for the whole page; of `stopped`: the reason. */
  readonly detail: string
}

export interface ReplayPrivacy {
  readonly level: 'mask-all' | 'mask-inputs' | 'allow'
  /** The trigger of the recording: `sampled`, `error`, `rage`, `slow`, `flag`, `look-back`. */
  readonly reason: string
}

export interface PlayerState {
  /** `ready` from the first picture on. */
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isPlaying: boolean
  /** Playing, but waiting for data. */
  readonly isBuffering: boolean
  /** The playhead is at the end. */
  readonly hasEnded: boolean
  readonly at: number
  readonly startsAt: number
  /** Grows while the session continues. */
  readonly endsAt: number
  readonly speed: Speed
  readonly isSkippingIdle: boolean
  /** Skipped a moment ago. */
  readonly idle: Span | undefined
  /** The shown tab has data at the playhead. */
  readonly hasPicture: boolean
  /** The playhead is inside it. */
  readonly gap: ReplayGap | undefined
  /** Gaps of the index, and broken segments. */
  readonly gaps: readonly ReplayGap[]
  /** The shown tab: the one in use at the playhead, unless another was selected. */
  readonly tab: string
  /** In order of start. */
  readonly tabs: readonly string[]
  /** The recorded window, CSS pixels. */
  readonly page: { readonly width: number; readonly height: number } | undefined
  readonly privacy: ReplayPrivacy | undefined
  /** From the segments loaded so far, in order. */
  readonly notes: readonly RecorderNote[]
  /** With `failed`: the message; `retry` tries again. */
  readonly problem: string | undefined
}

export interface Player {
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  getState(): PlayerState
  play(): void
  pause(): void
  toggle(): void
  seek(at: number): void
  seekBy(milliseconds: number): void
  setSpeed(speed: Speed): void
  setSkipIdle(isSkipping: boolean): void
  /** Pins this tab, even while another is in use; undefined to follow the playhead again. */
  showTab(tab: string | undefined): void
  retry(): void
}
