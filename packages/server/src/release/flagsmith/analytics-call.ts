import { isContext } from '@telltale/core/evaluation/context'
import type { Delivery } from '../delivery/delivery.ts'
import { type Answer, type Asked, jsonOf } from './asked.ts'
import { nameOf } from './flag-texts.ts'
import { Refused } from './refused.ts'

/** Names beyond this are passed over: no client evaluates so many. */
const mostNames = 5_000

/**
 * `POST analytics/flags/`: how often an application asked its client for each flag. What it asked this server for was counted
 * when it was served; so only servers' keys are counted here, whose clients may evaluate by themselves.
 */
export function takeAnalytics({ evaluationCounts }: Delivery) {
  return (asked: Asked): Answer => {
    const { key, served } = asked
    const counts = jsonOf(asked)
    if (!isContext(counts)) throw new Refused(400, { detail: 'Expected a map from feature names to counts.' })
    if (key.kind === 'server') {
      const names = new Map([...served.flags.values()].map((flag) => [nameOf(flag), flag.key]))
      for (const [name, count] of Object.entries(counts).slice(0, mostNames)) {
        const flag = names.get(name)
        const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count > 0
        if (flag !== undefined && isCount) evaluationCounts.countElsewhere(key.environment.id, flag, count)
      }
    }
    return { value: {} }
  }
}
