import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'
import { chainStart, checkSeal, type Link, type Seal, type Sealable, sealEntry } from './chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function entryOf(number: number, name: string, changes: Sealable['changes']): Sealable {
  return {
    id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    at: new Date(number).toISOString(),
    actor: { kind: 'user', id: 'u', name: 'Mara' },
    action: 'flag.update',
    entity: { kind: 'flag', id: 'f', name },
    project: 'shop',
    projectId: null,
    environment: null,
    environmentId: null,
    changes,
    reason: null,
    requestId: null,
  }
}

interface Log {
  seals: Seal[]
  entries: Map<string, Sealable>
}

function write(entries: Sealable[]): Log {
  let last: Link = { position: 0, hash: chainStart }
  const seals = entries.map((entry) => {
    const seal = sealEntry(last, entry, sha256)
    last = seal
    return seal
  })
  return { seals, entries: new Map(entries.map((entry) => [entry.id, entry])) }
}

/** The first position with a fault, or undefined. */
function verify({ seals, entries }: Log): string | undefined {
  let last: Link = { position: 0, hash: chainStart }
  for (const [index, seal] of seals.entries()) {
    const isReplaced = seals.slice(index + 1).some(({ entryId }) => entryId === seal.entryId)
    const fault = checkSeal(last, { seal, entry: entries.get(seal.entryId), isReplaced }, sha256)
    if (fault) return `${last.position + 1} ${fault}`
    last = seal
  }
  return undefined
}

const logs = fc
  .array(
    fc.record({
      name: fc.string({ unit: 'binary' }),
      changes: fc.array(fc.record({ pointer: fc.string(), after: fc.jsonValue() }), { maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 12 },
  )
  .map((drafts) => drafts.map(({ name, changes }, index) => entryOf(index + 1, name, changes)))

type Attack = (log: Log, at: number) => void

/** `at` is never the last position: what proves a cut end is a hash kept elsewhere. */
const attacks: Record<string, Attack> = {
  'change an entry': ({ seals, entries }, at) => {
    const id = seals[at]?.entryId ?? ''
    const entry = entries.get(id)
    if (entry) entries.set(id, { ...entry, actor: { ...entry.actor, name: 'Eve' } })
  },
  'change a text': ({ seals, entries }, at) => {
    const id = seals[at]?.entryId ?? ''
    const entry = entries.get(id)
    if (entry) entries.set(id, { ...entry, reason: 'another' })
  },
  'remove an entry': ({ seals, entries }, at) => void entries.delete(seals[at]?.entryId ?? ''),
  'remove an entry and its seal': ({ seals, entries }, at) => {
    const [seal] = seals.splice(at, 1)
    entries.delete(seal?.entryId ?? '')
  },
  'remove both and renumber': ({ seals, entries }, at) => {
    const [seal] = seals.splice(at, 1)
    entries.delete(seal?.entryId ?? '')
    for (const [index, later] of seals.entries()) later.position = index + 1
  },
  'swap two positions': ({ seals }, at) => {
    const [one, other] = seals.slice(at, at + 2)
    if (one && other)
      seals.splice(at, 2, { ...other, position: one.position }, { ...one, position: other.position })
  },
  'insert an entry with a valid seal': ({ seals, entries }, at) => {
    const added = entryOf(999, 'added', [])
    const before = seals[at - 1] ?? { position: 0, hash: chainStart }
    seals.splice(at, 0, sealEntry(before, added, sha256))
    entries.set(added.id, added)
    for (const [index, later] of seals.entries()) later.position = index + 1
  },
  'change an entry and its seal': ({ seals, entries }, at) => {
    const seal = seals[at]
    const entry = entries.get(seal?.entryId ?? '')
    if (!seal || !entry) return
    const changed = { ...entry, action: 'flag.archive' }
    entries.set(changed.id, changed)
    seals[at] = sealEntry(seals[at - 1] ?? { position: 0, hash: chainStart }, changed, sha256)
  },
}

test.each(Object.entries(attacks))('%s: found in any log', (_name, attack) => {
  fc.assert(
    fc.property(logs, fc.nat(), (entries, anywhere) => {
      const log = write(entries)
      expect(verify(log)).toBeUndefined()
      attack(log, anywhere % (entries.length - 1))
      expect(verify(log)).toBeDefined()
    }),
    { numRuns: 60 },
  )
})

test('an erasure may change texts if a later position seals them, but nothing else', () => {
  const log = write([1, 2, 3].map((number) => entryOf(number, 'mara@example.com', [])))
  const [first] = log.entries.values()
  const last = log.seals.at(-1)
  if (!first || !last) throw new Error('empty')
  const erased = { ...first, entity: { ...first.entity, name: 'a pseudonym' } }
  log.entries.set(first.id, erased)
  expect(verify(log)).toBe('1 changed-entry')
  log.seals.push(sealEntry(last, erased, sha256))
  expect(verify(log)).toBeUndefined()

  log.entries.set(first.id, { ...erased, at: new Date(0).toISOString() })
  expect(verify(log)).toBe('1 changed-entry')
})

test('the canonical form is that of RFC 8785', () => {
  const value = { b: [1e21, 0.1, -0, '€\u000f"'], a: { '\ud83d\ude02': null, '\ufb33': true }, c: undefined }
  expect(canonicalJson(value)).toBe(
    '{"a":{"\ud83d\ude02":null,"\ufb33":true},"b":[1e+21,0.1,0,"€\\u000f\\""]}',
  )
})

test('the hashes do not change between versions', () => {
  const start = { position: 0, hash: chainStart }
  expect(sealEntry(start, entryOf(1, 'dark-mode', []), sha256).hash).toBe(
    '79c5c5a3625114606206e85b7c927a550d5cb5bd92ce13c5a1ac960e6a7b308e',
  )
})
