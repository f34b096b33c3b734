// What the console and the document of the player tell each other. The console fetches and keeps the time; the document reads,
// cleanses and shows. Neither trusts a recording: what the document tells of one is made of numbers and short texts.

/** From the console. `run`: since the picture began anew; what belongs to an older one is of no use any more. */
export type Order =
  | { readonly do: 'begin'; readonly run: number }
  | {
      readonly do: 'segment'
      readonly run: number
      readonly index: number
      /** Milliseconds since 1970 by the server's clock. */
      readonly startedAt: number
      readonly endedAt: number
      /** Lines of JSON, one event each. */
      readonly lines: string
    }
  /** Read for what it tells of assets alone. */
  | { readonly do: 'words'; readonly run: number; readonly lines: string }
  | { readonly do: 'asset'; readonly hash: string; readonly mime: string; readonly bytes: ArrayBuffer }
  | { readonly do: 'show'; readonly run: number; readonly at: number }

export interface ToldNote {
  readonly at: number
  readonly kind: 'throttled' | 'blocked' | 'stopped' | 'lost'
  readonly detail: string
}

export interface ToldPrivacy {
  readonly level: 'mask-all' | 'mask-inputs' | 'allow'
  readonly reason: string
}

export type Told =
  | {
      readonly told: 'read'
      readonly run: number
      readonly index: number
      readonly events: number
      /** When the person did something, in order. */
      readonly moments: readonly number[]
      readonly notes: readonly ToldNote[]
      readonly privacy: ToldPrivacy | undefined
    }
  /** Everything up to this moment is shown; no size while nothing could be built. */
  | {
      readonly told: 'shown'
      readonly run: number
      readonly at: number
      readonly page: { readonly width: number; readonly height: number } | undefined
    }
  /** Fonts or style sheets became known that the picture was built without. */
  | { readonly told: 'learned'; readonly run: number }
  /** The page with which this segment begins cannot be built. */
  | { readonly told: 'broken'; readonly run: number; readonly index: number }

/** Of the first message, which brings the port. */
export const greeting = 'telltale-replay'
export const playerPath = '/replay-player/'
