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
    reason: 'Every change checks all of them.',
  },
  channelUrlLength: { value: 2_000, unit: 'characters', reason: 'What servers and proxies take.' },
  channelAddresses: {
    value: 20,
    unit: 'items',
    reason: 'A team; use a mailing list for more.',
  },
  deliveryPoll: { value: second, unit: 'ms', reason: 'The longest delay before a notification is sent.' },
  deliveryTimeout: {
    value: 10 * second,
    unit: 'ms',
    reason: 'One attempt, from the name to the end of the answer.',
  },
  letterTimeout: {
    value: 25 * second,
    unit: 'ms',
    reason: 'One e-mail: some mail servers delay every sender. Shorter than a lease.',
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
  deliveryPause: { value: 10 * second, unit: 'ms', reason: 'The first pause; each one after it is longer.' },
  deliveryPauseMaximum: { value: 4 * hour, unit: 'ms', reason: 'The longest pause between two attempts.' },
  deliveriesAtOnce: { value: 16, unit: 'items', reason: 'Attempts under way on one server.' },
  deliveriesAtOncePerChannel: {
    value: 2,
    unit: 'items',
    reason: 'A recipient that hangs does not delay others.',
  },
  deliveriesWaiting: {
    value: 2_000,
    unit: 'items',
    reason: 'Per channel; the rest is withheld.',
  },
  deliveriesKept: {
    value: 20_000,
    unit: 'items',
    reason: 'Per channel, in its log, so that a flood of notifications does not fill the disk.',
  },
  deliveryKept: { value: 30 * day, unit: 'ms', reason: 'Retention of the delivery log.' },
  incidentKept: {
    value: 400 * day,
    unit: 'ms',
    reason: 'One year and one month.',
  },
  deliveryTidyInterval: { value: hour, unit: 'ms', reason: 'Interval of the cleanup of old deliveries.' },
  deliveryAnswerKept: {
    value: 2 * kibibyte,
    unit: 'bytes',
    reason: 'Enough of a response to see what is wrong.',
  },
  deliveryAnswerRead: {
    value: 64 * kibibyte,
    unit: 'bytes',
    reason: 'Longer responses are cut off.',
  },
  noticeChangesSize: {
    value: 32 * kibibyte,
    unit: 'bytes',
    reason: 'Longer bodies are omitted, and the message says so.',
  },
  auditStreamBatch: { value: 200, unit: 'items', reason: 'Audit entries in one delivery to a webhook.' },
  auditStreamSize: {
    value: 256 * kibibyte,
    unit: 'bytes',
    reason: 'Of the entries in one delivery, which receivers must accept; a longer entry is sent alone.',
  },
  auditStreamPoll: { value: second, unit: 'ms', reason: 'The longest delay of the next batch.' },
  channelFailingFor: {
    value: 3 * day,
    unit: 'ms',
    reason: 'A long weekend; after it the channel is turned off.',
  },
  alertsPerProject: {
    value: 100,
    unit: 'items',
    reason: 'Each queries the engine every minute.',
  },
  alertInterval: { value: minute, unit: 'ms', reason: 'Evaluation interval of every alert.' },
  alertPoll: { value: 5 * second, unit: 'ms', reason: 'The longest delay of an evaluation.' },
  alertLease: { value: minute, unit: 'ms', reason: 'Lease of a server on one evaluation.' },
  alertDelay: {
    value: minute,
    unit: 'ms',
    reason: 'Browsers buffer events for some seconds.',
  },
  alertForMaximum: { value: day, unit: 'ms', reason: 'Longer windows are reports, not alerts.' },
  alertNoDataAfter: {
    value: 5 * minute,
    unit: 'ms',
    reason: '"No data" must last this long before a notification, so that a restart does not send one.',
  },
  alertPreview: {
    value: 7 * day,
    unit: 'ms',
    reason: 'Days in the preview of an alert.',
  },
  alertChannels: { value: 10, unit: 'items', reason: 'Recipients of one alert.' },
  alertMuteMaximum: { value: 90 * day, unit: 'ms', reason: 'Delete an alert instead of muting it longer.' },
} as const
