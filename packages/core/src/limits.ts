// Every business constant, defined once: value, unit and reason. Durations are milliseconds, sizes are bytes.

import { accountLimits } from './account-limits.ts'
import { alertLimits } from './alert-limits.ts'
import { codeLimits } from './code-limits.ts'
import { commentLimits } from './comment-limits.ts'
import { dashboardLimits } from './dashboard-limits.ts'
import { digestLimits } from './digest-limits.ts'
import { durabilityLimits } from './durability-limits.ts'
import { funnelLimits } from './funnel-limits.ts'
import { guardLimits } from './guard-limits.ts'
import { importLimits } from './import-limits.ts'
import type { Limit } from './limit.ts'
import { releaseLimits } from './release-limits.ts'
import { replayLimits } from './replay-limits.ts'
import { requestLimits } from './request-limits.ts'
import { retentionLimits } from './retention-limits.ts'
import { routeLimits } from './route-limits.ts'
import { savedViewLimits } from './saved-view-limits.ts'
import { secondFactorLimits } from './second-factor-limits.ts'
import { shareLimits } from './share-limits.ts'
import { signInLimits } from './sign-in-limits.ts'
import { telemetryLimits } from './telemetry-limits.ts'
import { traceLimits } from './trace-limits.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

/** The table behind `limits` and the generated reference page. */
export const limitTable = {
  keyLength: { value: 64, unit: 'characters', reason: 'Keys are part of URLs, tables and every event.' },
  nameLength: { value: 120, unit: 'characters', reason: 'One line in a list.' },
  emailLength: {
    value: 254,
    unit: 'characters',
    reason: 'The longest address that mail accepts (RFC 5321).',
  },
  descriptionLength: { value: 2_000, unit: 'characters', reason: 'A paragraph, not a document.' },
  bodySize: {
    value: mebibyte,
    unit: 'bytes',
    reason: 'The largest management request, read before it is parsed.',
  },
  anonymousBodySize: {
    value: 64 * kibibyte,
    unit: 'bytes',
    reason:
      'The largest body of a management request that needs no sign-in: an e-mail address, a password, a token.',
  },
  traitsTogether: {
    value: 200,
    unit: 'items',
    reason:
      'Identities of Flagsmith whose traits are read and kept by one statement: short enough for a few milliseconds.',
  },
  traitsWaiting: {
    value: 10_000,
    unit: 'items',
    reason: 'Seconds of traffic; waiting longer does not help.',
  },
  flagsmithOverridesPage: {
    value: 1_000,
    unit: 'items',
    reason: 'Identities with overrides in one answer of the environment document: about a megabyte.',
  },
  settleWait: {
    value: 2_000,
    unit: 'ms',
    reason: 'An answer to a change waits for this server to serve it, and not for one that cannot read it.',
  },
  flagsmithTextLength: { value: 20_000, unit: 'characters', reason: 'The longest value of a feature there.' },
  flagsmithKeyLength: { value: 200, unit: 'characters', reason: 'Keys there have 22; kept keys are hashed.' },
  bodyDepth: { value: 64, unit: 'items', reason: 'Nested deeper, a body is an attack and not a request.' },
  faultsListed: { value: 100, unit: 'items', reason: 'More faults than anyone reads; bounds the answer.' },
  pageSize: { value: 50, unit: 'items', reason: 'A screenful, when the call does not say.' },
  pageSizeMaximum: { value: 200, unit: 'items', reason: 'Bounds the memory of one answer.' },
  cursorLength: { value: 4_096, unit: 'characters', reason: 'A cursor holds one sort key and one id.' },
  idempotencyKeyLength: { value: 200, unit: 'characters', reason: 'Room for a UUID with a prefix.' },
  idempotencyWindow: { value: day, unit: 'ms', reason: 'Retries of one request end long before.' },
  projects: { value: 500, unit: 'items', reason: 'Lists and menus stay usable.' },
  environmentsPerProject: {
    value: 50,
    unit: 'items',
    reason: 'Each one owns keys, configurations and telemetry.',
  },
  keysPerEnvironment: { value: 100, unit: 'items', reason: 'Rotation needs two; a key per client fits too.' },
  membersPerProject: { value: 5_000, unit: 'items', reason: 'Far above the 200 engineers a team has.' },
  allowedOrigins: { value: 100, unit: 'items', reason: 'Checked on every browser request.' },
  managementRate: {
    value: 600,
    unit: 'requests',
    reason: 'Per minute and credential: a runaway script harms only itself.',
    setting: 'TELLTALE_MANAGEMENT_RATE',
  },
  rateWindow: { value: minute, unit: 'ms', reason: 'The window of both rates.' },
  lastUsedPrecision: { value: minute, unit: 'ms', reason: 'Last-used times are written at most this often.' },
  requestTimeout: {
    value: 30 * second,
    unit: 'ms',
    reason: 'A management request that takes longer is stuck.',
  },
  shutdownTimeout: {
    value: 5 * second,
    unit: 'ms',
    reason: 'Process managers kill after this time.',
  },
  backupInterval: { value: hour, unit: 'ms', reason: 'The most work that a mistake can cost.' },
  backupsKept: {
    value: 10,
    unit: 'items',
    reason: 'Of each kind; the oldest goes first.',
    setting: 'TELLTALE_BACKUPS_KEPT',
  },
  flagsPerProject: { value: 5_000, unit: 'items', reason: 'One rule set is held in memory by every server.' },
  rulesPerFlag: { value: 100, unit: 'items', reason: 'Rules are tried in order on every evaluation.' },
  conditionsPerRule: {
    value: 50,
    unit: 'items',
    reason: 'Conditions are tried in order on every evaluation.',
  },
  conditionsPerSegment: {
    value: 150,
    unit: 'items',
    reason: 'Room for the 100 conditions that a segment of Flagsmith may have, with the groups around them.',
  },
  conditionDepth: { value: 5, unit: 'items', reason: 'Deeper nesting is not readable.' },
  conditionListItems: {
    value: 1_000,
    unit: 'items',
    reason: 'Longer lists belong into a segment or a trait.',
  },
  conditionValueLength: { value: 2_000, unit: 'characters', reason: 'As long as the value of a trait.' },
  attributeLength: { value: 200, unit: 'characters', reason: 'A name, or a path of a few names.' },
  expressionLength: {
    value: 500,
    unit: 'characters',
    reason: 'Bounds the time to compile a regular expression.',
  },
  expressionProgram: {
    value: 250,
    unit: 'items',
    reason:
      'Instructions of a compiled regular expression: on the longest text the worst one takes milliseconds; of 1 000 it would take 80.',
  },
  expressionsProgram: {
    value: 4_000,
    unit: 'items',
    reason: 'Instructions of all regular expressions of a flag configuration, or of a segment.',
  },
  expressionsLength: {
    value: 5_000,
    unit: 'characters',
    reason:
      'All regular expressions of a flag configuration, or of a segment: bounds the time to compile them.',
  },
  contextTextLength: {
    value: 8_192,
    unit: 'characters',
    reason: 'Longer text in an evaluation context counts as not set: bounds the time of one condition.',
  },
  evaluationOutcomes: {
    value: 500,
    unit: 'items',
    reason: 'Outcomes in one report of a client for servers; a longer one is ignored from there on.',
  },
  evaluationsPerOutcome: {
    value: 1_000_000_000,
    unit: 'items',
    reason: 'In one report: more is a mistake of the client.',
  },
  versionLength: { value: 256, unit: 'characters', reason: 'The limit of the npm registry.' },
  variationsPerFlag: { value: 100, unit: 'items', reason: 'More is a table of data, not a flag.' },
  prerequisitesPerFlag: { value: 20, unit: 'items', reason: 'Each one is evaluated first.' },
  prerequisiteDepth: { value: 20, unit: 'items', reason: 'Bounds the depth of one evaluation.' },
  prerequisiteEvaluations: {
    value: 1_000,
    unit: 'items',
    reason: 'Bounds the work of one evaluation when prerequisites share prerequisites.',
  },
  weightTotal: {
    value: 100_000,
    unit: 'items',
    reason: 'Steps of 0.001 %: the parts of a split sum to this.',
  },
  rangesPerSplit: {
    value: 1_000,
    unit: 'items',
    reason: 'A split with more ranges after many changes is laid out again.',
  },
  flagValueSize: { value: 64 * kibibyte, unit: 'bytes', reason: 'A value travels to every browser.' },
  tagsPerFlag: { value: 40, unit: 'items', reason: 'Tags narrow a list; more would not.' },
  tagLength: { value: 40, unit: 'characters', reason: 'A word or two.' },
  segmentsPerProject: {
    value: 1_000,
    unit: 'items',
    reason: 'One rule set is held in memory by every server.',
  },
  changeRequestsPerFlag: {
    value: 50,
    unit: 'items',
    reason: 'Undecided ones for a flag in an environment: each save compares with all of them.',
  },
  scheduledChangesPerFlag: {
    value: 50,
    unit: 'items',
    reason: 'Pending ones for a flag in an environment: a ramp by the hour for two days.',
  },
  reviewersPerChangeRequest: {
    value: 20,
    unit: 'items',
    reason: 'Requested reviewers; one approval is enough.',
  },
  decisionsPerChangeRequest: {
    value: 500,
    unit: 'items',
    reason: 'Events of one change request that are stored and shown.',
  },
  scheduleAhead: { value: 365 * day, unit: 'ms', reason: 'Plans further ahead are forgotten.' },
  schedulePoll: {
    value: second,
    unit: 'ms',
    reason: 'The longest delay of a scheduled change.',
  },
  scheduleRetry: {
    value: minute,
    unit: 'ms',
    reason: 'Retry time of a scheduled change after a server error; then it fails.',
  },
  targetingKeyLength: { value: 512, unit: 'characters', reason: 'Room for an address with a prefix.' },
  overridesPerEnvironment: {
    value: 200_000,
    unit: 'items',
    reason: 'One rule set is held in memory by every server.',
  },
  flagRolledOutAfter: {
    value: 14 * day,
    unit: 'ms',
    reason: 'One variation to everyone for two weeks is a decision, not a stage.',
  },
  flagStaleAfter: {
    value: 30 * day,
    unit: 'ms',
    reason: 'Longer than a holiday or a monthly job: a temporary flag unchanged this long can be removed.',
  },
  flagDeletableAfter: {
    value: 7 * day,
    unit: 'ms',
    reason: 'A week shows what runs nightly and at weekends still asks for an archived flag.',
  },
  blastRadiusPeriod: {
    value: 7 * day,
    unit: 'ms',
    reason: 'A week has every weekday, so its users are the ones likely to return.',
  },
  blastRadiusFirstPart: {
    value: 10_000,
    unit: 'items',
    reason: 'Users evaluated for the first response, so that progress is shown quickly.',
  },
  blastRadiusPart: {
    value: 60_000,
    unit: 'items',
    reason: 'Users evaluated for each further response: each one reads all sessions.',
  },
  blastRadiusFlags: {
    value: 50,
    unit: 'items',
    reason: 'Flags that depend on the changed flag or segment: more are counted, not evaluated.',
  },
  blastRadiusExamples: { value: 10, unit: 'items', reason: 'Enough examples to recognise a pattern.' },
  evaluationFlushInterval: {
    value: 10 * second,
    unit: 'ms',
    reason: 'The most evaluation counts that a killed server loses, and how late the guard sees them.',
  },
  evaluationBacklog: {
    value: 100_000,
    unit: 'items',
    reason: 'Minutes of counts that wait for PostgreSQL; after more, counts go on without their minute.',
  },
  evaluationUnknownFlags: {
    value: 1_000,
    unit: 'items',
    reason:
      'Keys that no active flag has and that were asked for, between two writes: anyone can invent them.',
  },
  evaluationTidyInterval: {
    value: hour,
    unit: 'ms',
    reason: 'How often old evaluation counts are summed up and removed.',
  },
  evaluationMinutesKept: {
    value: 2 * day,
    unit: 'ms',
    reason: 'Evaluation counts by minute: a deployment and the day after it. The guard looks back minutes.',
  },
  evaluationHoursKept: {
    value: 35 * day,
    unit: 'ms',
    reason:
      'Evaluation counts by hour, until they are summed up by day: as long as a flag takes to go stale.',
  },
  evaluationDaysKept: {
    value: 400 * day,
    unit: 'ms',
    reason: 'Evaluation counts by day: a year-on-year look at a flag.',
  },
  evaluationPoints: { value: 3_000, unit: 'items', reason: 'More than a chart is wide; bounds the answer.' },
  traitsPerIdentity: { value: 100, unit: 'items', reason: 'What comes after them is not stored.' },
  traitLength: { value: 2_000, unit: 'characters', reason: 'A longer value is not stored.' },
  traitDepth: { value: 5, unit: 'items', reason: 'A structure nested deeper is not stored.' },
  traitList: {
    value: 200,
    unit: 'items',
    reason: 'Names on the private or the sensitive list of an environment.',
  },
  identityNoteInterval: {
    value: 5 * second,
    unit: 'ms',
    reason: 'Soon enough to find a user who was just active.',
  },
  identitySeenPrecision: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'An identity whose traits stay the same is written at most this often.',
  },
  identityNotes: {
    value: 20_000,
    unit: 'items',
    reason: 'Identities waiting to be written; further ones are stored at their next request.',
  },
  identityNotesSize: {
    value: 16 * mebibyte,
    unit: 'bytes',
    reason: 'The contexts that these identities were seen with, as text: bounds the memory.',
  },
  identityContextSize: {
    value: 16 * kibibyte,
    unit: 'bytes',
    reason: 'A larger context is not held until it is written, but cut down to its traits at once.',
  },
  identitiesRemembered: {
    value: 50_000,
    unit: 'items',
    reason: 'Identities that a server knows it has just written, so as not to write them again.',
  },
  setupFileSize: { value: 16 * mebibyte, unit: 'bytes', reason: 'A large installation in one file.' },
  evaluationBodySize: {
    value: 256 * kibibyte,
    unit: 'bytes',
    reason: 'The largest evaluation context: one user, not a table of them.',
  },
  streamReplay: {
    value: 100,
    unit: 'items',
    reason: 'Changes that a stream can catch up on; after more, everything is read again.',
  },
  ruleSetSteps: {
    value: 500,
    unit: 'items',
    reason: 'Changes of a rule set that a server SDK can catch up on; after more, it reads everything again.',
  },
  ruleSetStepNames: {
    value: 5_000,
    unit: 'items',
    reason: 'Flags, segments and overrides named by those changes: bounds the answer and its memory.',
  },
  ...guardLimits,
  ...durabilityLimits,
  ...routeLimits,
  ...telemetryLimits,
  ...traceLimits,
  ...codeLimits,
  ...funnelLimits,
  ...retentionLimits,
  ...releaseLimits,
  ...replayLimits,
  ...requestLimits,
  ...accountLimits,
  ...secondFactorLimits,
  ...signInLimits,
  ...alertLimits,
  ...commentLimits,
  ...savedViewLimits,
  ...dashboardLimits,
  ...shareLimits,
  ...digestLimits,
  ...importLimits,
} as const satisfies Record<string, Limit>

type Limits = { readonly [Name in keyof typeof limitTable]: (typeof limitTable)[Name]['value'] }

export const limits: Limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, limit]) => [name, limit.value]),
) as Limits
