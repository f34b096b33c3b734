// Counts users by the variations they had, for the ledger: from raw events, because the roll-ups have no months. A
// user is the unit of a split; one event or thousands count the same.

import {
  type CellHits,
  type CellPair,
  cellOf,
  harmKinds,
  type LedgerCounts,
  type LedgerSplit,
  variationsOf,
  weightIn,
} from '@telltale/core/guard/ledger/ledger-counts'
import { ledger } from '@telltale/core/ledger-limits'
import { blankViewEvent } from '@telltale/core/telemetry/blank-view'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { LedgerPeriod } from './find-splits.ts'

type Reads = Pick<Telemetry, 'read'>

export interface CountedPeriod extends LedgerPeriod {
  environmentId: string
}

/** Codes of hits are above all cells. */
const hitBase = 2 ** 30
const perKind = 1_000
/** Numbers of `harmKinds`; 0, of exposures, becomes `any` where users are counted. */
const harmOf = `multiIf(kind = 'exposure', 0, kind = 'error' AND origin = 'server', 4, kind = 'error', 1, kind = 'resource', 2, 3)`

const inPeriod = `environment_id = {environmentId:UUID} AND bot = 0 AND ts >= fromUnixTimestamp64Milli({from:Int64}) AND ts < fromUnixTimestamp64Milli({to:Int64})`

export async function countLedgerUsers(
  telemetry: Reads,
  period: CountedPeriod,
  splits: readonly LedgerSplit[],
): Promise<LedgerCounts> {
  if (splits.length === 0) return { pairs: [], hits: [] }
  const slices = Math.max(1, Math.ceil((await countExposures(telemetry, period)) / ledger.exposuresTogether))
  const { text, names } = renderCount(splits)
  const total = new Map<string, PairRow>()
  for (let slice = 0; slice < slices; slice += 1) {
    const values = { ...valuesOf(period), names, blank: blankViewEvent, slices, slice }
    const rows = await telemetry.read<PairRow>(text, { ...quiet, values })
    for (const row of rows) {
      const key = `${row.one} ${row.other}`
      const users = (total.get(key)?.users ?? 0) + row.users
      total.set(key, { ...row, users })
    }
  }
  const rows = [...total.values()]
  return {
    pairs: rows.flatMap((row): CellPair[] => (row.one < hitBase ? [row] : [])),
    hits: rows.flatMap(({ one, other, users }): CellHits[] => {
      if (one < hitBase) return []
      const code = one - hitBase
      const kind = harmKinds[Math.floor(code / perKind)] ?? 'any'
      return [{ kind, split: code % perKind, cell: other, users }]
    }),
  }
}

interface PairRow {
  one: number
  other: number
  users: number
}

/** Flag delivery and intake keep the rest of the machine. */
const quiet = { limit: ledger.readTimeout, threads: 1 }

const valuesOf = ({ environmentId, from, to }: CountedPeriod) => ({
  environmentId,
  from: from.getTime(),
  to: to.getTime(),
})

async function countExposures(telemetry: Reads, period: CountedPeriod): Promise<number> {
  const [row] = await telemetry.read<{ n: number }>(
    `SELECT toFloat64(count()) AS n FROM events WHERE ${inPeriod} AND kind = 'exposure'`,
    { ...quiet, values: valuesOf(period) },
  )
  return row?.n ?? 0
}

/** Users who read any flag. */
export async function countFlagReaders(telemetry: Reads, period: CountedPeriod): Promise<number> {
  const [row] = await telemetry.read<{ users: number }>(
    `SELECT toFloat64(uniqExact(user_hash)) AS users FROM events WHERE ${inPeriod} AND kind = 'exposure' AND user_hash != 0`,
    { ...quiet, values: valuesOf(period) },
  )
  return row?.users ?? 0
}

/**
 * For each user the deciding cell of every split: the last in the order of cells, which is that of epochs. Then the
 * pairs of these cells, and of the splits with a failure and these cells.
 */
function renderCount(splits: readonly LedgerSplit[]): { text: string; names: string[] } {
  const names = [...new Set(splits.flatMap(variationsOf))]
  const cells = splits.flatMap((split, index) =>
    split.epochs.flatMap((epoch, place) =>
      variationsOf(split).flatMap((variation, arm) => {
        if (weightIn(epoch, variation) === 0) return []
        const cell = cellOf({ split: index, epoch: place, arm })
        return [`(${BigInt(split.split)}, ${epoch.epoch}, ${names.indexOf(variation) + 1}, ${cell})`]
      }),
    ),
  )
  const ids = splits.map(({ split }) => BigInt(split)).join(', ')
  const splitOf = (cell: string) => `intDiv(${cell}, 65536)`
  const epochOf = (cell: string) => `intDiv(${cell}, 256)`
  const isLast = `(i = length(cells) OR ${splitOf('cells[i + 1]')} != ${splitOf('cells[i]')})`
  // Both variations in one epoch: the user is left out of this split.
  const hasCrossed = `(i > 1 AND ${epochOf('cells[i - 1]')} = ${epochOf('cells[i]')})`
  const hadAnother = `arrayExists(c -> ${splitOf('c')} = ${splitOf('cells[i]')} AND c % 256 != 0, cells)`
  const decided = `if(cells[i] % 256 = 0 AND ${hadAnother}, ${splitOf('cells[i]')} * 65536 + 65535, cells[i])`
  const text = `
SELECT pair.1 AS one, pair.2 AS other, toFloat64(count()) AS users FROM (
  SELECT arrayJoin(arrayConcat(
    arrayFlatten(arrayMap((c, i) -> arrayMap(d -> (toUInt32(c), toUInt32(d)), arraySlice(kept, i)), kept, arrayEnumerate(kept))),
    arrayFlatten(arrayMap(h -> arrayMap(d -> (toUInt32(h), toUInt32(d)), kept), arrayConcat(hits, whole))))) AS pair
  FROM (
    SELECT hits, arrayDistinct(arrayMap(h -> toUInt32(${hitBase} + (h - ${hitBase}) % ${perKind}), hits)) AS whole,
      arrayMap(i -> toUInt32(${decided}), arrayFilter(i -> ${isLast} AND NOT ${hasCrossed}, arrayEnumerate(cells))) AS kept
    FROM (
      SELECT unit, arraySort(groupUniqArrayIf(cell, harm = 0)) AS cells,
        groupUniqArrayIf(toUInt32(${hitBase} + harm * ${perKind} + ${splitOf('cell')}), harm > 0) AS hits
      FROM (
        SELECT toUInt32(${harmOf}) AS harm, arrayJoin(arrayFilter(a -> a.1 IN (${ids}), arms)) AS a, a.1 AS split, a.2 AS epoch, toString(a.3) AS arm, a.4 AS unit
        FROM events
        WHERE ${inPeriod} AND kind IN ('exposure', 'error', 'resource', 'custom') AND notEmpty(arms)
          AND (kind IN ('exposure', 'error') OR (kind = 'custom' AND name = {blank:String})
            OR (kind = 'resource' AND origin != 'server' AND res_endpoint != '' AND res_failed = 1))) AS seen
      INNER JOIN (
        SELECT toUInt64(one.1) AS split, toUInt32(one.2) AS epoch, {names:Array(String)}[one.3] AS arm, toUInt32(one.4) AS cell
        FROM (SELECT arrayJoin([${cells.join(', ')}]) AS one)) AS known USING (split, epoch, arm)
      WHERE unit % {slices:UInt64} = {slice:UInt64}
      GROUP BY unit
      HAVING notEmpty(cells))))
GROUP BY one, other`
  return { text, names }
}
