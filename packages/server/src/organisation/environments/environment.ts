import type { Environment } from '@telltale/core/contract/environments'
import type { Static } from 'typebox'
import type { EnvironmentRow } from './queries.ts'

/** An environment as the API returns it. */
export function toEnvironment(row: EnvironmentRow): Static<typeof Environment> {
  return {
    id: row.id,
    key: row.key,
    ...settingsOf(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    managed: row.managed,
  }
}

/** The fields of an environment in the audit log. A rule is one line there. */
export function auditedEnvironment(row: EnvironmentRow): object {
  const privacyRules = row.privacyRules.map(({ selector, action }) => `${action} ${selector}`)
  return { key: row.key, ...settingsOf(row), privacyRules, requestRules: row.requestRules.map(lineOf) }
}

function lineOf({ host, path, headers, fields }: EnvironmentRow['requestRules'][number]): string {
  const names = (kind: string, listed: readonly string[]) =>
    listed.length === 0 ? '' : ` ${kind} ${listed.join(', ')}`
  return `${host}${path}${names('headers', headers)}${names('fields', fields)}`
}

function settingsOf(row: EnvironmentRow) {
  return {
    name: row.name,
    colour: row.colour,
    position: row.position,
    timeZone: row.timeZone,
    protected: row.protected,
    approvalRequired: row.approvalRequired,
    approvals: row.approvals,
    ownerApproval: row.ownerApproval,
    allowedOrigins: row.allowedOrigins,
    privacyLevel: row.privacyLevel,
    unmaskAllowed: row.unmaskAllowed,
    privacyRules: row.privacyRules,
    consoleRecorded: row.consoleRecorded,
    requestRules: row.requestRules,
    privateTraits: row.privateTraits,
    sensitiveTraits: row.sensitiveTraits,
    aaTest: row.aaTestSince !== null,
    recordingOrders: row.recordingOrders,
    sampling: { session: row.samplingSession, replay: row.samplingReplay, profile: row.samplingProfile },
    retentionDays: {
      events: row.retentionEvents,
      replays: row.retentionReplays,
      profiles: row.retentionProfiles,
      exposures: row.retentionExposures,
    },
    scrub: row.scrub,
  }
}
