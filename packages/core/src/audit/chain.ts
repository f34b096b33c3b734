// The hash chain of the audit log: what is hashed, and what a break of the chain proves. The format is documented in
// docs/reference/audit-chain.md, and others compute it too: never change it.

import type { AuditEntry } from '../contract/audit.ts'
import { canonicalJson } from './canonical-json.ts'

/** SHA-256 of a text, as 64 hex digits. A parameter, because the core has no implementation. */
export type Sha256 = (text: string) => string

/** The hash before the first position. */
export const chainStart = '0'.repeat(64)

export interface Link {
  position: number
  hash: string
}

export interface Seal extends Link {
  entryId: string
  factsHash: string
  detailsHash: string
}

export type Sealable = Omit<AuditEntry, 'seal'>

/** The hashes of an entry: of what never changes, and of the texts that the erasure of a user may replace. */
export function hashEntry(entry: Sealable, sha256: Sha256): Pick<Seal, 'factsHash' | 'detailsHash'> {
  const { id, at, actor, action, entity, project, projectId, environment, environmentId, requestId } = entry
  const facts = {
    id,
    at,
    actor,
    action,
    entity: { kind: entity.kind, id: entity.id },
    project,
    projectId,
    environment,
    environmentId,
    requestId,
  }
  const details = { name: entity.name, changes: entry.changes, reason: entry.reason }
  return { factsHash: sha256(canonicalJson(facts)), detailsHash: sha256(canonicalJson(details)) }
}

/** The seal of an entry after the last one. */
export function sealEntry(previous: Link, entry: Sealable, sha256: Sha256): Seal {
  const unsealed = { position: previous.position + 1, entryId: entry.id, ...hashEntry(entry, sha256) }
  return { ...unsealed, hash: hashSeal(previous.hash, unsealed, sha256) }
}

function hashSeal(previousHash: string, seal: Omit<Seal, 'hash'>, sha256: Sha256): string {
  const { position, entryId, factsHash, detailsHash } = seal
  return sha256(canonicalJson([previousHash, position, entryId, factsHash, detailsHash]))
}

export const chainFaults = {
  'missing-seal': 'a position of the chain is missing',
  'changed-seal': 'the chain was changed here',
  'missing-entry': 'the entry was removed',
  'changed-entry': 'the entry was changed',
} as const
export type ChainFault = keyof typeof chainFaults

interface Found {
  seal: Seal
  /** The entry as it is now. */
  entry: Sealable | undefined
  /** Whether a later position seals the entry again, because an erasure changed its texts. */
  isReplaced: boolean
}

/** Compares a position of the chain with the one before, and with its entry. */
export function checkSeal(previous: Link, found: Found, sha256: Sha256): ChainFault | undefined {
  const { seal, entry, isReplaced } = found
  if (seal.position !== previous.position + 1) return 'missing-seal'
  if (seal.hash !== hashSeal(previous.hash, seal, sha256)) return 'changed-seal'
  if (entry === undefined) return 'missing-entry'

  const { factsHash, detailsHash } = hashEntry(entry, sha256)
  if (seal.factsHash !== factsHash) return 'changed-entry'
  return isReplaced || seal.detailsHash === detailsHash ? undefined : 'changed-entry'
}
