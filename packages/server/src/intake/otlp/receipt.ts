import { dropReasons } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { Receipt } from './encoding.ts'
import type { Collected } from './otlp-request.ts'

/** What was left out and why, for the log of the client. */
export function describeReceipt({ dropped, unnamed }: Pick<Collected, 'dropped' | 'unnamed'>): Receipt {
  const reasons = [...dropped].map(([reason, count]) => `${count} rejected: ${dropReasons[reason]}`)
  const warnings =
    unnamed === 0
      ? []
      : [
          `${unnamed} stored without their service: more than ${limits.servicesPerEnvironment} services an hour.`,
        ]
  return {
    rejected: [...dropped.values()].reduce((sum, count) => sum + count, 0),
    message: [...reasons, ...warnings].join(' '),
  }
}
