import type { DropReason } from '@telltale/core/contract/events'

/** The outcome of an event in a few words, and what to do about it. */
const words: Record<DropReason, { label: string; hint: string }> = {
  malformed: { label: 'Not JSON', hint: 'The line is not a JSON object.' },
  unknown_kind: {
    label: 'Unknown kind',
    hint: 'Possibly sent by a newer SDK.',
  },
  invalid: { label: 'Invalid', hint: 'A field is missing or has an invalid value.' },
  too_large: { label: 'Too large', hint: 'The event is too large.' },
  too_deep: { label: 'Too deep', hint: 'The event is nested too deeply.' },
  too_many: { label: 'Too many in a batch', hint: 'Send them in several batches.' },
  unknown_context: { label: 'Missing context', hint: 'The context must precede its events.' },
  timestamp_out_of_range: {
    label: 'Wrong time',
    hint: 'Older than 48 h or more than 10 min ahead, after the clock was corrected.',
  },
  sampled_out: { label: 'Not sampled', hint: 'The environment records fewer sessions than the client sent.' },
  over_quota: { label: 'Over the quota', hint: 'Daily data quota exceeded.' },
  paused_by_quota: { label: 'Recording paused', hint: 'A quota is used up. See Usage.' },
  sampled_by_quota: {
    label: 'Sampled by a quota',
    hint: 'A quota is used up, so only some sessions are stored. See Usage.',
  },
  sampled_in_spike: {
    label: 'Sampled in a spike',
    hint: 'Ten times more events than usual, so only some sessions are stored. See Usage.',
  },
  rate_limited: { label: 'Too many requests', hint: 'Larger batches need fewer requests.' },
  session_full: { label: 'Session too long', hint: 'It reached the replay size limit of a session.' },
  erased_person: { label: 'Erased user', hint: 'Late events of an erased user.' },
  repeated_event: { label: 'Duplicate', hint: 'An event with this ID arrived in the last 48 hours.' },
  client_telemetry: {
    label: 'About the client',
    hint: 'A third-party client sends telemetry about itself. Turn it off in its options.',
  },
  discarded: { label: 'Excluded by the client', hint: 'The client marked it as excluded.' },
  own_request: { label: 'Its own request', hint: 'A request of the client, not of the application.' },
  base_missing: {
    label: 'Change without a view',
    hint: 'An update of a page view that has not started yet.',
  },
  reported_twice: {
    label: 'Reported twice',
    hint: 'The client sent the request as a timing and as a span. One of them is stored.',
  },
  unsupported_recording: {
    label: 'Unsupported recording',
    hint: 'Recorded by Faro, or by version 6 or older of the Datadog client. Replay needs version 7.',
  },
  engine_refused: { label: 'Rejected by the store', hint: 'The rows are in quarantine below.' },
}

/** Flag values reported by another vendor's client, which no comparison counts. The events themselves are stored. */
const withoutArm: Readonly<Record<string, { label: string; hint: string }>> = {
  arm_undecided: {
    label: 'Flag not compared: a rule is unknown',
    hint: 'A rule above the split uses an attribute the client does not send. Pass it to setUser or setAccount.',
  },
  arm_no_unit: {
    label: 'Flag not compared: missing attribute',
    hint: 'The split is based on an attribute the client does not send.',
  },
  arm_other_variation: {
    label: 'Flag not compared: another value',
    hint: 'The split assigns a different value: the flag was evaluated with another targeting key.',
  },
}

export function wordsOf(reason: string): { label: string; hint: string } {
  return isDropReason(reason) ? words[reason] : (withoutArm[reason] ?? { label: reason, hint: '' })
}

const isDropReason = (reason: string): reason is DropReason => Object.hasOwn(words, reason)
