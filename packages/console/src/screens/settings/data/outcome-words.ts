import type { DropReason } from '@telltale/core/contract/events'

/** What became of an event, in a few words, and what to do about it. */
const words: Record<DropReason, { label: string; hint: string }> = {
  malformed: { label: 'No JSON', hint: 'The line is not a JSON object.' },
  unknown_kind: {
    label: 'Unknown kind',
    hint: 'A newer library may send what this server does not know yet.',
  },
  invalid: { label: 'Invalid', hint: 'A member is missing or has an invalid value.' },
  too_large: { label: 'Too large', hint: 'The event is too large.' },
  too_deep: { label: 'Too deep', hint: 'The event is nested too deeply.' },
  too_many: { label: 'Too many in a batch', hint: 'Send them in several batches.' },
  unknown_context: { label: 'Without its context', hint: 'The context has to come before its events.' },
  timestamp_out_of_range: {
    label: 'Wrong time',
    hint: 'Older than 48 h or more than 10 min ahead, after the clock was corrected.',
  },
  sampled_out: { label: 'Not sampled', hint: 'The environment records fewer sessions than the client sent.' },
  over_quota: { label: 'Over the quota', hint: 'Daily data quota exceeded.' },
  session_full: { label: 'Session too long', hint: 'It has as many bytes of replay as a session may.' },
  erased_person: { label: 'Erased person', hint: 'What still came of somebody who was erased.' },
  repeated_event: { label: 'Here before', hint: 'An event with this id came in the last 48 hours.' },
  client_telemetry: {
    label: 'About the client',
    hint: 'What a foreign client sends about itself: turn that off in its options.',
  },
  discarded: { label: 'Not to be counted', hint: 'The client itself says so.' },
  own_request: { label: 'Its own request', hint: 'The client asked for itself, not for the application.' },
  base_missing: {
    label: 'Change without a view',
    hint: 'A change of a page view whose beginning has not come yet.',
  },
  unsupported_recording: {
    label: 'Unsupported recording',
    hint: 'Recorded by version 6 or older of the Datadog client. Replay needs version 7.',
  },
  engine_refused: { label: 'Refused by the store', hint: 'The rows wait in quarantine below.' },
}

/** Values of flags that another vendor's client told, and that count in no comparison. The events themselves are kept. */
const withoutArm: Readonly<Record<string, { label: string; hint: string }>> = {
  arm_undecided: {
    label: 'Flag not compared: a rule is unknown',
    hint: 'A rule above the split asks for what the client does not send: give it to setUser or setAccount.',
  },
  arm_no_unit: {
    label: 'Flag not compared: nobody to count',
    hint: 'The split is drawn by an attribute that the client does not send.',
  },
  arm_other_variation: {
    label: 'Flag not compared: another value',
    hint: 'The split gives this person something else: the flag was evaluated with another targeting key.',
  },
}

export function wordsOf(reason: string): { label: string; hint: string } {
  return isDropReason(reason) ? words[reason] : (withoutArm[reason] ?? { label: reason, hint: '' })
}

const isDropReason = (reason: string): reason is DropReason => Object.hasOwn(words, reason)
