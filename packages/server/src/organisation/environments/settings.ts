import { type EnvironmentChange, positionMaximum } from '@telltale/core/contract/environments'
import { type Fault, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { aaTestRoundAt } from '@telltale/core/telemetry/aa-test-arm'
import type { Static } from 'typebox'
import { normaliseOrigin } from './origin.ts'
import { readPrivacyRules } from './privacy-rules.ts'
import type { EnvironmentRow } from './queries.ts'
import { readRequestRules } from './request-rules.ts'
import { readScrubRules } from './scrub-rules.ts'
import { spellTimeZone } from './time-zone.ts'

export type SettingsDraft = Static<typeof EnvironmentChange>
export type Settings = Omit<
  EnvironmentRow,
  | 'id'
  | 'projectId'
  | 'key'
  | 'version'
  | 'createdAt'
  | 'managed'
  | 'flagsmith'
  | 'toolbarSecret'
  | 'signedUsers'
  | 'spikeProtection'
>

/** Default settings of an environment. */
export function defaultSettings({ name, position }: { name: string; position: number }): Settings {
  return {
    name,
    colour: 'grey',
    position: Math.min(position, positionMaximum),
    timeZone: 'UTC',
    protected: false,
    approvalRequired: false,
    approvals: 1,
    ownerApproval: false,
    allowedOrigins: [],
    samplingSession: 100,
    samplingReplay: 10,
    samplingProfile: 1,
    recordingOrders: true,
    privacyLevel: 'mask-all',
    unmaskAllowed: false,
    privacyRules: [],
    consoleRecorded: false,
    requestRules: [],
    privateTraits: [],
    sensitiveTraits: [],
    aaTestSince: null,
    aaTestRound: 0,
    retentionEvents: limits.retentionEvents,
    retentionReplays: limits.retentionReplays,
    retentionProfiles: limits.retentionProfiles,
    retentionExposures: limits.retentionExposures,
    scrub: { parameters: [], attributes: [], expressions: [] },
  }
}

/** Merges a draft into the settings. Throws `invalid-request` with every fault that the schema does not cover. */
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
    approvals: draft.approvals ?? kept.approvals,
    ownerApproval: draft.ownerApproval ?? kept.ownerApproval,
    allowedOrigins: draft.allowedOrigins ? readOrigins(draft.allowedOrigins, faults) : kept.allowedOrigins,
    privacyLevel: draft.privacyLevel ?? kept.privacyLevel,
    unmaskAllowed: draft.unmaskAllowed ?? kept.unmaskAllowed,
    recordingOrders: draft.recordingOrders ?? kept.recordingOrders,
    privacyRules: draft.privacyRules ? readPrivacyRules(draft.privacyRules, faults) : kept.privacyRules,
    consoleRecorded: draft.consoleRecorded ?? kept.consoleRecorded,
    requestRules: draft.requestRules ? readRequestRules(draft.requestRules, faults) : kept.requestRules,
    privateTraits: draft.privateTraits ?? kept.privateTraits,
    sensitiveTraits: draft.sensitiveTraits ?? kept.sensitiveTraits,
    ...aaTestAfter(kept, draft, now),
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

type AaTest = Pick<Settings, 'aaTestSince' | 'aaTestRound'>

function aaTestAfter({ aaTestSince, aaTestRound }: AaTest, { aaTest }: SettingsDraft, now: Date): AaTest {
  const isOn = aaTestSince !== null
  if (aaTest === undefined || aaTest === isOn) return { aaTestSince, aaTestRound }
  return aaTest
    ? beginAnew({ aaTestSince, aaTestRound }, now)
    : { aaTestSince: null, aaTestRound: lastDraw({ aaTestSince, aaTestRound }, now) }
}

/** A round number is never reused, so past assignments do not predict current ones. */
export function beginAnew(kept: AaTest, now: Date): AaTest {
  return { aaTestSince: now, aaTestRound: lastDraw(kept, now) + 1 }
}

function lastDraw({ aaTestSince, aaTestRound }: AaTest, now: Date): number {
  if (aaTestSince === null) return aaTestRound
  return aaTestRoundAt({ since: aaTestSince.getTime(), first: aaTestRound }, now.getTime()).number
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

/** A single-precision column preserves six digits; with more, another number would be read back. */
function storable(percentage: number | undefined): number | undefined {
  return percentage === undefined ? undefined : Number(percentage.toPrecision(6))
}
