// Opens the spool of an earlier process and starts to ship it to the tables.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { validate as isId, v4 as newServerId } from 'uuid'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { isOutOfRoom } from '../../platform/data-folder/disk-errors.ts'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Log } from '../../platform/process/log.ts'
import { noteMissing, openAcceptedEnd } from './accepted-end.ts'
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

interface SpoolParts {
  folder: string
  largestBytes: number
  store: Store
  insertTimeout?: number
  /** Where batches are claimed when other servers share the store. */
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
  const damage = await openDamageLog(join(folder, 'damage.json'), { now, log })
  const journal = await openJournal(join(folder, 'writer.log'))
  const { position } = journal.last()
  const segmentBytes = Math.min(limits.spoolSegmentSize, Math.ceil(largestBytes / 8))
  const segments = await openSegments({ folder, firstNumber: position.segment, segmentBytes, damage, log })
  const acceptedEnd = await openAcceptedEnd(join(folder, 'accepted-end'))
  noteMissing(segments, { stored: position, accepted: acceptedEnd.before }, damage)
  const isLost = journal.isNew && segments.bytesFrom(position) > 0
  if (isLost)
    log.error({ folder }, 'it is not known what of the spool is stored: some of it may be stored again')
  const serverId = await findServerId(join(folder, 'server-id'), { isNew: isLost })
  const batchIds = await openBatchIds(join(folder, 'ids'), { seen: await findSeen(segments), now, log })
  const quarantine = await openQuarantine(join(folder, 'quarantine'), { now, damage })
  const waitingBytes = segments.bytesFrom(position)
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
    await acceptedEnd.close()
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

const copies = 3

/**
 * Identifies this data folder: tokens of rows begin with it. It is written three times, because losing it would
 * resend rows that are already in the tables: with a new ID, the store would not recognise any token.
 */
async function findServerId(path: string, { isNew }: { isNew: boolean }): Promise<string> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').map((line) => line.trim())
  const ids = lines.filter(isId)
  const known = ids.find((id, index) => ids.indexOf(id) !== index) ?? ids[0]
  const isWhole = ids.length === copies && ids.every((id) => id === known)
  if (known !== undefined && isWhole && !isNew) return known
  const serverId = isNew || known === undefined ? newServerId() : known
  await writeWholeFile(path, `${serverId}\n`.repeat(copies)).catch((error: unknown) => {
    // With a full disk, the copies are written later.
    if (!isOutOfRoom(error) || serverId !== known) throw error
  })
  return serverId
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
