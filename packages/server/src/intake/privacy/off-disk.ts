// Erased text stays in the store's files until they are written anew, and some minutes longer in those that were replaced.

import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { rewriteFiles } from '../retention/rewrite-files.ts'
import { tablesBySession, tablesByUnit } from './delete-traces.ts'

type Store = Pick<Telemetry, 'read' | 'remove' | 'files' | 'standsAlone'>

const tables = [...tablesBySession, ...tablesByUnit]
const isOne = new Set<string>(tables)

/** Gives when, by the clock of the store. */
export async function takeOutOfFiles(telemetry: Store): Promise<Date> {
  await rewriteFiles(telemetry, { when: 'any', tables })
  const [row] = await telemetry.read<{ at: string }>('SELECT toString(toUnixTimestamp(now())) AS at')
  return new Date(Number(row?.at ?? 0) * 1_000)
}

/** Whether the files that were there before are gone, from every server that has a copy. */
export async function readOffDisk(telemetry: Store): Promise<(rewrittenAt: Date) => boolean> {
  const find = async () => (await telemetry.files('all')).filter(({ table }) => isOne.has(table))
  const replaced = (await find()).filter(({ isActive }) => !isActive).map(({ table }) => table)
  for (const table of new Set(replaced)) await telemetry.remove({ replaced: true, table })
  const files = await find()
  return (rewrittenAt) =>
    !files.some(({ isActive, hasDeleted, replacedAt }) =>
      isActive ? hasDeleted : replacedAt <= rewrittenAt.getTime(),
    )
}
