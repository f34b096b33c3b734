import { chainFaults } from '@telltale/core/audit/chain'
import { type BrokenEntry, verifyAudit } from '../../organisation/audit/verify-audit.ts'
import { openDatabase } from './open-database.ts'
import { requireCurrentTables } from './require-current-tables.ts'
import { parseCommand, requireNone, UsageError } from './usage.ts'
import type { HostWorld } from './world.ts'

/** Fails with the first entry that breaks the hash chain of the audit log. */
export async function runAuditVerification(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { head: { type: 'string' } })
  requireNone(positionals)
  const head = readHash(values.head)

  const database = await openDatabase(world, { data: values.data })
  try {
    await requireCurrentTables(database)
    const { end, erased, unsealed, broken } = await verifyAudit(database.db, { head })
    if (values.json === true) {
      world.print(
        JSON.stringify({ positions: end.position, hash: end.hash, erased, unsealed, broken: broken ?? null }),
      )
      if (broken === undefined) return
    }
    if (broken !== undefined) throw new Error(describe(broken))
    const note = erased > 0 ? ` ${erased} seal entries again that an erasure of a user changed.` : ''
    world.print(`The audit log is intact: ${end.position} positions.${note}`)
    if (unsealed > 0) world.print(`${unsealed} entries wait for their seal and are not verified.`)
    world.print(`Keep this hash elsewhere, for --head: ${end.hash}`)
  } finally {
    await database.close()
  }
}

function readHash(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/i.test(text)) return text?.toLowerCase()
  throw new UsageError('--head takes a hash of 64 hex digits.')
}

const faults: Record<BrokenEntry['fault'], string> = {
  ...chainFaults,
  'unchained-entry': 'the entry was added without the chain',
  'missing-head': 'the hash of --head is not in the chain: its end was cut off, or all of it replaced',
}

function describe({ fault, position, entryId, entry }: BrokenEntry): string {
  const where = position === null ? '' : ` at position ${position}`
  const which = entryId === null ? '' : `\nEntry ${entryId}`
  const what = entry && `: ${entry.at} ${entry.action} of ${entry.entity.name} by ${entry.actor.name}`
  return `The audit log is broken${where}: ${faults[fault]}.${which}${what ?? ''}`
}
