// What a browser sends besides events: replay segments, profiles, and the style sheets and fonts that replays need.
//
//   POST /intake/v1/replay?key=<client key>&batch=<UUIDv7, kept across retries>&sent=<client's clock, ms since 1970>
//   {"context":{"kind":"context","index":0,"session":"…","tab":"…",…},"segment":{"index":0,"format":"telltale-replay-1",…}}
//   <gzip: binary records, see docs/reference/replay-format.md; in the older format `rrweb-2`, lines of JSON, one event
//   of the page each; nodes added together are nested>
//
//   POST /intake/v1/profile?key=…&batch=…&sent=…
//   {"context":{…},"profile":{"format":"telltale-profile-1",…}}
//   <gzip: one JSON object, `Profile` below>
//
//   POST /intake/v1/asset?key=…&hash=<first half of SHA-256 as UUID>&type=text/css
//   <the bytes, plain or gzip>
//
// The first line describes what follows. It is never compressed, and the address contains no personal data. 202
// returns an `IntakeReceipt`: stored, received before, or dropped with one of `dropReasons`. Duplicates are detected
// by session, tab and index for a segment, by session, tab and start for a profile, and by hash for an asset.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { EventContext } from './events.ts'
import { Id } from './parameters.ts'

const Time = Type.Number({ minimum: 0, description: 'Milliseconds since 1970 by the clock of the client.' })
const Numbers = (description: string) =>
  Type.Array(Type.Integer({ minimum: -1, maximum: 2 ** 31 }), {
    maxItems: limits.profileNumbers,
    description,
  })

/** Why a session is recorded: it is in the sample, or something happened. */
export const replayReasons = ['sampled', 'error', 'rage', 'slow', 'flag'] as const

export const replayFormats = ['telltale-replay-1', 'rrweb-2'] as const
/** Formats of other vendors' clients, which arrive at a different endpoint. */
export const foreignReplayFormats = ['datadog-7'] as const
export const profileFormats = ['telltale-profile-1'] as const

export const SegmentHeader = Type.Object({
  context: EventContext,
  segment: Type.Object({
    index: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, description: 'Counted by tab and session.' }),
    startedAt: Time,
    endedAt: Time,
    records: Type.Integer({ minimum: 1, maximum: limits.replayRecords }),
    full: Type.Boolean({ description: 'Starts with a full snapshot of the page.' }),
    format: Type.Enum([...replayFormats]),
    reason: Type.Enum([...replayReasons]),
    assets: Type.Array(Id, { maxItems: limits.replayAssets }),
  }),
})
export type SegmentHeader = Static<typeof SegmentHeader>

export const ProfileHeader = Type.Object({
  context: EventContext,
  profile: Type.Object({
    startedAt: Time,
    duration: Type.Number({ minimum: 0, maximum: limits.profileWindow + 1_000 }),
    interval: Type.Number({ minimum: 1, maximum: 1_000, description: 'Milliseconds between two samples.' }),
    format: Type.Enum([...profileFormats]),
  }),
})
export type ProfileHeader = Static<typeof ProfileHeader>

/** Tables as flat lists of numbers; -1 means none. */
export const Profile = Type.Object({
  texts: Type.Array(Type.String(), { maxItems: limits.profileTexts }),
  frames: Numbers('Four numbers each: name, URL, line, column; the first two are indexes into `texts`.'),
  stacks: Numbers('Two numbers each: the frame and its calling stack, which comes before it.'),
  samples: Numbers('Two numbers each: milliseconds since the previous sample, and the running stack.'),
  longFrames: Type.Optional(Numbers('Two numbers each: milliseconds since the start, and the duration.')),
})
export type Profile = Static<typeof Profile>

export const assetTypes = ['text/css', 'font/woff2', 'font/woff', 'font/ttf', 'font/otf'] as const
export type AssetType = (typeof assetTypes)[number]
