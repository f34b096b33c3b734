// The constants of the guard: value, unit and reason, part of the table in limits.ts.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

export const guardLimits = {
  guardInterval: { value: 10 * second, unit: 'ms', reason: 'How often every running rollout is looked at.' },
  guardLookMaximum: {
    value: minute,
    unit: 'ms',
    reason:
      'A longer gap between two looks counts as this: a stage ends by time that was watched, not by a clock that jumped or a server that was away.',
  },
  guardDwell: {
    value: 30 * minute,
    unit: 'ms',
    reason: 'A stage lasts at least this long when nobody says: caches, slow clients, a look by people.',
  },
  guardDwellBeforeAll: {
    value: 24 * hour,
    unit: 'ms',
    reason: 'The last stage before everybody sees one full day when nobody says.',
  },
  guardTimeBox: {
    value: 48 * hour,
    unit: 'ms',
    reason: 'A stage that is undecided for so long needs a policy or a person.',
  },
  guardFreshness: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'No stage ends unless both arms had events in the last of them.',
  },
  guardSpoolLag: {
    value: minute,
    unit: 'ms',
    reason: 'A spool further behind hides what people live through now.',
  },
  guardBlindEvaluations: {
    value: 50,
    unit: 'requests',
    reason: 'Answers of delivery in five minutes, after which silence of telemetry means something.',
  },
  guardBlindUnits: {
    value: 10,
    unit: 'items',
    reason: 'Units expected in an arm below which hearing of few of them is chance.',
  },
  guardTogether: {
    value: 5,
    unit: 'items',
    reason:
      'Rollouts that one statement asks about: more no longer fit into the memory nearest the processor.',
  },
  guardEpochsTogether: {
    value: 100,
    unit: 'items',
    reason: 'Stages of all rollouts that one statement asks about: they stand in an address.',
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
      'A user above the cap who has more than one part in so many of all views of both arms is a bot or a shared identity, and is left out of means, counts and percentiles.',
  },
  guardLease: {
    value: 30 * second,
    unit: 'ms',
    reason: 'How long a server that died still has its rollouts: three looks.',
  },
  guardServerSilent: {
    value: minute,
    unit: 'ms',
    reason: 'What a server said about its spool before that is no longer believed.',
  },
  guardServerForgotten: {
    value: hour,
    unit: 'ms',
    reason: 'A server that said nothing for so long is gone.',
  },
  guardLate: {
    value: minute,
    unit: 'ms',
    reason: 'A guard that has not looked for so long is shown as not working.',
  },
  guardReadTimeout: {
    value: 8 * second,
    unit: 'ms',
    reason: 'What one statement of a look may take; a look without an answer sees nothing.',
  },
  impactArms: {
    value: 10,
    unit: 'items',
    reason: 'Arms of one split that are compared at once: each asks the engine.',
  },
  impactEpochs: {
    value: 50,
    unit: 'items',
    reason: 'The last epochs of a split that people choose from; older ones are asked for by number.',
  },
  impactPoints: { value: 40, unit: 'items', reason: 'A line that is read, in one statement.' },
  impactSlices: {
    value: 8,
    unit: 'items',
    reason: 'Each makes the intervals of all wider, and what is left is too small to tell anything.',
  },
  impactSliceSpan: {
    value: 30 * 24 * hour,
    unit: 'ms',
    reason: 'Slices are read from the events themselves, which roll-ups do not know by browser or country.',
  },
  evidenceCandidates: {
    value: 50,
    unit: 'items',
    reason:
      'Issues, requests or functions that may stand behind a gap: each makes the proof of all others harder.',
  },
  evidenceShown: { value: 12, unit: 'items', reason: 'What stands behind a gap, on one screen.' },
  evidenceReplays: { value: 3, unit: 'items', reason: 'Enough to see what usually happens.' },
  evidenceLate: {
    value: hour,
    unit: 'ms',
    reason: 'Browsers tell of a stage a little after it has ended.',
  },
  twinSpan: {
    value: 3 * 24 * hour,
    unit: 'ms',
    reason: 'Before and after a session: a twin lived through the same site.',
  },
  twinsCompared: {
    value: 120,
    unit: 'items',
    reason: 'Their ids stand in an address; the nearest by device, beginning and time come first.',
  },
  evidencePoll: {
    value: minute,
    unit: 'ms',
    reason: 'How often rollouts that were rolled back are looked for, to keep what stood behind it.',
  },
  evidenceSettles: {
    value: minute,
    unit: 'ms',
    reason: 'What people lived through just before the roll-back has arrived by then.',
  },
  evidenceReadAgain: {
    value: 10 * minute,
    unit: 'ms',
    reason:
      'After it was first read: late events and replays have arrived by then, and issues are joined by source maps.',
  },
  evidenceMetrics: {
    value: 5,
    unit: 'items',
    reason: 'Metrics of one rollout whose gap is kept: each asks the engine for seconds.',
  },
  evidenceTries: {
    value: 5,
    unit: 'items',
    reason: 'What failed as often waits for the next start of the server.',
  },
  evidenceSliceUnits: {
    value: 30,
    unit: 'items',
    reason: 'Fewer people in an arm of a part say nothing about it.',
  },
  metricsPerProject: { value: 200, unit: 'items', reason: 'Of its own; a list that people still read.' },
  metricFilterLength: {
    value: 300,
    unit: 'characters',
    reason: 'Of an own metric: the guard asks for several at once, and what it asks stands in an address.',
  },
  metricPreviewDays: {
    value: 7,
    unit: 'items',
    reason: 'Days that the preview of a metric shows: a whole week, workdays and others.',
  },
  metricCap: { value: 1_000_000, unit: 'items', reason: 'More for one session is no cap.' },
  unitLength: { value: 20, unit: 'characters', reason: 'It stands behind every value.' },
  rolloutStages: {
    value: 20,
    unit: 'items',
    reason: 'More is a slow slope, not steps that somebody decides.',
  },
  rolloutStageLongest: {
    value: 90 * 24 * hour,
    unit: 'ms',
    reason: 'Longer is no stage but a state; events older than this are gone by default.',
  },
  rolloutDrafts: {
    value: 20,
    unit: 'items',
    reason: 'Drafts of rollouts of one flag in one environment: more are forgotten ones.',
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
    reason: 'Running rollouts that one change may touch: each of them was read by whoever acknowledges.',
  },
  rolloutHistoryStep: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How close together the moments are that charts of a rollout are drawn from.',
  },
  rolloutHistoryShown: {
    value: 500,
    unit: 'items',
    reason:
      'Moments in one chart: more than it has pixels for. Of more, every second one, third one and so on.',
  },
  rolloutMetrics: {
    value: 20,
    unit: 'items',
    reason: 'Each one takes its part of the chance of a false alarm and makes the others slower.',
  },
  backTestDays: {
    value: 30,
    unit: 'items',
    reason: 'Days of the past that a guard is tried on: a month has everything that happens every week.',
  },
  backTestUnits: {
    value: 10_000,
    unit: 'items',
    reason: 'People who are drawn anew for every run: of more, a part tells as much of false alarms.',
  },
  backTestLooks: {
    value: 4,
    unit: 'items',
    reason: 'Of one run in its shortest stage: each costs as much as a real one.',
  },
  backTestSlots: {
    value: 240,
    unit: 'items',
    reason: 'Parts of the past that a run is made of, at most: as many as a byte tells apart.',
  },
  backTestRuns: {
    value: 200,
    unit: 'items',
    reason: 'Draws: a rate of 5 % is then known to within 3 %.',
  },
  backTestTime: { value: minute, unit: 'ms', reason: 'As long as somebody waits for an answer.' },
  canaryDraw: {
    value: 7 * 24 * hour,
    unit: 'ms',
    reason: 'How long a draw of the canary lasts: a week has every day of one.',
  },
  canaryInterval: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'How often the canary is looked at: nobody waits for it, and it has everybody of the site.',
  },
  canaryPoll: {
    value: minute,
    unit: 'ms',
    reason: 'How often a server asks which canaries are due.',
  },
  canaryLease: {
    value: 2 * minute,
    unit: 'ms',
    reason: 'A server that died in a look at the canary keeps others from it for so long.',
  },
  canaryGrace: {
    value: 10 * minute,
    unit: 'ms',
    reason: 'After the end of a draw, what was under way arrives before its last look.',
  },
  canaryDrawsKept: { value: 104, unit: 'items', reason: 'Draws of the canary, two years of them.' },
  canaryEnough: {
    value: 40,
    unit: 'items',
    reason:
      'Metrics of draws, of which one in twenty may alarm: of fewer, two false alarms would say nothing yet.',
  },
  backTestRollouts: {
    value: 10,
    unit: 'items',
    reason: 'Past rollouts that a guard is tried on: what people did a year ago says little of now.',
  },
  backTestMoments: {
    value: 24,
    unit: 'items',
    reason: 'Looks at each of them: a day has so many hours, and each is a column of a question.',
  },
  backTestPastTime: {
    value: minute / 2,
    unit: 'ms',
    reason: 'For all past rollouts together: they come after the draws.',
  },
  suspectGroups: {
    value: 20_000,
    unit: 'items',
    reason: 'Groups of people who read the same variations: where there are more, people are drawn.',
  },
  suspectsShown: { value: 10, unit: 'items', reason: 'Who suspects ten suspects nobody.' },
} as const
