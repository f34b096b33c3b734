// The constants of channels and alerts: value, unit and reason, part of the table in limits.ts.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const kibibyte = 1_024

export const alertLimits = {
  channelsPerProject: {
    value: 50,
    unit: 'items',
    reason: 'Looked at with every change.',
  },
  channelUrlLength: { value: 2_000, unit: 'characters', reason: 'What servers and proxies take.' },
  channelAddresses: {
    value: 20,
    unit: 'items',
    reason: 'A team; for more there are lists.',
  },
  deliveryPoll: { value: second, unit: 'ms', reason: 'How late news leave.' },
  deliveryTimeout: {
    value: 10 * second,
    unit: 'ms',
    reason: 'One attempt, from the name to the end of the answer.',
  },
  letterTimeout: {
    value: 25 * second,
    unit: 'ms',
    reason: 'A letter: some mail servers let everybody wait. Less than a lease.',
  },
  deliveryLease: {
    value: 30 * second,
    unit: 'ms',
    reason: 'After it an attempt counts as lost.',
  },
  deliveryAttempts: {
    value: 12,
    unit: 'items',
    reason: 'About a day.',
  },
  deliveryPause: { value: 10 * second, unit: 'ms', reason: 'The first; each is longer.' },
  deliveryPauseMaximum: { value: 4 * hour, unit: 'ms', reason: 'The longest pause between two attempts.' },
  deliveriesAtOnce: { value: 16, unit: 'items', reason: 'Attempts under way on one server.' },
  deliveriesAtOncePerChannel: {
    value: 2,
    unit: 'items',
    reason: 'Who hangs keeps nobody waiting.',
  },
  deliveriesWaiting: {
    value: 2_000,
    unit: 'items',
    reason: 'Per channel; more is kept, not sent.',
  },
  deliveriesKept: {
    value: 20_000,
    unit: 'items',
    reason: 'Per channel, in its log: a flood of news fills no disk.',
  },
  deliveryKept: { value: 30 * day, unit: 'ms', reason: 'How long the log of deliveries goes back.' },
  incidentKept: {
    value: 400 * day,
    unit: 'ms',
    reason: 'A year, and the month before it.',
  },
  deliveryTidyInterval: { value: hour, unit: 'ms', reason: 'How often old deliveries are removed.' },
  deliveryAnswerKept: {
    value: 2 * kibibyte,
    unit: 'bytes',
    reason: 'Enough of an answer to see what is wrong.',
  },
  deliveryAnswerRead: {
    value: 64 * kibibyte,
    unit: 'bytes',
    reason: 'Whoever answers more is cut off.',
  },
  noticeChangesSize: {
    value: 32 * kibibyte,
    unit: 'bytes',
    reason: 'Longer ones are left out, and the body says so.',
  },
  channelFailingFor: {
    value: 3 * day,
    unit: 'ms',
    reason: 'A long weekend; then a channel is turned off.',
  },
  alertsPerProject: {
    value: 100,
    unit: 'items',
    reason: 'Each asks the engine every minute.',
  },
  alertInterval: { value: minute, unit: 'ms', reason: 'How often every alert looks.' },
  alertPoll: { value: 5 * second, unit: 'ms', reason: 'How late an alert looks at most.' },
  alertLease: { value: minute, unit: 'ms', reason: 'So long one look of an alert belongs to one server.' },
  alertDelay: {
    value: minute,
    unit: 'ms',
    reason: 'Browsers keep events for some seconds.',
  },
  alertForMaximum: { value: day, unit: 'ms', reason: 'Whoever waits longer wants a report.' },
  alertNoDataAfter: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'So long there is nothing to judge before anybody is told: a restart is no news.',
  },
  alertPreview: {
    value: 7 * day,
    unit: 'ms',
    reason: 'How far back one sees when an alert would have fired.',
  },
  alertChannels: { value: 10, unit: 'items', reason: 'Whom one alert tells.' },
  alertMuteMaximum: { value: 90 * day, unit: 'ms', reason: 'What is muted for longer can go.' },
} as const
