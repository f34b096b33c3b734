// Every SDK key with its environment, in memory, so that requests need no database query for their key.

import { setTimeout } from 'node:timers/promises'
import { PrivacyRules, RequestRules, ScrubRules } from '@telltale/core/contract/environments'
import { FlagsmithEnvironment } from '@telltale/core/contract/flagsmith'
import { asc, eq } from 'drizzle-orm'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type StoredFiles, storedFiles } from '../../platform/data-folder/stored-file.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { createRefresher } from '../../platform/refresher.ts'
import type { Services } from '../../platform/services.ts'
import { readRouteRules } from '../route-rules/queries.ts'
import { readSigningSecrets } from '../signed-users/queries.ts'

export const KnownKeySchema = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['client', 'server']),
  hash: Type.String(),
  /** Of a client key, which is public. Missing in files of earlier versions. */
  value: Type.Optional(Type.String()),
  /** Milliseconds since 1970; may be in the future after a rotation. */
  revokedAt: Type.Union([Type.Number(), Type.Null()]),
  environment: Type.Object({
    id: Type.String(),
    key: Type.String(),
    projectId: Type.String(),
    /** The key of this entry. Missing in files of earlier versions. */
    keyId: Type.Optional(Type.String()),
    allowedOrigins: Type.Array(Type.String()),
    sampling: Type.Object({ session: Type.Number(), replay: Type.Number(), profile: Type.Number() }),
    privacyLevel: Type.Enum(['mask-all', 'mask-inputs', 'allow']),
    /** Missing in files of earlier versions. */
    unmaskAllowed: Type.Optional(Type.Boolean()),
    /** Missing in files of earlier versions. */
    privacyRules: Type.Optional(PrivacyRules),
    /** Missing in files of earlier versions. */
    consoleRecorded: Type.Optional(Type.Boolean()),
    /** Missing in files of earlier versions. */
    requestRules: Type.Optional(RequestRules),
    /** Missing in files of earlier versions. */
    scrub: Type.Optional(ScrubRules),
    /** Missing in files of earlier versions. */
    sensitiveTraits: Type.Optional(Type.Array(Type.String())),
    /** Missing in files of earlier versions. */
    routes: Type.Optional(
      Type.Array(
        Type.Object({ under: Type.String(), isMerged: Type.Boolean(), except: Type.Array(Type.String()) }),
      ),
    ),
    /** While an A/A test is on: its start in milliseconds since 1970, and the number of its first round. */
    aaTest: Type.Optional(Type.Object({ since: Type.Number(), first: Type.Number() })),
    /** Unless off: whether users named by browsers must be signed, and with one of which secrets. */
    signedUsers: Type.Optional(
      Type.Object({ mode: Type.Enum(['count', 'require']), secrets: Type.Array(Type.String()) }),
    ),
    /** Running holdouts, with the numbers of their hidden splits. */
    holdouts: Type.Optional(
      Type.Array(Type.Object({ split: Type.String(), salt: Type.String(), share: Type.Number() })),
    ),
    /** Signs links to the toolbar. Missing in files of earlier versions. */
    toolbarSecret: Type.Optional(Type.String()),
    /** Of an environment imported from Flagsmith. */
    flagsmith: Type.Optional(FlagsmithEnvironment),
  }),
})
const stored = Compile(Type.Array(KnownKeySchema))

export type KnownKey = Static<typeof KnownKeySchema>
export type KnownEnvironment = KnownKey['environment']

export interface KnownKeys {
  findByHash(hash: string): KnownKey | undefined
  findById(id: string): KnownKey | undefined
  /** The environments of a project that have keys. */
  environmentsOf(projectId: string): Set<string>
  /** All keys of an environment, the oldest first. */
  keysOf(environmentId: string): KnownKey[]
  /** The oldest valid client key of the environment, which identifies it. */
  clientKeyOf(environmentId: string): string | undefined
  /**
   * Reads the keys again because one was missing: soon, and once for all concurrent callers. Returns whether it
   * succeeded.
   */
  lookAgain(): Promise<boolean>
  stop(): void
}

const file = 'keys.json'
const kinds = new Set(['key', 'environment', 'project', 'holdout'])
/** Milliseconds. A new key works immediately, and guessed keys cause at most one query in this time. */
const lookAgainAfter = 500
/** Milliseconds. A PostgreSQL that does not respond counts as unavailable, so that clients do not wait longer. */
const readLimit = 5_000

/** Whether keys are stored on disk, so that flags can be served without PostgreSQL. */
export async function hasKeptKeys(dataFolder: string): Promise<boolean> {
  const keys = await storedFiles(dataFolder).read(file)
  return stored.Check(keys) && keys.length > 0
}

