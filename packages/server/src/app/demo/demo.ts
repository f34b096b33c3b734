// The interface between the demo and the server, which knows nothing about the shop: the demo is loaded on
// request from `demo/dist/demo.js`.

import type { AlertRule } from '@telltale/core/contract/alerts'
import type { Profile, ProfileHeader, SegmentHeader } from '@telltale/core/contract/attachments'
import type { BodyOf } from '@telltale/core/contract/call'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import type { EventContext, FlagRead, TelemetryEvent } from '@telltale/core/contract/events'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { FlagDraft } from '@telltale/core/contract/flags'
import type { createMetric } from '@telltale/core/contract/metrics'
import type { ViewScreen } from '@telltale/core/contract/saved-views'
import type { Evaluation, JsonValue } from '@telltale/core/contract/trace'
import type { RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import type { BaseOfMetric } from '@telltale/core/guard/built-in-metrics'
import type { SdkKeyKind } from '@telltale/core/keys'
import type { NoticeEvent } from '@telltale/core/notices/notice'
import type { ProjectRole } from '@telltale/core/permissions'
import type { PlannedMetric, RolloutDraft } from '../../platform/engines/postgres/rollout-schema.ts'

export interface Demo {
  project: DemoProject
  generateHistory(options: HistoryOptions): Iterable<GeneratedVisit>
  createVisitors(options: VisitorsOptions): Visitors
  answerShop(question: ShopQuestion): ShopAnswer | undefined
  /** What the shop's servers report about requests, in JSON of OpenTelemetry. */
  toOtlp(requests: readonly ServedRequest[]): { traces: string; logs: string | undefined }
}

/** By the shop's servers, in a trace that began in the browser. */
export interface ServedRequest {
  trace: string
  /** The span of the caller. */
  parent: string
  method: string
  /** Relative to /demo/api/. */
  path: string
  status: number
  startedAt: number
  duration: number
  session: string
  user: string
  isHybrid: boolean
}

/** Spans are in milliseconds before the start of the demo; `by` is the member who acts. */
export interface DemoProject {
  key: string
  name: string
  by: string
  begunAgo: number
  historyAgo: number
  /** The environment of the shop. */
  environment: string
  timeZone: string
  /** Percentage of sessions. */
  sampling: { replay: number; profile: number }
  keys: { kind: SdkKeyKind; label: string; by: string }[]
  segments: { key: string; name: string; description: string; when: ConditionGroup }[]
  flags: (FlagDraft & { by: string })[]
  /** Oldest first. Fields missing from a configuration keep their values. */
  changes: DemoChange[]
  /** Of boolean flags, from `off` to `on`, in its environment, with the guard's actions and their times. */
  rollouts: readonly DemoRollout[]
  /** Of its environment, on flags that are split before. */
  experiments: readonly DemoExperiment[]
  /** Over its custom events. */
  metrics: readonly DemoMetric[]
  /** Of its environment. */
  deploys: readonly DemoDeploy[]
  /** With the names of alerts instead of their ids. */
  dashboards: readonly DemoDashboard[]
  /** Shared with every member. */
  views: readonly DemoView[]
  /** Chat channels; turned off from the start, so that nothing is sent. */
  channels: readonly DemoChannel[]
  /** Of its environment. */
  alerts: readonly DemoAlert[]
  /** Their accounts cannot sign in. */
  people: readonly { name: string; email: string; role: ProjectRole }[]
  /** Oldest first. */
  decisions: readonly DemoDecision[]
  /** Of the shop, as in its events. */
  version: string
}

export interface DemoExperiment {
  by: string
  ago: number
  flag: string
  name: string
  hypothesis: string
  goals: readonly { metric: string; gain: number; margin: number }[]
  days: number
  /** What recent traffic said of the goals at its start. */
  bases: Readonly<Record<string, BaseOfMetric>>
  end?: { ago: number; variation: string; note: string }
}

export interface DemoView {
  by: string
  ago: number
  screen: ViewScreen
  name: string
  /** The parameters of its address. */
  search: string
}

export interface DemoMetric extends BodyOf<typeof createMetric> {
  by: string
}

type Tile = DashboardDraft['tiles'][number]
type WithoutId<One> = One extends Tile ? Omit<One, 'id'> : never

export interface DemoDashboard extends Omit<DashboardDraft, 'tiles'> {
  by: string
  ago: number
  tiles: WithoutId<Tile>[]
}

export interface DemoDeploy {
  ago: number
  by: string
  version: string
  commits: { id: string; message: string; author: string }[]
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
  /** `until`: relative to the start of the demo. */
  muted?: { by: string; ago: number; until: number }
}

/** About the error issues whose message contains this text. */
export interface DemoDecision {
  ago: number
  by: string
  message: string
  state?: 'resolved' | 'ignored'
  assignee?: string
}

/** The built files of the shop. */
export interface ShopScripts {
  /** The page's script, relative to the shop's URL. */
  script: string
  style: string
  /** The position of a source's code in the built files. */
  locationOf(source: string, code: string): { file: string; line: number; column: number } | undefined
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
  /** Undefined if the shop was not built. */
  scripts?: ShopScripts
  ruleSets: readonly RuleSetSince[]
  /** Share of sessions, from 0 to 1. */
  profiled?: number
  /** Recorded visits that are part of the demo; one visit in ten repeats one of them. */
  recordings?: readonly DemoRecording[]
}

/** As written by `npm run record:demo`. */
export interface DemoRecording {
  name: string
  story: 'categories' | 'product' | 'search' | 'order' | 'order-in-vain'
  device: 'desktop' | 'mobile'
  flags: Readonly<Record<string, string>>
  startedAt: number
  endedAt: number
  contexts: readonly EventContext[]
  events: readonly TelemetryEvent[]
  segments: readonly { header: SegmentHeader; body: string }[]
  /** Assets of all segments; bodies in base64. */
  assets: readonly { hash: string; type: string; body: string }[]
}

export interface DemoBatch {
  userAgent: string
  country: string
  /** In the format of the SDK. */
  lines: string
  events: number
}

export interface LiveBatch extends DemoBatch {
  served: readonly ServedRequest[]
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
  /** Replay segments of recorded visits; bodies in base64. */
  segments: readonly { header: SegmentHeader; body: string }[]
  /** Of the last two days. */
  served: readonly ServedRequest[]
}

/** In the format of the SDK. */
export interface GeneratedProfile {
  header: ProfileHeader
  tables: Profile
}

export interface VisitorsOptions {
  seed: string
  shop: string
  /** Undefined if the shop was not built. */
  scripts?: ShopScripts
  decide(requested: { context: { targetingKey: string }; userAgent: string }): Promise<DecidedFlags>
}

export type DecidedFlags = ReadonlyMap<string, { value: JsonValue; read: FlagRead }>

export interface Visitors {
  /** New events up to `now`. */
  step(now: number): Promise<LiveBatch[]>
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
