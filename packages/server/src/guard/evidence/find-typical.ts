// Typical recorded sessions, and typical traces: those closest to the median of the treatment's affected ones, so that
// the worst case is not taken for the normal one.
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
    columns: { id_: 'session_id', amount_: `toFloat64(${amount})` },
    conditions: ['has_replay = 1', ...conditions],
  })
  return toReplays(await readTypical(question, treatedOnly(rows)))
}

export interface TypicalTrace {
  traceId: string
  /** Null if the event has none, as without OpenTelemetry in the service. */
  spanId: string | null
  at: string
}

/** Traces that the console can open: other clients number theirs in another way. */
const hasTrace = "match(trace_id, '^[0-9a-f]{32}$')"

export async function findTypicalTraces(
  question: SplitQuestion,
  period: EvidencePeriod,
  { conditions, amount }: Lived,
): Promise<TypicalTrace[]> {
  const rows = rowsOfArms(question, period, {
    columns: { id_: "concat(trace_id, ' ', attrs['span.id'])", amount_: `toFloat64(${amount})` },
    conditions: [hasTrace, ...conditions],
  })
  const found = await readTypical(question, treatedOnly(rows))
  return found.map(({ id, at }) => {
    const [traceId = '', spanId = ''] = id.split(' ')
    return { traceId, spanId: spanId === '' ? null : spanId, at }
  })
}

const treatedOnly = (rows: string) =>
  `SELECT id_, min(at_) AS began, sum(amount_) AS much FROM (${rows}) WHERE treated = 1 GROUP BY id_ LIMIT ${sessionsRead}`

export const toReplays = (found: readonly { id: string; at: string }[]): TypicalReplay[] =>
  found.map(({ id, at }) => ({ session: id, at }))

/** From sessions or traces with `id_`, `began` in milliseconds and `much`. */
export async function readTypical(
  { read }: { read<Row>(text: string): Promise<Row[]> },
  sessions: string,
): Promise<{ id: string; at: string }[]> {
  const found = await read<{ id: string; began: string }>(
    `SELECT toString(one.1) AS id, toString(one.2) AS began
    FROM (
      SELECT arrayJoin(arraySlice(arraySort(s -> (abs(log(greatest(s.3, 0.001) / greatest(middle, 0.001))), cityHash64(s.1)), each), 1, ${limits.evidenceReplays})) AS one
      FROM (SELECT groupArray((id_, began, much)) AS each, quantileExact(0.5)(much) AS middle FROM (${sessions})))`,
  )
  return found.map(({ id, began }) => ({ id, at: new Date(Number(began)).toISOString() }))
}
