import type { ReplyOf } from '@telltale/core/contract/call'
import type { listSessions } from '@telltale/core/contract/sessions'
import { limits } from '@telltale/core/limits'
import type { SessionRow } from './queries.ts'

export type Session = ReplyOf<typeof listSessions>['items'][number]

export function toSession(row: SessionRow, now: Date): Session {
  const [startedAt, endedAt] = [Number(row.started_at), Number(row.ended_at)]
  return {
    id: row.session_id,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    length: endedAt - startedAt,
    running: now.getTime() - endedAt < limits.monitoredSessionIdle,
    userKey: row.user_key,
    anonymousId: row.anonymous_ids[0] ?? '',
    source: row.source,
    version: row.version,
    country: row.country,
    browser: row.browser,
    os: row.os,
    device: row.device,
    entryPage: row.entry_page,
    exitPage: row.exit_page,
    events: Number(row.events),
    views: Number(row.views),
    actions: Number(row.actions),
    requests: Number(row.requests),
    failedRequests: Number(row.failed),
    errors: Number(row.errors),
    unhandledErrors: Number(row.unhandled),
    rageClicks: Number(row.rage),
    deadClicks: Number(row.dead),
    errorClicks: Number(row.error_click),
    trouble: Number(row.trouble),
    lcp: row.lcp,
    inp: row.inp,
    cls: row.cls,
    hasReplay: row.has_replay === 1,
    replay: toReplay(row.attached),
    hasProfile: Number(row.attached?.profiles ?? 0) > 0,
    bot: row.bot === 1,
    flags: row.flags,
  }
}

function toReplay(attached: SessionRow['attached']): Session['replay'] {
  if (attached?.recorded_from == null) return null
  const startedAt = Number(attached.recorded_from)
  return {
    startedAt: new Date(startedAt).toISOString(),
    length: Number(attached.recorded_to) - startedAt,
    kept: attached.is_kept === 1,
  }
}