export async function openKnownKeys(services: Services, files: StoredFiles): Promise<KnownKeys> {
  const { db, announcements, clock } = services
  let byHash = new Map<string, KnownKey>()
  let byId = new Map<string, KnownKey>()
  let readAt = 0
  const take = (keys: KnownKey[]) => {
    byHash = new Map(keys.map((key) => [key.hash, key]))
    byId = new Map(keys.map((key) => [key.id, key]))
  }
  const read = async () => {
    readAt = clock().getTime()
    const keys = await loadKeys(db)
    take(keys)
    await files.write(file, JSON.stringify(keys))
  }
  const readSoon = async () => {
    const wait = Math.min(lookAgainAfter, Math.max(0, readAt + lookAgainAfter - clock().getTime()))
    await setTimeout(wait)
    // If PostgreSQL does not answer, the known keys remain in use.
    const done = read().then(
      () => true,
      () => false,
    )
    return Promise.race([done, setTimeout(readLimit, false, { ref: false })])
  }
  let again: Promise<boolean> | undefined
  const refresher = createRefresher(services, 'reading the SDK keys', read)
  const unsubscribe = announcements.subscribe({
    onChange: ({ entity }) => {
      if (kinds.has(entity)) refresher.request()
    },
    onGap: refresher.request,
    settle: refresher.idle,
  })

  try {
    await read()
  } catch {
    const keys = await files.read(file)
    if (stored.Check(keys)) take(keys)
    refresher.request()
  }
  return {
    findByHash: (hash) => byHash.get(hash),
    findById: (id) => byId.get(id),
    environmentsOf: (projectId) => environmentsAmong(byId.values(), projectId),
    keysOf: (environmentId) => keysAmong(byId.values(), environmentId),
    clientKeyOf: (environmentId) =>
      keysAmong(byId.values(), environmentId).find(
        ({ kind, revokedAt }) => kind === 'client' && revokedAt === null,
      )?.value,
    lookAgain() {
      again ??= readSoon().finally(() => {
        again = undefined
      })
      return again
    },
    stop() {
      unsubscribe()
      refresher.stop()
    },
  }
}

/** The environments of a project that have one of the keys. */
export const environmentsAmong = (keys: Iterable<KnownKey>, projectId: string): Set<string> =>
  new Set(
    [...keys]
      .filter(({ environment }) => environment.projectId === projectId)
      .map(({ environment }) => environment.id),
  )

/** Those of an environment, in the same order. */
export const keysAmong = (keys: Iterable<KnownKey>, environmentId: string): KnownKey[] =>
  [...keys].filter(({ environment }) => environment.id === environmentId)

/** A shared instance, so that comparisons by identity see no change. */
const noRules: NonNullable<KnownEnvironment['routes']> = []

function aaTestOf({ aaTestSince, aaTestRound }: typeof environments.$inferSelect) {
  return aaTestSince === null ? {} : { aaTest: { since: aaTestSince.getTime(), first: aaTestRound } }
}

function signedUsersOf({ signedUsers: mode }: typeof environments.$inferSelect, secrets: string[] = []) {
  return mode === 'off' ? {} : { signedUsers: { mode, secrets } }
}

const noHoldouts: NonNullable<KnownEnvironment['holdouts']> = []

type RunningHoldout = NonNullable<KnownEnvironment['holdouts']>[number]

/** By environment. */
async function readHoldouts(db: Queryable): Promise<ReadonlyMap<string, RunningHoldout[]>> {
  const rows = await db
    .select({
      environmentId: holdouts.environmentId,
      split: holdouts.split,
      salt: holdouts.salt,
      share: holdouts.share,
    })
    .from(holdouts)
    .where(eq(holdouts.state, 'running'))
    .orderBy(asc(holdouts.id))
  const found = new Map<string, RunningHoldout[]>()
  for (const { environmentId, ...one } of rows)
    found.set(environmentId, [...(found.get(environmentId) ?? []), one])
  return found
}

async function loadKeys(db: Queryable): Promise<KnownKey[]> {
  const rows = await db
    .select({ key: sdkKeys, environment: environments })
    .from(sdkKeys)
    .innerJoin(environments, eq(environments.id, sdkKeys.environmentId))
    .orderBy(asc(sdkKeys.id))
  const routes = await readRouteRules(db)
  const held = await readHoldouts(db)
  const secrets = await readSigningSecrets(db)
  return rows.map(({ key: { id, kind, hash, value, revokedAt }, environment }) => ({
    id,
    kind,
    hash,
    ...(value === null ? {} : { value }),
    revokedAt: revokedAt?.getTime() ?? null,
    environment: {
      id: environment.id,
      key: environment.key,
      projectId: environment.projectId,
      keyId: id,
      allowedOrigins: environment.allowedOrigins,
      sampling: {
        session: environment.samplingSession,
        replay: environment.samplingReplay,
        profile: environment.samplingProfile,
      },
      privacyLevel: environment.privacyLevel,
      unmaskAllowed: environment.unmaskAllowed,
      privacyRules: environment.privacyRules,
      consoleRecorded: environment.consoleRecorded,
      requestRules: environment.requestRules,
      scrub: environment.scrub,
      ...(environment.sensitiveTraits.length === 0 ? {} : { sensitiveTraits: environment.sensitiveTraits }),
      routes: routes.get(environment.id) ?? noRules,
      ...aaTestOf(environment),
      ...signedUsersOf(environment, secrets.get(environment.id)),
      holdouts: held.get(environment.id) ?? noHoldouts,
      toolbarSecret: environment.toolbarSecret,
      ...(environment.flagsmith === null ? {} : { flagsmith: environment.flagsmith }),
    },
  }))
}
