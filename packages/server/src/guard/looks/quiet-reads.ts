// The guard's access to the telemetry store: two queries at once, each on one thread and with a time limit, so
// that flag delivery and intake keep the rest of the machine.
import { limits } from '@telltale/core/limits'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

const atOnce = 2
const threads = 1
/** The store reports its own timeouts; a store that does not answer is abandoned after this delay. */
const answerPatience = 2_000

export function quietReads(telemetry: Pick<Telemetry, 'read'>): Pick<Telemetry, 'read'> {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async () => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
  }
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async read(text, options) {
      await enter()
      try {
        const signal = AbortSignal.timeout(limits.guardReadTimeout + answerPatience)
        return await telemetry.read(text, { ...options, limit: limits.guardReadTimeout, threads, signal })
      } finally {
        leave()
      }
    },
  }
}
