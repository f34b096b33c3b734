import type { GapExplanation } from '@telltale/core/contract/gap-evidence'
import type { EvidenceSource } from './evidence-sources.ts'
import type { TypicalReplay } from './find-typical.ts'

/** The replay starts shortly before, to show what led to it. */
const leadIn = 5_000
const day = 86_400_000

/** The offset of each replay within its session. */
export async function placeReplays(
  { questionOfProfiles, period }: EvidenceSource,
  found: readonly TypicalReplay[][],
): Promise<GapExplanation['replays'][]> {
  const ids = [...new Set(found.flat().map(({ session }) => session))]
  if (ids.length === 0) return found.map(() => [])
  const question = questionOfProfiles()
  const on = (at: number) => question.bind(new Date(at).toISOString().slice(0, 10), 'Date')
  const rows = await question.read<{ session: string; began: string }>(
    `SELECT toString(session_id) AS session, toString(toUnixTimestamp64Milli(min(started))) AS began
    FROM ${question.rowsOf('sessions', `day >= ${on(period.from - day)}`, `day <= ${on(period.to)}`, `session_id IN ${question.bind(ids, 'Array(UUID)')}`)} GROUP BY session_id`,
  )
  const began = new Map(rows.map((row) => [row.session, Number(row.began)]))
  return found.map((replays) =>
    replays.map(({ session, at }) => {
      const since = Date.parse(at) - (began.get(session) ?? Date.parse(at))
      return { session, at, offset: Math.max(0, since - leadIn) }
    }),
  )
}
