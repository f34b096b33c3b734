import type { ReplyOf } from '@telltale/core/contract/call'
import type { listOutcomes } from '@telltale/core/contract/intake'
import { countOf, shareText } from '../../ui/text/measure-text.ts'

/** These are left out on purpose. */
const meant = ['accepted', 'repeated', 'sampled_out', 'erased_person']
const noticedShare = 0.01

/** What of the events sent is missing in every number of the screen. */
export function findIntakeTrouble({ outcomes, quarantined }: ReplyOf<typeof listOutcomes>): string[] {
  const sent = outcomes.reduce((sum, { count }) => sum + count, 0)
  const dropped = outcomes.reduce((sum, { reason, count }) => (meant.includes(reason) ? sum : sum + count), 0)
  const share = sent === 0 ? 0 : dropped / sent
  return [
    ...(share >= noticedShare
      ? [`${countOf(dropped, 'event')} dropped, ${shareText(share)} of all received.`]
      : []),
    ...(quarantined > 0
      ? [`${countOf(quarantined, 'row')} in quarantine: rejected by the telemetry store.`]
      : []),
  ]
}
