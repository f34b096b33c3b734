// Typical recorded sessions: those closest to the median of the treatment's affected sessions, so that the
// worst case is not taken for the normal one.
import { limits } from '@telltale/core/limits'
import { type EvidencePeriod, rowsOfArms } from './rows-of-arms.ts'
import type { SplitQuestion } from './split-question.ts'

export interface TypicalReplay {
  session: string
  at: string
}

export interface Lived {
  conditions: readonly string[]
  /** SQL for an event's contribution; its sum over a session is compared. */
  amount: string
}

/** Maximum number of sessions read. */
const sessionsRead = 20_000

export async function findTypical(
  question: SplitQuestion,
  period: EvidencePeriod,
  { conditions, amount }: Lived,
): Promise<TypicalReplay[]> {
  const rows = rowsOfArms(question, period, {
    columns: { session_: 'session_id', amount_: `toFloat64(${amount})` },
    conditions: ['has_replay = 1', ...conditions],
  })
  return readTypical(
    question,
    `SELECT session_, min(at_) AS began, sum(amount_) AS much FROM (${rows}) WHERE treated = 1 GROUP BY session_ LIMIT ${sessionsRead}`,
  )
}

/** From sessions with `session_`, `began` in milliseconds and `much`. */
export async function readTypical(
  { read }: { read<Row>(text: string): Promise<Row[]> },
  sessions: string,
): Promise<TypicalReplay[]> {
  const found = await read<{ session: string; began: string }>(
    `SELECT toString(one.1) AS session, toString(one.2) AS began
    FROM (
      SELECT arrayJoin(arraySlice(arraySort(s -> (abs(log(greatest(s.3, 0.001) / greatest(middle, 0.001))), cityHash64(s.1)), each), 1, ${limits.evidenceReplays})) AS one
      FROM (SELECT groupArray((session_, began, much)) AS each, quantileExact(0.5)(much) AS middle FROM (${sessions})))`,
  )
  return found.map(({ session, began }) => ({ session, at: new Date(Number(began)).toISOString() }))
}
