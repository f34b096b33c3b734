// Why there is no session with an id: its timestamp shows whether the session is older than the retention.

/** Of a UUIDv7; undefined for every other id. */
function instantOfId(id: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id)) return undefined
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

type LostReason = 'expired' | 'too-new' | 'unknown'

const day = 86_400_000
/** Transport from the browser to the store, with a margin. */
const arrivesWithin = 120_000

export function whyLost(id: string, { now, keptDays }: { now: number; keptDays: number }): LostReason {
  const begun = instantOfId(id)
  if (begun === undefined || begun > now + day) return 'unknown'
  if (now - begun > keptDays * day) return 'expired'
  return now - begun < arrivesWithin ? 'too-new' : 'unknown'
}
