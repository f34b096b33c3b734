// Waiting time for each request of the application in a session, and for all other requests.
import { isOfServers, type Method, serverRequest, serverSession } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { noSums, type StageSums, type UnitSums } from '@telltale/core/statistics/sums'
import { type EvidencePeriod, isMeasure, requestHash, rowsOfArms } from './rows-of-arms.ts'
import type { SplitQuestion } from './split-question.ts'

interface SummedPart {
  /** The hash of a request. */
  key: string
  part: StageSums[]
  rest: StageSums[]
}

interface Row {
  key: string
  cells: Cell[]
}

/** Sums over units of one stage and arm; `a` is a unit's total over all requests. */
type Cell = [
  epoch: number,
  treated: number,
  units: number,
  n: number,
  nn: number,
  y: number,
  yy: number,
  ny: number,
  ay: number,
]

/** The cap of the request roll-up. */
const longest = 60_000

/** The requests with the most time. */
export async function sumWaits(
  question: SplitQuestion,
  period: EvidencePeriod,
  { method, atMost }: { method: Method; atMost: number },
): Promise<SummedPart[]> {
  const rows = rowsOfArms(question, period, {
    columns: { key_: requestHash, value_: `toFloat64(least(duration, ${longest}))` },
    conditions: [isMeasure(question, isOfServers(method) ? serverRequest : 'request')],
  })
  const session = isOfServers(method) ? serverSession : 'session'
  // One hash for unit, stage and arm: grouping millions of rows by the three columns takes three times as long.
  const who = 'cityHash64(epoch, treated, unit)'
  const waits = `SELECT who_, key_, sum(value_) AS v, 0. AS sessions_, toUInt32(0) AS epoch_, toUInt8(0) AS treated_
    FROM (SELECT ${who} AS who_, key_, value_ FROM (${rows})) GROUP BY who_, key_`
  const sessions = `SELECT ${who} AS who_, toUInt64(0) AS key_, 0. AS v, toFloat64(sum(n)) AS sessions_, epoch AS epoch_, treated AS treated_
    FROM (SELECT unit, epoch, arm = ${question.arm.treatment} AS treated, n FROM ${question.rowsOf('unit_measures', `measure = ${question.bind(session, 'String')}`)})
    GROUP BY unit, epoch, treated`
  const found = await question.read<Row>(
    `SELECT toString(thing) AS key, groupArray((epoch, treated, units, ns, nns, ys, yys, nys, ays)) AS cells
    FROM (
      SELECT one.1 AS thing, epoch, treated, toFloat64(count()) AS units, sum(n) AS ns, sum(n * n) AS nns, sum(one.2) AS ys,
        sum(one.2 * one.2) AS yys, sum(n * one.2) AS nys, sum(whole * one.2) AS ays
      FROM (
        SELECT epoch, treated, n, whole, arrayJoin(arrayPushFront(waits, (toUInt64(0), whole))) AS one
        FROM (
          SELECT who_, max(epoch_) AS epoch, max(treated_) AS treated, sum(sessions_) AS came, least(came, ${limits.guardUnitWeight}) AS n,
            n / came AS weight, sum(v) * weight AS whole, arrayMap(w -> (w.1, w.2 * weight), groupArrayIf((key_, v), key_ != 0)) AS waits
          FROM (${waits} UNION ALL ${sessions})
          GROUP BY who_ HAVING came > 0))
      GROUP BY thing, epoch, treated)
    GROUP BY thing ORDER BY sum(ys) DESC, key LIMIT ${atMost + 1}`,
  )
  const all = found.find(({ key }) => key === '0')
  if (all === undefined) return []
  const stages = (of: (place: Place) => UnitSums): StageSums[] =>
    question.epochs.map(({ epoch }) => ({
      treatment: of({ epoch, treated: 1 }),
      control: of({ epoch, treated: 0 }),
    }))
  return found
    .filter(({ key }) => key !== '0')
    .map(({ key, cells }) => ({
      key,
      part: stages((place) => partOf(all.cells, cells, place)),
      rest: stages((place) => restOf(all.cells, cells, place)),
    }))
}

interface Place {
  epoch: number
  treated: number
}

const cellOf = (cells: readonly Cell[], { epoch, treated }: Place) =>
  cells.find((cell) => cell[0] === epoch && cell[1] === treated)

/** A unit that never waited for the request counts with 0. */
function partOf(all: readonly Cell[], own: readonly Cell[], place: Place): UnitSums {
  const whole = cellOf(all, place)
  if (whole === undefined) return noSums
  const [, , units, n, nn] = whole
  const [, , , , , y = 0, yy = 0, ny = 0] = cellOf(own, place) ?? []
  return { units, n, nn, y, yy, ny }
}

function restOf(all: readonly Cell[], own: readonly Cell[], place: Place): UnitSums {
  const whole = cellOf(all, place)
  if (whole === undefined) return noSums
  const [, , units, n, nn, allY, allYy, allNy] = whole
  const [, , , , , y = 0, yy = 0, ny = 0, ay = 0] = cellOf(own, place) ?? []
  return { units, n, nn, y: allY - y, yy: Math.max(0, allYy - 2 * ay + yy), ny: allNy - ny }
}
