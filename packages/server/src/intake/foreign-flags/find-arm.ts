// Maps a reported value to its variation and, where a split assigned it, to the arm.

import type { FlagRead } from '@telltale/core/contract/events'
import { type DerivedArm, deriveArm, type Unclaimed } from '@telltale/core/evaluation/derive-arm'
import type { ReportedValue } from '@telltale/core/telemetry/reported-values'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { BoundName } from '../events/steps/bound-names.ts'
import type { Sighting } from './carry-flags.ts'
import type { FlagHistory, KnownFlag } from './flag-histories.ts'
import type { KnownSession } from './known-sessions.ts'
import { findLabel, showValue } from './label-value.ts'
import { findOverridesOf } from './load-flag-pasts.ts'

export interface FoundRead {
  read: FlagRead
  /** Undefined with an arm, or when it is not one of our flags. */
  without: Unclaimed | 'overridden' | undefined
}

export interface ArmFinder {
  /** Users with an override. */
  readOverrides(db: Queryable, sightings: readonly Sighting[]): Promise<void>
  find(requested: ReadQuery): FoundRead
  /** When the flag's configuration changed, in order, by the client's clock. */
  changesOf(flag: string, offset: number): readonly number[]
}

interface ReadQuery {
  flag: string
  reported: ReportedValue
  session: KnownSession
  /** By the client's clock. */
  at: number
  /** Added to it for server time. */
  offset: number
}

interface Parts {
  history: FlagHistory
  environment: { id: string }
  boundName: BoundName
}

const noOverrides: ReadonlyMap<string, ReadonlySet<string>> = new Map()

export function createArmFinder({ history, environment, boundName }: Parts): ArmFinder {
  let overrides = noOverrides
  const found = new Map<ReportedValue, Map<number, FoundRead>>()

  const claim = (
    known: KnownFlag,
    { flag, reported, session, at, offset }: ReadQuery,
    variations: readonly string[],
  ) => {
    const targetingKey = reported.userKey === '' ? reported.anonymousId : reported.userKey
    const isTheirs = reported.userKey === '' || session.userKey === reported.userKey
    const context = {
      ...(isTheirs ? session.attributes : {}),
      ...(reported.anonymousId !== '' && { anonymousId: reported.anonymousId }),
      ...(targetingKey !== '' && { targetingKey }),
    }
    const derive = (moment: number) =>
      deriveArm({ ruleSet: known.ruleSetAt(moment + offset), flag, context, variations })
    const first = derive(at)
    // A page that stays open keeps the value from before the last change.
    const isOther = 'without' in first && first.without === 'other-variation' && at !== reported.from
    return isOther ? derive(reported.from) : first
  }

  const make = (requested: ReadQuery): FoundRead => {
    const { flag, reported } = requested
    const known = history.find(flag)
    const label = findLabel(reported.value)
    const variations = label === undefined ? known?.byValue.get(reported.value) : [label]
    const [variation] = variations ?? []
    if (known === undefined || variations === undefined || variation === undefined) {
      const shown = label ?? showValue(reported.value)
      return { read: { flag, variation: boundName(environment.id, 'flag', shown) }, without: undefined }
    }
    const targetingKey = reported.userKey === '' ? reported.anonymousId : reported.userKey
    if (overrides.get(targetingKey)?.has(known.id))
      return { read: { flag, variation }, without: 'overridden' }
    const derived: DerivedArm = claim(known, requested, variations)
    return 'arm' in derived
      ? { read: { flag, ...derived.arm }, without: undefined }
      : { read: { flag, variation }, without: derived.without }
  }

  return {
    async readOverrides(db, sightings) {
      const flags = new Set(sightings.map(({ flag }) => history.find(flag)))
      const flagIds = [...flags].flatMap((known) => (known?.hasOverrides ? known.id : []))
      if (flagIds.length === 0) return
      const people = sightings.map(({ reported }) =>
        reported.userKey === '' ? reported.anonymousId : reported.userKey,
      )
      overrides = await findOverridesOf(db, { environmentId: environment.id, flagIds }, [...new Set(people)])
    },
    changesOf: (flag, offset) => (history.find(flag)?.changes ?? []).map((at) => at - offset),
    find(requested) {
      const { reported, flag } = requested
      // After that, the last reported value still applies to the page.
      const at = Math.max(reported.from, Math.min(requested.at, reported.until))
      const changes = history.find(flag)?.changes ?? []
      const moment = changes.findLastIndex((change) => change <= at + requested.offset)
      const ofReported = found.get(reported) ?? new Map<number, FoundRead>()
      found.set(reported, ofReported)
      const known = ofReported.get(moment) ?? make({ ...requested, at })
      ofReported.set(moment, known)
      return known
    },
  }
}
