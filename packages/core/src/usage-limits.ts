// The limits of meters. Part of `retentionLimits`.

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour

export const usageLimits = {
  usageFlushInterval: {
    value: 5 * second,
    unit: 'ms',
    reason: 'How often meters are written: what a server that is killed may not have counted.',
  },
  usageCells: {
    value: 50_000,
    unit: 'items',
    reason: 'Meters that wait for the database. Above it, applications are counted together.',
  },
  usageApplications: {
    value: 500,
    unit: 'items',
    reason: 'Applications of an environment that a day counts apart: their names come from clients.',
  },
  usageSessionsWaiting: {
    value: 200_000,
    unit: 'items',
    reason:
      'New sessions that wait for the database. One above it is counted by a later batch of the session.',
  },
  usageSessionsRemembered: {
    value: 200_000,
    unit: 'items',
    reason: 'Sessions that a server knows to be counted, so that it does not ask the database.',
  },
  usageSessionWindow: {
    value: 2 * day,
    unit: 'ms',
    reason:
      'How long a counted session is recognised: longer than one lasts, and than its batches may be late.',
  },
  usageDaysKept: { value: 800, unit: 'days', reason: 'Two years and the current month.' },
  usageHoursKept: { value: 15, unit: 'days', reason: 'Two weeks, as the usual traffic of an hour.' },
  usageDaysShown: {
    value: 400,
    unit: 'days',
    reason: 'The longest period of one reading: a year and a month.',
  },
  usageRows: { value: 20_000, unit: 'items', reason: 'The rows of one reading.' },
  usageTidyInterval: { value: hour, unit: 'ms', reason: 'How often old meters are deleted.' },
  quotaLookInterval: {
    value: 10 * second,
    unit: 'ms',
    reason: 'How often quotas and spikes are looked at: how far past a quota an environment can get.',
  },
  quotasPerProject: {
    value: 50,
    unit: 'items',
    reason: 'One per meter for the project and each of its keys.',
  },
  quotaMinimum: { value: 100, unit: 'items', reason: 'A smaller quota is a switch.' },
  quotaMaximum: { value: 1_000_000_000_000_000, unit: 'items', reason: 'A petabyte.' },
  samplingsShown: { value: 20, unit: 'items', reason: 'The latest reductions in a list.' },
  spikeFactor: {
    value: 10,
    unit: 'items',
    reason: 'Times the usual: a campaign does not reach it, a loop does.',
  },
  spikeLiftFactor: { value: 5, unit: 'items', reason: 'Half of the factor at which a spike begins.' },
  spikeFloor: {
    value: 2_000,
    unit: 'items',
    reason: 'Events an hour that count as usual even if there were fewer: a quiet site can grow.',
  },
  spikeDays: { value: 14, unit: 'days', reason: 'The days whose same hour says what is usual.' },
  spikeDaysMinimum: { value: 3, unit: 'days', reason: 'With fewer, one unusual day would be the usual.' },
  spikeKept: {
    value: 10,
    unit: 'items',
    reason: 'Percent of sessions kept during a spike: at ten times, the usual.',
  },
  spikeCheck: {
    value: 600 * second,
    unit: 'ms',
    reason: 'The time over which the rate of a spike is measured before it is lifted.',
  },
  diskSampleInterval: {
    value: 600 * second,
    unit: 'ms',
    reason: 'How often the sizes of the engines are measured; the last of a day counts.',
  },
  diskSamplesUsed: { value: 30, unit: 'days', reason: 'The days behind a forecast of the disk.' },
} as const
