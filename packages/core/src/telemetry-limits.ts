// Limits of telemetry: what may arrive, how long it is kept, and what the store may use. Part of `limits`.
import type { Limit } from './limit.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

export const telemetryLimits = {
  eventSize: {
    value: 256 * kibibyte,
    unit: 'bytes',
    reason: 'One event of the Telltale SDK: a line of a batch.',
  },
  foreignEventSize: {
    value: 2 * mebibyte,
    unit: 'bytes',
    reason: 'One event of another vendor’s SDK: some count characters before compression.',
  },
  eventDepth: {
    value: 16,
    unit: 'items',
    reason: 'Nested deeper, an event is an attack and not a measurement.',
  },
  eventsPerBatch: {
    value: 10_000,
    unit: 'items',
    reason: 'A hundred times what the Telltale SDK puts into a batch.',
  },
  contextsPerBatch: {
    value: 1_000,
    unit: 'items',
    reason: 'One per view and change of flags or user in a batch.',
  },
  vitalRevisionMaximum: { value: 65_535, unit: 'items', reason: 'One for each time a page is hidden.' },
  scriptsPerLongFrame: {
    value: 20,
    unit: 'items',
    reason: 'The scripts that a browser names for one long frame.',
  },
  intakeCompressedSize: { value: 5 * mebibyte, unit: 'bytes', reason: 'One intake request as it travels.' },
  intakeInflatedSize: {
    value: 50 * mebibyte,
    unit: 'bytes',
    reason: 'One intake request unpacked: a zip bomb ends here.',
  },
  eventAgeMaximum: { value: 2 * day, unit: 'ms', reason: 'Offline queues are emptied within two days.' },
  backfillAgeMaximum: {
    value: 400 * day,
    unit: 'ms',
    reason: 'Imported history; the tables keep no more.',
  },
  eventAheadMaximum: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'Corrected timestamps further ahead are wrong.',
  },
  intakeRate: {
    value: 60_000,
    unit: 'requests',
    reason: 'Batches per minute and environment: a loop in one application harms only its own environment.',
    setting: 'TELLTALE_INTAKE_RATE',
  },
  intakeRowsSize: {
    value: 48 * mebibyte,
    unit: 'bytes',
    reason: 'What one batch may become as rows: what many events share is written into each of them.',
  },
  outcomeInterval: {
    value: 10 * second,
    unit: 'ms',
    reason: 'The most drop counts that a killed server loses; it loses no data.',
  },
  outcomeKinds: {
    value: 10_000,
    unit: 'items',
    reason: 'Different counts between two writes: environments by kind and reason.',
  },
  scrubNames: {
    value: 50,
    unit: 'items',
    reason:
      'Parameters, and attributes, that an environment keeps out of its telemetry: looked for in every event.',
  },
  scrubExpressions: {
    value: 10,
    unit: 'items',
    reason: 'Regular expressions of the scrub rules of an environment: read in one pass over every text.',
  },
  scrubProgram: {
    value: 500,
    unit: 'items',
    reason: 'Instructions of them all together: on the longest stack the worst ones take milliseconds.',
  },
  spoolSegmentAge: {
    value: 10 * minute,
    unit: 'ms',
    reason:
      'What was shipped is removed with its file: on a quiet site too, files of the spool are complete by then.',
  },
  erasureSweep: {
    value: minute,
    unit: 'ms',
    reason:
      'After an erasure the spool has shipped what it held by then: the tables are looked through again.',
  },
  erasureBlock: {
    value: 48 * hour,
    unit: 'ms',
    reason: 'As long as a client may keep a batch: what it still holds of an erased person is refused.',
  },
  quarantineGroups: {
    value: 100,
    unit: 'items',
    reason: 'Reasons why rows wait in quarantine: more than anyone looks into one by one.',
  },
  quarantineRead: {
    value: 64 * mebibyte,
    unit: 'bytes',
    reason: 'Of the quarantine at once: the rest is shown when these rows are gone.',
  },
  quarantineRetry: {
    value: 30 * second,
    unit: 'ms',
    reason: 'A user waits for it; rows not retried by then stay.',
  },
  spoolSize: {
    value: 10 * 1_024 * mebibyte,
    unit: 'bytes',
    reason: 'Accepted and not stored yet, at most, and never more than a fifth of the free disk.',
    setting: 'TELLTALE_SPOOL_SIZE',
  },
  spoolSegmentSize: {
    value: 64 * mebibyte,
    unit: 'bytes',
    reason: 'A file of the spool: deleted in one piece when everything in it is stored.',
  },
  spoolBehind: {
    value: minute,
    unit: 'ms',
    reason: 'A spool further behind is reported in Health.',
  },
  flushRows: {
    value: 10_000,
    unit: 'items',
    reason:
      'Of an insert. Most of its cost does not depend on its rows: one of 10 000 costs a third of five of 2 000.',
  },
  flushRowsMaximum: { value: 12_000, unit: 'items', reason: 'Bounds the memory of one insert.' },
  flushSize: { value: 8 * mebibyte, unit: 'bytes', reason: 'Bounds the memory of one insert.' },
  flushInterval: { value: second, unit: 'ms', reason: 'Accepted events are in the tables within this time.' },
  insertAttempts: {
    value: 10,
    unit: 'requests',
    reason: 'Retries after an unknown refusal; then the rows are quarantined.',
  },
  insertPause: { value: 30 * second, unit: 'ms', reason: 'The longest pause between two attempts.' },
  blankViewSpan: {
    value: 5_000,
    unit: 'ms',
    reason: 'A page that shows nothing for this long counts as blank; most pages paint within two seconds.',
  },
  eventNameLength: { value: 200, unit: 'characters', reason: 'Names, pages, endpoints and types: a line.' },
  eventTextLength: { value: 1_000, unit: 'characters', reason: 'Elements, addresses and attributes.' },
  errorMessageLength: { value: 2_000, unit: 'characters', reason: 'A message, not a dump.' },
  errorStackLength: {
    value: 16 * kibibyte,
    unit: 'characters',
    reason: 'The frames that are useful: the first hundred.',
  },
  attributesPerEvent: { value: 50, unit: 'items', reason: 'What comes after them is not stored.' },
  namesPerEnvironment: {
    value: 10_000,
    unit: 'items',
    reason: 'Different pages, endpoints, names and versions an hour; what comes after them counts as others.',
  },
  batchIdWindow: { value: 2 * day, unit: 'ms', reason: 'A client repeats a batch for no longer.' },
  batchSize: {
    value: 64 * kibibyte,
    unit: 'bytes',
    reason: 'The Telltale SDK sends before it holds more, uncompressed.',
  },
  batchAge: { value: 10 * second, unit: 'ms', reason: 'What a user experienced is visible within seconds.' },
  batchAgeUrgent: {
    value: 2 * second,
    unit: 'ms',
    reason: 'With an error or an exposure in it: the guard waits for these.',
  },
  batchEvents: { value: 100, unit: 'items', reason: 'Bounds what one lost batch costs.' },
  exitBytes: {
    value: 24 * kibibyte,
    unit: 'bytes',
    reason: 'Events at page exit: browsers share 64 KiB of keepalive per page.',
  },
  offlineQueue: {
    value: mebibyte,
    unit: 'bytes',
    reason: 'What the library keeps while the network is away.',
  },
  monitoredSessionIdle: {
    value: 15 * minute,
    unit: 'ms',
    reason: 'A session ends after this time without use.',
  },
  monitoredSessionMaximum: { value: 4 * hour, unit: 'ms', reason: 'No session is longer.' },
  filterLength: { value: 2_000, unit: 'characters', reason: 'Filters are part of URLs.' },
  filterChips: { value: 30, unit: 'items', reason: 'More conditions than anyone reads.' },
  filterValues: { value: 50, unit: 'items', reason: 'Values of one chip: a list, not a table.' },
  filterWords: {
    value: 10,
    unit: 'items',
    reason: 'Every word is looked for in several texts of each event.',
  },
  sequenceSteps: { value: 5, unit: 'items', reason: 'What happened one after the other in a session.' },
  percentileMinimum: {
    value: 50,
    unit: 'items',
    reason: 'A percentile of fewer values is chance; it is not shown.',
  },
  periodMaximum: { value: 400 * day, unit: 'ms', reason: 'No telemetry is kept longer.' },
  seriesPoints: { value: 1_000, unit: 'items', reason: 'A month by the hour, or more than a chart is wide.' },
  seriesPointsWanted: { value: 120, unit: 'items', reason: 'Default number of steps of a chart.' },
  exploreGroups: {
    value: 50,
    unit: 'items',
    reason: 'Lines of one chart; what comes after them is one more.',
  },
  exploreRows: { value: 20_000, unit: 'items', reason: 'Groups times steps of one answer.' },
  facetFields: { value: 16, unit: 'items', reason: 'All that a screen lists, from a few readings.' },
  facetValues: { value: 50, unit: 'items', reason: 'Values of a facet; search finds the others.' },
  flagChangesListed: {
    value: 500,
    unit: 'items',
    reason: 'Marks of a chart, which groups them beyond a dozen.',
  },
  flagChangesOfSession: {
    value: 1_000,
    unit: 'items',
    reason: 'Flags that a session read, and how they changed.',
  },
  sessionEventsPage: {
    value: 1_000,
    unit: 'items',
    reason: 'A session is drawn as a whole: ten thousand events are ten answers, not fifty.',
  },
  sessionViewsListed: { value: 2_000, unit: 'items', reason: 'Four hours, a view every seven seconds.' },
  screenReadTimeout: {
    value: 10 * second,
    unit: 'ms',
    reason: 'After this time a screen offers a shorter range.',
  },
  sourceMapSize: {
    value: 50 * mebibyte,
    unit: 'bytes',
    reason: 'The source map of one script, as uploaded: gzip reduces it to a sixth.',
  },
  sourceMapInflated: {
    value: 200 * mebibyte,
    unit: 'bytes',
    reason: 'A source map is held in memory while it is read.',
  },
  sourceMapCache: {
    value: 256 * mebibyte,
    unit: 'bytes',
    reason: 'Source maps that were read not long ago, kept for the next stack.',
  },
  sourceMapsPerProject: {
    value: 5_000,
    unit: 'items',
    reason: 'Some hundred builds; the oldest make room for new ones.',
  },
  sourceMapFileLength: { value: 500, unit: 'characters', reason: 'The path of a script.' },
  sourceMapVersionLength: { value: 200, unit: 'characters', reason: 'As the version of an event.' },
  issuePoll: {
    value: 10 * second,
    unit: 'ms',
    reason: 'How soon a resolved error issue that is seen in a later version comes back.',
  },
  telemetryReadTimeout: {
    value: 30 * second,
    unit: 'ms',
    reason: 'Timeout of a query of a screen.',
  },
  telemetryReadMemory: {
    value: 1_024 * mebibyte,
    unit: 'bytes',
    reason: 'Memory of one query inside the telemetry engine, so that others have some too.',
  },
  telemetryReadRows: {
    value: 100_000,
    unit: 'items',
    reason: 'Rows of one answer of the telemetry store: the server holds them in memory.',
  },
  telemetryResultSize: {
    value: 256 * mebibyte,
    unit: 'bytes',
    reason: 'One answer of the embedded telemetry engine, which holds it in memory whole before it is sent.',
  },
  telemetryStatementTimeout: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'Default bound of a statement of the embedded telemetry engine.',
  },
  telemetryInsertTimeout: {
    value: minute,
    unit: 'ms',
    reason: 'An insert takes a tenth of a second; past this the same batch is sent again.',
  },
  telemetryInsertSize: {
    value: 64 * mebibyte,
    unit: 'bytes',
    reason: 'One insert: 10 000 events have 8 MB, a batch of replay parts in base64 somewhat more.',
  },
  telemetryMarkCache: {
    value: 256 * mebibyte,
    unit: 'bytes',
    reason: 'What the embedded telemetry engine keeps in memory of where rows lie.',
  },
  telemetryMemoryMinimum: {
    value: 1_024 * mebibyte,
    unit: 'bytes',
    reason:
      'The embedded telemetry engine has half of the memory of the machine or container, and at least this.',
    setting: 'TELLTALE_TELEMETRY_MEMORY',
  },
  telemetryProbeInterval: {
    value: 5 * second,
    unit: 'ms',
    reason: 'How soon it is seen that the telemetry store no longer answers.',
  },
  telemetryProbeTimeout: {
    value: 10 * second,
    unit: 'ms',
    reason: 'Longer than any healthy answer, also on a machine with too much to do.',
  },
  telemetryProbeMisses: {
    value: 3,
    unit: 'items',
    reason: 'Missed probes after which the embedded telemetry engine is restarted.',
  },
  telemetryStartTimeout: {
    value: minute,
    unit: 'ms',
    reason: 'The embedded telemetry engine opens within a second; a large store on a slow disk takes longer.',
  },
  telemetryMigrationTimeout: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'One statement that changes the tables of a large telemetry store, or of a cluster.',
  },
  liveRate: {
    value: 60,
    unit: 'items',
    reason: 'Events per second in one live tail: more than anyone reads. The rest is counted.',
  },
  liveInterval: { value: 250, unit: 'ms', reason: 'Write interval of a live tail: immediate for a reader.' },
  liveExamined: {
    value: 2_000,
    unit: 'items',
    reason: 'Events of one environment that its live tails look into in a second: little work.',
  },
  liveEventSize: {
    value: 16 * kibibyte,
    unit: 'bytes',
    reason: 'The texts of larger events are cut in a live tail, whose memory they bound.',
  },
  liveBacklog: {
    value: 256 * kibibyte,
    unit: 'bytes',
    reason: 'A reader of a live tail that is further behind skips events and gets their count.',
  },
  liveTails: {
    value: 20,
    unit: 'items',
    reason: 'Open live tails of one environment on one server: bounds their memory.',
  },
  liveLifetime: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'A live tail reconnects after this time, so that revoked access takes effect.',
  },
  liveEarlier: { value: hour, unit: 'ms', reason: 'A live tail begins with events no older than this.' },
  liveEarlierEvents: { value: 50, unit: 'items', reason: 'A screenful that a live tail begins with.' },
  liveEarlierExamined: {
    value: 500,
    unit: 'items',
    reason: 'The stored events among which those are looked for.',
  },
  liveRelayLifetime: {
    value: 15 * second,
    unit: 'ms',
    reason: 'A server that stopped announcing its live tails receives nothing from the others.',
  },
} as const satisfies Record<string, Limit>
