// The spool of one environment at an edge: requests of its clients that the server does not have yet. The files are
// those of the server's own spool.

import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { noteMissing, openAcceptedEnd } from '../../../intake/spool/accepted-end.ts'
import { openDamageLog } from '../../../intake/spool/damage-log.ts'
import { type Journal, openJournal } from '../../../intake/spool/journal.ts'
import { openSegments, type Segments } from '../../../intake/spool/segments.ts'
import { createSpool, type Spool } from '../../../intake/spool/spool.ts'
import { createPrivateFolder } from '../../../platform/data-folder/create-private-folder.ts'
import type { Log } from '../../../platform/process/log.ts'

export interface RequestSpool {
  spool: Spool
  segments: Segments
  journal: Journal
  close(): Promise<void>
}

interface SpoolParts {
  folder: string
  largestBytes: number
  /** What other environments have in theirs: all share the limit. */
  besidesBytes(): number
  now(): number
  log: Log
}

export async function openRequestSpool(parts: SpoolParts): Promise<RequestSpool> {
  const { folder, largestBytes, besidesBytes, now, log } = parts
  await createPrivateFolder(folder)
  const damage = await openDamageLog(join(folder, 'damage.json'), { now, log })
  const journal = await openJournal(join(folder, 'passed-on.log'))
  const { position } = journal.last()
  const segmentBytes = Math.min(limits.spoolSegmentSize, Math.ceil(largestBytes / 8))
  const segments = await openSegments({ folder, firstNumber: position.segment, segmentBytes, damage, log })
  const acceptedEnd = await openAcceptedEnd(join(folder, 'accepted-end'))
  noteMissing(segments, { stored: position, accepted: acceptedEnd.before }, damage)
  const spool = await createSpool({
    folder,
    segments: {
      ...segments,
      async append(records) {
        await segments.append(records)
        acceptedEnd.note(segments.end())
      },
    },
    largestBytes,
    waitingBytes: segments.bytesFrom(position),
    besidesBytes,
    waitsFor: 'The edge keeps telemetry until its server answers, and has no room left.',
    log,
  })
  return {
    spool,
    segments,
    journal,
    async close() {
      await segments.close()
      await journal.close()
      await damage.close()
      await acceptedEnd.close()
    },
  }
}
