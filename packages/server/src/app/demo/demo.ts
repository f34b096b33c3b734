// What a demo is to the server, which knows nothing of any shop: it is loaded when somebody asks for one, from
// `demo/dist/demo.js`.

import type { AlertRule } from '@telltale/core/contract/alerts'
import type { Profile, ProfileHeader, SegmentHeader } from '@telltale/core/contract/attachments'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { EventContext, FlagRead, TelemetryEvent } from '@telltale/core/contract/events'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { FlagDraft } from '@telltale/core/contract/flags'
import type { Evaluation, JsonValue } from '@telltale/core/contract/trace'
import type { RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import type { SdkKeyKind } from '@telltale/core/keys'
import type { NoticeEvent } from '@telltale/core/notices/notice'
import type { ProjectRole } from '@telltale/core/permissions'
import type { PlannedMetric, RolloutDraft } from '../../platform/engines/postgres/rollout-schema.ts'

export interface Demo {
  project: DemoProject
  generateHistory(options: HistoryOptions): Iterable<GeneratedVisit>
  createVisitors(options: VisitorsOptions): Visitors
  answerShop(question: ShopQuestion): ShopAnswer | undefined
}

/** Spans are milliseconds before the demo began; `by` is who did it. */
export interface DemoProject {
  key: string
  name: string
  by: string
  begunAgo: number
  historyAgo: number
  /** The environment that the shop is in. */
  environment: string
  timeZone: string
  /** Percent of sessions. */
  sampling: { profile: number }
  keys: { kind: SdkKeyKind; label: string; by: string }[]
  segments: { key: string; name: string; description: string; when: ConditionGroup }[]
  flags: (FlagDraft & { by: string })[]
  /** The oldest first. What is left out of a configuration stays as it was. */
  changes: DemoChange[]
  /** Of boolean flags, from `off` to `on`, in its environment; what its guard did, and when. */
  rollouts: readonly DemoRollout[]
  /** In chats; turned off from the start, so that nothing is sent. */
  channels: readonly DemoChannel[]
  /** Of its environment. */
  alerts: readonly DemoAlert[]
  /** They have accounts that nobody can sign in to. */
  people: readonly { name: string; email: string; role: ProjectRole }[]
  /** The oldest first. */
  decisions: readonly DemoDecision[]
  /** Of the shop, as its events name it. */
  version: string
}

export interface DemoChannel {
  by: string
  name: string
  url: string
  events: NoticeEvent[]
}

export interface DemoAlert {
  by: string
  name: string
  rule: AlertRule
  /** By name. */
  channels: string[]
  /** `until`: from when the demo began. */
  muted?: { by: string; ago: number; until: number }
}

/** About the error issues whose message has this in it. */
export interface DemoDecision {
  ago: number
  by: string
  message: string
  state?: 'resolved' | 'ignored'
  assignee?: string
}

/** What was built of the shop. */
export interface ShopScripts {
  /** Of its page, below the shop's address. */
  script: string
  style: string
  /** Where the code of a source stands in what was built. */
  placeOf(source: string, code: string): { file: string; line: number; column: number } | undefined
}

export interface DemoRollout {
  flag: string
  by: string
  ago: number
  reason: string
  stages: RolloutDraft['stages']
  metrics: PlannedMetric[]
  steps: readonly { ago: number; action: 'advance' | 'complete' | 'roll-back'; metric?: string }[]
}

export interface DemoChange {
  ago: number
  by: string
  env: string
  flag: string
  reason: string
  config: Partial<FlagConfigDraft>
}

export interface RuleSetSince {
  from: number
  definition: RuleSetDefinition
}

export interface HistoryOptions {
  seed: string
  from: number
  until: number
  visits: number
  shop: string
  /** Nothing when the shop was not built. */
  scripts?: ShopScripts
  ruleSets: readonly RuleSetSince[]
  /** Of sessions, from 0 to 1. */
  profiled?: number
  /** Visits that were recorded, with the demo: some of them are told again. */
  recordings?: readonly DemoRecording[]
}

/** As `npm run record:demo` wrote it. */
export interface DemoRecording {
  name: string
  device: 'desktop' | 'mobile'
  flags: Readonly<Record<string, string>>
  startedAt: number
  endedAt: number
  contexts: readonly EventContext[]
  events: readonly TelemetryEvent[]
  segments: readonly { header: SegmentHeader; body: string }[]
  /** What they all show; bodies in base64. */
  assets: readonly { hash: string; type: string; body: string }[]
}

export interface DemoBatch {
  userAgent: string
  country: string
  /** As the library sends them. */
  lines: string
  events: number
}

export interface GeneratedVisit {
  batch: DemoBatch & { id: string }
  startedAt: number
  endedAt: number
  context: { targetingKey: string }
  isCustomer: boolean
  evaluations: ReadonlyMap<string, Evaluation>
  /** Of some of its views. */
  profiles: readonly GeneratedProfile[]
  /** What it looked like, of those that were recorded; bodies in base64. */
  segments: readonly { header: SegmentHeader; body: string }[]
}

/** As the library sends it. */
export interface GeneratedProfile {
  header: ProfileHeader
  tables: Profile
}

export interface VisitorsOptions {
  seed: string
  shop: string
  /** Nothing when the shop was not built. */
  scripts?: ShopScripts
  decide(asked: { context: { targetingKey: string }; userAgent: string }): Promise<DecidedFlags>
}

export type DecidedFlags = ReadonlyMap<string, { value: JsonValue; read: FlagRead }>

export interface Visitors {
  /** What happened until now and was not handed out before. */
  step(now: number): Promise<DemoBatch[]>
}

export interface ShopQuestion {
  method: string
  path: string
  query: URLSearchParams
  chance: number
}

export interface ShopAnswer {
  status: number
  type: string
  body: string
  delay: number
}
