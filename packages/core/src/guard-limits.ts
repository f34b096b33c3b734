// The constants of the guard: value, unit and reason, part of the table in limits.ts.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const guardLimits = {
  guardInterval: {
    value: 10 * second,
    unit: 'ms',
    reason: 'How often the guard evaluates each running rollout.',
  },
  guardLookMaximum: {
    value: minute,
    unit: 'ms',
    reason:
      'Longer gaps between two looks count as this: only observed time ends a stage, not a clock jump or downtime.',
  },
  guardDwell: {
    value: 30 * minute,
    unit: 'ms',
    reason: 'Default minimum duration of a stage: time for caches, slow clients and a manual check.',
  },
  guardDwellBeforeAll: {
    value: 24 * hour,
    unit: 'ms',
    reason: 'By default the last stage before 100% lasts one full day.',
  },
  guardTimeBox: {
    value: 48 * hour,
    unit: 'ms',
    reason: 'A stage that stays undecided this long needs a policy or a manual decision.',
  },
  guardFreshness: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'No stage ends unless both arms had events in this interval.',
  },
  guardSpoolLag: {
    value: minute,
    unit: 'ms',
    reason: 'A spool further behind hides what users experience now.',
  },
  guardBlindEvaluations: {
    value: 50,
    unit: 'requests',
    reason: 'Served evaluations in five minutes from which missing telemetry is significant.',
  },
  guardBlindUnits: {
    value: 10,
    unit: 'items',
    reason: 'Expected units in an arm below which missing ones may be chance.',
  },
  guardTogether: {
    value: 10,
    unit: 'items',
    reason: 'Rollouts per statement: more no longer fit in the CPU cache.',
  },
  guardEpochsTogether: {
    value: 100,
    unit: 'items',
    reason: 'Stages per statement: they are sent as URL parameters.',
  },
  guardUnitWeight: {
    value: 50,
    unit: 'items',
    reason:
      'Views, sessions or requests that one user counts for at most in a stage, with the share of them that was bad: one user with thousands would decide alone. Far above usual use, so that hardly anyone is capped.',
  },
  guardEvenUnits: {
    value: 100,
    unit: 'items',
    reason:
      'A user above the cap with more than this fraction of all views of both arms is a bot or a shared identity, and is excluded from means, counts and percentiles.',
  },
  guardLease: {
    value: 30 * second,
    unit: 'ms',
    reason: 'Lease of a dead server on its rollouts: three looks.',
  },
  guardServerSilent: {
    value: minute,
    unit: 'ms',
    reason: 'Age from which the spool status of a server is ignored.',
  },
  guardServerForgotten: {
    value: hour,
    unit: 'ms',
    reason: 'Silence after which a server counts as gone.',
  },
  guardLate: {
    value: minute,
    unit: 'ms',
    reason: 'A guard without a look for this long is shown as not working.',
  },
  guardReadTimeout: {
    value: 8 * second,
    unit: 'ms',
    reason: 'Timeout of one statement of a look.',
  },
  impactArms: {
    value: 10,
    unit: 'items',
    reason: 'Arms of one split in one comparison: each is a query.',
  },
  impactEpochs: {
    value: 50,
    unit: 'items',
    reason: 'The latest periods of a split offered for selection; older ones by number.',
  },
  impactPoints: { value: 40, unit: 'items', reason: 'Points of one curve, read in one statement.' },
  impactSlices: {
    value: 8,
    unit: 'items',
    reason: 'Each slice widens all intervals and leaves fewer users in each.',
  },
  impactSliceSpan: {
    value: 30 * 24 * hour,
    unit: 'ms',
    reason: 'Slices are read from raw events, because roll-ups have no browser or country.',
  },
  evidenceCandidates: {
    value: 50,
    unit: 'items',
    reason: 'Candidate contributors to a gap: each one widens the intervals of all others.',
  },
  evidenceShown: { value: 12, unit: 'items', reason: 'Contributors listed on one screen.' },
  evidenceReplays: { value: 3, unit: 'items', reason: 'Enough examples to see a pattern.' },
  evidenceLate: {
    value: hour,
    unit: 'ms',
    reason: 'Browsers report events of a stage shortly after it has ended.',
  },
  similarSessionSpan: {
    value: 3 * 24 * hour,
    unit: 'ms',
    reason: 'Before and after a session, so that the similar session saw the same release.',
  },
  similarSessionsCompared: {
    value: 120,
    unit: 'items',
    reason: 'Their ids are sent as URL parameters; the closest by device, entry page and time come first.',
  },
  evidencePoll: {
    value: minute,
    unit: 'ms',
    reason: 'How often rolled-back rollouts are checked, to store their explanation.',
  },
  evidenceSettles: {
    value: minute,
    unit: 'ms',
    reason: 'Events from just before the rollback have arrived by then.',
  },
  evidenceReadAgain: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'After the first read: late events and replays have arrived, and source maps have merged issues.',
  },
  evidenceMetrics: {
    value: 5,
    unit: 'items',
    reason: 'Metrics of one rollout with a stored explanation: each takes the engine seconds.',
  },
  evidenceTries: {
    value: 5,
    unit: 'items',
    reason: 'After this many failures it waits for the next server start.',
  },
  evidenceSliceUnits: {
    value: 30,
    unit: 'items',
    reason: 'Fewer users per arm are too few for a segment.',
  },
  metricsPerProject: {
    value: 200,
    unit: 'items',
    reason: 'Custom metrics per project; a list that stays readable.',
  },
  metricFilterLength: {
    value: 300,
    unit: 'characters',
    reason: 'Filter of a custom metric: the guard sends several in one URL.',
  },
  metricPreviewDays: {
    value: 7,
    unit: 'items',
    reason: 'Days in the preview of a metric: a full week.',
  },
  metricCap: { value: 1_000_000, unit: 'items', reason: 'A higher cap per session would have no effect.' },
  experiments: {
    value: 500,
    unit: 'items',
    reason: 'In one project: a list that is read at once.',
  },
  holdouts: {
    value: 5,
    unit: 'items',
    reason: 'Running in one environment: each is hashed for every evaluation of a flag.',
  },
  holdoutRetryMaximum: { value: 60 * minute, unit: 'ms', reason: 'Its results read months of events.' },
  holdoutPoll: { value: minute, unit: 'ms', reason: 'How late a holdout ends after its planned days.' },
  experimentPoll: { value: minute, unit: 'ms', reason: 'How late an interruption is noted.' },
  holdoutFlags: { value: 1_000, unit: 'items', reason: 'Covered by one holdout that does not cover all.' },
  layers: {
    value: 50,
    unit: 'items',
    reason: 'In one project: a list that is read at once.',
  },
  experimentGoals: {
    value: 10,
    unit: 'items',
    reason: 'Each goal gets its part of the error rate: more make every interval wider.',
  },
  goalSettle: {
    value: minute,
    unit: 'ms',
    reason: 'After the end of a window, so that the last events within it have arrived.',
  },
  goalWindowMinimum: { value: minute, unit: 'ms', reason: 'Conversions after an exposure take longer.' },
  goalWindowMaximum: {
    value: 90 * day,
    unit: 'ms',
    reason: 'The longest window of a funnel: users enter the results after it.',
  },
  experimentDays: { value: 90, unit: 'items', reason: 'Days in the chart of exposures.' },
  unitLength: { value: 20, unit: 'characters', reason: 'It is shown after every value.' },
  rolloutStages: {
    value: 20,
    unit: 'items',
    reason: 'More stages are a ramp, not decisions.',
  },
  rolloutStageLongest: {
    value: 90 * 24 * hour,
    unit: 'ms',
    reason: 'Events older than this are deleted by default.',
  },
  rolloutDrafts: {
    value: 20,
    unit: 'items',
    reason: 'Rollout drafts per flag and environment: more are forgotten.',
  },
  rolloutTrafficDays: {
    value: 14,
    unit: 'items',
    reason: 'Days of telemetry that a proposal is computed from: two whole weeks.',
  },
  rolloutMetricsProposed: {
    value: 40,
    unit: 'items',
    reason: 'Metrics that a proposal computes: each is a column of one statement.',
  },
  rolloutsAcknowledged: {
    value: 100,
    unit: 'items',
    reason: 'Running rollouts that one change may affect: each must be acknowledged.',
  },
  rolloutHistoryStep: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'Resolution of the charts of a rollout.',
  },
  rolloutHistoryShown: {
    value: 500,
    unit: 'items',
    reason: 'Points per chart: more than its pixels. Longer series are thinned evenly.',
  },
  rolloutMetrics: {
    value: 20,
    unit: 'items',
    reason: 'Each metric takes a share of the false-alarm rate and slows detection for the others.',
  },
  backTestDays: {
    value: 30,
    unit: 'items',
    reason: 'Days of a back-test: a month contains every weekly pattern.',
  },
  backTestUnits: {
    value: 10_000,
    unit: 'items',
    reason: 'Users simulated per run: a sample of more gives the same false-alarm rate.',
  },
  backTestLooks: {
    value: 4,
    unit: 'items',
    reason: 'Looks of a run in its shortest stage: each costs as much as a real one.',
  },
  backTestSlots: {
    value: 240,
    unit: 'items',
    reason: 'Time slices of a run: their index is one byte.',
  },
  backTestRuns: {
    value: 200,
    unit: 'items',
    reason: 'Runs: a rate of 5% is then known to within 3%.',
  },
  backTestTime: { value: minute, unit: 'ms', reason: 'The longest a user waits for a result.' },
  aaTestRound: {
    value: 7 * 24 * hour,
    unit: 'ms',
    reason: 'Duration of one A/A test round: it includes every day of a week.',
  },
  aaTestInterval: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How often the A/A test is evaluated: it is not urgent, and it covers every user of the site.',
  },
  aaTestPoll: {
    value: minute,
    unit: 'ms',
    reason: 'How often a server checks which A/A tests are due.',
  },
  aaTestLease: {
    value: 2 * minute,
    unit: 'ms',
    reason: 'Lease of a dead server on an A/A test.',
  },
  aaTestGrace: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'Late events arrive in this time after a round, before its last look.',
  },
  aaTestRoundsKept: { value: 104, unit: 'items', reason: 'Rounds of the A/A test kept: two years.' },
  aaTestEnough: {
    value: 40,
    unit: 'items',
    reason: 'Metric results needed before the rate is judged: with fewer, two false alarms prove nothing.',
  },
  unguardedAlpha: {
    value: 0.05,
    unit: 'share',
    reason:
      'The probability that any of the splits of an environment without a guard is ever called regressed without harm.',
  },
  unguardedPoll: {
    value: 5 * second,
    unit: 'ms',
    reason: 'How often a server checks which splits without a guard are due.',
  },
  unguardedInterval: {
    value: 15 * second,
    unit: 'ms',
    reason: 'How often a split without a guard is judged: harm is shown within a minute.',
  },
  unguardedLongest: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'The longest time between two looks at a split whose evidence takes long to read.',
  },
  unguardedWork: {
    value: 20,
    unit: 'items',
    reason: 'A split is judged again after this many times the duration of its last look: 5% of one thread.',
  },
  unguardedLooks: {
    value: 20,
    unit: 'items',
    reason: 'Looks of one pass of a server: other splits wait for the next pass.',
  },
  unguardedLease: {
    value: 2 * minute,
    unit: 'ms',
    reason: 'Lease of a dead server on a split without a guard.',
  },
  unguardedUnits: {
    value: 50,
    unit: 'items',
    reason: 'Users exposed to a split before it takes a part of the budget for false alarms.',
  },
  unguardedRecent: {
    value: 3 * hour,
    unit: 'ms',
    reason: 'The affected users per hour are those of the last hours.',
  },
  backTestRollouts: {
    value: 10,
    unit: 'items',
    reason: 'Past rollouts in a back-test: older ones say little about today.',
  },
  backTestMoments: {
    value: 24,
    unit: 'items',
    reason: 'Looks at each past rollout: each one is a column of a query.',
  },
  backTestPastTime: {
    value: minute / 2,
    unit: 'ms',
    reason: 'Timeout for all past rollouts together, after the simulated runs.',
  },
  historyAge: { value: 28 * day, unit: 'ms', reason: 'Older history of users says little about today.' },
  historyUsers: { value: 500_000, unit: 'items', reason: 'More users would make every look slow.' },
  suspectGroups: {
    value: 20_000,
    unit: 'items',
    reason: 'Distinct combinations of variations: with more, users are sampled.',
  },
  suspectsShown: { value: 10, unit: 'items', reason: 'More suspects would not help.' },
} as const
