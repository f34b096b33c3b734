// Opens what an earlier process left in the spool's folder, and starts to carry it into the tables.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { validate as isId, v4 as newServerId } from 'uuid'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { writeWholeFile } from '../../data-folder/write-whole-file.ts'
import type { Queryable } from '../../engines/postgres/open.ts'
import type { Log } from '../../services.ts'
import { type BatchIds, openBatchIds, type SeenId } from './batch-ids.ts'
import { type Claims, createClaims } from './claims.ts'
import { type DamageLog, openDamageLog } from './damage-log.ts'
import type { Store } from './deliver-rows.ts'
import { hashOfBatch } from './id-bytes.ts'
import { openJournal } from './journal.ts'
import { openQuarantine, type Quarantine, type RefusedRow } from './quarantine.ts'
import { openSegments, type Segments } from './segments.ts'
import { createSpool, type Spool } from './spool.ts'
import { startWriter, type Writer } from './writer.ts'

export interface SpoolParts {
  folder: string
  largestBytes: number
  store: Store
  insertTimeout?: number
  /** Where batches are claimed, when other servers share the store. */
  sharedDatabase: Queryable | undefined
  now(): number
  log: Log
  onRefused(rows: readonly RefusedRow[]): void
}

export interface OpenSpool {
  spool: Spool
  batchIds: BatchIds
  quarantine: Quarantine
  writer: Writer
  claims: Claims | undefined
  damage: DamageLog
  segments: Pick<Segments, 'end' | 'complete'>
  close(patience: number): Promise<void>
}

export async function openSpool(parts: SpoolParts): Promise<OpenSpool> {
  const { folder, largestBytes, log, now, store } = parts
  await createPrivateFolder(folder)
  const serverId = await findServerId(join(folder, 'server-id'))
  const damage = await openDamageLog(join(folder, 'damage.json'), { now, log })
  const journal = await openJournal(join(folder, 'writer.log'))
  const { position } = journal.last()
  const segmentBytes = Math.min(limits.spoolSegmentSize, Math.ceil(largestBytes / 8))
  const segments = await openSegments({ folder, firstNumber: position.segment, segmentBytes, damage, log })
  const batchIds = await openBatchIds(join(folder, 'ids'), { seen: await findSeen(segments), now })
  const quarantine = await openQuarantine(join(folder, 'quarantine'), { now, damage })
  const waitingBytes = segments.bytesFrom(position)
  const spool = await createSpool({
    folder,
    segments,
    largestBytes,
    waitingBytes,
    besidesBytes: quarantine.sizeBytes,
    log,
  })
  const claims = parts.sharedDatabase && createClaims(parts.sharedDatabase, serverId)
  const writer = startWriter({
    spool,
    segments,
    journal,
    quarantine,
    batchIds,
    claims,
    store,
    insertTimeout: parts.insertTimeout ?? limits.telemetryInsertTimeout,
    serverId,
    now,
    log,
    onRefused: parts.onRefused,
  })
  let closing: Promise<void> | undefined
  const close = async (patience: number) => {
    await writer.stop(patience)
    await segments.close()
    await journal.close()
    await damage.close()
  }

  return {
    spool,
    batchIds,
    quarantine,
    writer,
    claims,
    damage,
    segments,
    close(patience) {
      closing ??= close(patience)
      return closing
    },
  }
}

/** Of this data folder: tokens of rows begin with it. */
async function findServerId(path: string): Promise<string> {
  const known = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (isId(known)) return known
  const made = newServerId()
  await writeWholeFile(path, made)
  return made
}

async function findSeen(segments: Segments): Promise<SeenId[]> {
  const seen: SeenId[] = []
  for (const segment of segments.complete(segments.end())) {
    for (const { environmentId, batchId, receivedAt } of await segments.knownIn(segment)) {
      seen.push({ id: hashOfBatch(environmentId, batchId), receivedAt })
    }
  }
  return seen
}
