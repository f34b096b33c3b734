import { queryValue } from '../../organisation/keys/sdk-key.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Answer, Asked } from './asked.ts'
import { flagsText } from './flag-texts.ts'
import { Refused } from './refused.ts'

/** `GET flags/`: all flags without an identity, or the one of a name. */
export function answerFlags({ evaluationCounts: counts }: Delivery) {
  return ({ key, served, query }: Asked): Answer => {
    const name = queryValue(query, 'feature')
    const text = flagsText(served, { key, context: {}, hasIdentity: false, counts }, name)
    if (name === undefined) return { text }
    if (text === '[]') throw new Refused(404, { detail: 'Given feature not found' })
    return { text: text.slice(1, -1) }
  }
}
