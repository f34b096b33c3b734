import { type EnvironmentChange, positionMaximum } from '@telltale/core/contract/environments'
import { type Fault, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { canaryDrawAt } from '@telltale/core/telemetry/canary-arm'
import type { Static } from 'typebox'
import { normaliseOrigin } from './origin.ts'
import type { EnvironmentRow } from './queries.ts'
import { readScrubRules } from './scrub-rules.ts'
import { spellTimeZone } from './time-zone.ts'

export type SettingsDraft = Static<typeof EnvironmentChange>
export type Settings = Omit<
  EnvironmentRow,
  'id' | 'projectId' | 'key' | 'version' | 'createdAt' | 'managed' | 'flagsmith'
>

/** What an environment is like until somebody says otherwise. */
export function defaultSettings({ name, position }: { name: string; position: number }): Settings {
  return {
    name,
    colour: 'grey',
    position: Math.min(position, positionMaximum),
    timeZone: 'UTC',
    protected: false,
    approvalRequired: false,
    allowedOrigins: [],
    samplingSession: 100,
    samplingReplay: 10,
    samplingProfile: 1,
    privacyLevel: 'mask-all',
    privateTraits: [],
    sensitiveTraits: [],
    canarySince: null,
    canaryDraw: 0,
    retentionEvents: limits.retentionEvents,
    retentionReplays: limits.retentionReplays,
    retentionProfiles: limits.retentionProfiles,
    retentionExposures: limits.retentionExposures,
    scrub: { parameters: [], attributes: [], expressions: [] },
  }
}

/** Lays a draft over what is there. Throws `invalid-request` with every fault that the schema can't see. */
export function mergeSettings<Kept extends Settings>(kept: Kept, draft: SettingsDraft, now: Date): Kept {
  const { sampling, retentionDays } = draft
  const faults: Fault[] = []

  const merged = {
    ...kept,
    name: draft.name ?? kept.name,
    colour: draft.colour ?? kept.colour,
    position: draft.position ?? kept.position,
    timeZone: draft.timeZone === undefined ? kept.timeZone : readTimeZone(draft.timeZone, faults),
    protected: draft.protected ?? kept.protected,
    approvalRequired: draft.approvalRequired ?? kept.approvalRequired,
    allowedOrigins: draft.allowedOrigins ? readOrigins(draft.allowedOrigins, faults) : kept.allowedOrigins,
    privacyLevel: draft.privacyLevel ?? kept.privacyLevel,
    privateTraits: draft.privateTraits ?? kept.privateTraits,
    sensitiveTraits: draft.sensitiveTraits ?? kept.sensitiveTraits,
    ...canaryAfter(kept, draft, now),
    samplingSession: storable(sampling?.session) ?? kept.samplingSession,
    samplingReplay: storable(sampling?.replay) ?? kept.samplingReplay,
    samplingProfile: storable(sampling?.profile) ?? kept.samplingProfile,
    retentionEvents: retentionDays?.events ?? kept.retentionEvents,
    retentionReplays: retentionDays?.replays ?? kept.retentionReplays,
    retentionProfiles: retentionDays?.profiles ?? kept.retentionProfiles,
    retentionExposures: retentionDays?.exposures ?? kept.retentionExposures,
    scrub: readScrubRules({ ...kept.scrub, ...draft.scrub }, faults),
  }
  if (merged.approvalRequired && !merged.protected) faults.push(unprotectedFault(draft))
  if (faults.length > 0) throw problem('invalid-request', { errors: faults })
  return merged
}

type Canary = Pick<Settings, 'canarySince' | 'canaryDraw'>

function canaryAfter({ canarySince, canaryDraw }: Canary, { canary }: SettingsDraft, now: Date): Canary {
  const isOn = canarySince !== null
  if (canary === undefined || canary === isOn) return { canarySince, canaryDraw }
  return canary
    ? beginAnew({ canarySince, canaryDraw }, now)
    : { canarySince: null, canaryDraw: lastDraw({ canarySince, canaryDraw }, now) }
}

/** No number is used twice: who was in which half then says nothing of now. */
export function beginAnew(kept: Canary, now: Date): Canary {
  return { canarySince: now, canaryDraw: lastDraw(kept, now) + 1 }
}

function lastDraw({ canarySince, canaryDraw }: Canary, now: Date): number {
  if (canarySince === null) return canaryDraw
  return canaryDrawAt({ since: canarySince.getTime(), first: canaryDraw }, now.getTime()).number
}

function unprotectedFault({ approvalRequired }: SettingsDraft): Fault {
  return approvalRequired
    ? { pointer: '/approvalRequired', message: 'only a protected environment can require approval' }
    : { pointer: '/protected', message: 'is required while approval is required' }
}

function readTimeZone(name: string, faults: Fault[]): string {
  const zone = spellTimeZone(name)
  if (zone === undefined) faults.push({ pointer: '/timeZone', message: 'must be a valid IANA time zone' })
  return zone ?? name
}

function readOrigins(given: string[], faults: Fault[]): string[] {
  const origins = given.map((text, index) => {
    const origin = normaliseOrigin(text)
    if (origin === undefined) {
      faults.push({
        pointer: `/allowedOrigins/${index}`,
        message: 'must be an origin, such as https://shop.example or https://*.shop.example',
      })
    }
    return origin ?? text
  })
  return [...new Set(origins)]
}

/** A single-precision column gives back six digits as they were; more would come back as another number. */
function storable(percentage: number | undefined): number | undefined {
  return percentage === undefined ? undefined : Number(percentage.toPrecision(6))
}
