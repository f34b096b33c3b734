// Every SDK key and the environment it opens, in memory. A request never asks the database for its key.

import { setTimeout } from 'node:timers/promises'
import { ScrubRules } from '@telltale/core/contract/environments'
import { FlagsmithEnvironment } from '@telltale/core/contract/flagsmith'
import { asc, eq } from 'drizzle-orm'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type StoredFiles, storedFiles } from '../../platform/data-folder/stored-file.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { createRefresher } from '../../platform/refresher.ts'
import type { Services } from '../../platform/services.ts'
import { readRouteRules } from '../route-rules/queries.ts'

const KnownKeySchema = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['client', 'server']),
  hash: Type.String(),
  /** Of a client key, which is public. Files of earlier versions have none. */
  value: Type.Optional(Type.String()),
  /** Milliseconds since 1970; may lie ahead, after a rotation. */
  revokedAt: Type.Union([Type.Number(), Type.Null()]),
  environment: Type.Object({
    id: Type.String(),
    key: Type.String(),
    projectId: Type.String(),
    allowedOrigins: Type.Array(Type.String()),
    sampling: Type.Object({ session: Type.Number(), replay: Type.Number(), profile: Type.Number() }),
    privacyLevel: Type.Enum(['mask-all', 'mask-inputs', 'allow']),
    /** Files of earlier versions have none. */
    scrub: Type.Optional(ScrubRules),
    /** Files of earlier versions have none. */
    sensitiveTraits: Type.Optional(Type.Array(Type.String())),
    /** Files of earlier versions have none. */
    routes: Type.Optional(
      Type.Array(
        Type.Object({ under: Type.String(), isMerged: Type.Boolean(), except: Type.Array(Type.String()) }),
      ),
    ),
    /** While its people are divided into two hidden halves: milliseconds since 1970, and the number of the draw then. */
    aaTest: Type.Optional(Type.Object({ since: Type.Number(), first: Type.Number() })),
    /** Of one that was imported from there. */
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
  /** The client key of the environment that is there the longest, to name it by. */
  clientKeyOf(environmentId: string): string | undefined
  /** Reads them again because one was missing: soon, and once for all who ask in the meantime. Says whether it could. */
  lookAgain(): Promise<boolean>
  stop(): void
}

const file = 'keys.json'
const kinds = new Set(['key', 'environment', 'project'])
/** A key made this moment works at once; guessing keys costs at most one query in this time. */
const lookAgainAfter = 500
/** A PostgreSQL that hangs is as good as none: clients do not wait for longer. */
const readLimit = 5_000

/** Whether a server was here before and could serve flags without PostgreSQL. */
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
    // Without an answer from PostgreSQL, what is known is what there is.
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
    environmentsOf: (projectId) =>
      new Set(
        [...byId.values()]
          .filter(({ environment }) => environment.projectId === projectId)
          .map(({ environment }) => environment.id),
      ),
    clientKeyOf: (environmentId) =>
      [...byId.values()].find(
        ({ environment, kind, revokedAt }) =>
          environment.id === environmentId && kind === 'client' && revokedAt === null,
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

/** One and the same, so that whoever compares sees no change. */
const noRules: NonNullable<KnownEnvironment['routes']> = []

function aaTestOf({ aaTestSince, aaTestRound }: typeof environments.$inferSelect) {
  return aaTestSince === null ? {} : { aaTest: { since: aaTestSince.getTime(), first: aaTestRound } }
}

async function loadKeys(db: Queryable): Promise<KnownKey[]> {
  const rows = await db
    .select({ key: sdkKeys, environment: environments })
    .from(sdkKeys)
    .innerJoin(environments, eq(environments.id, sdkKeys.environmentId))
    .orderBy(asc(sdkKeys.id))
  const routes = await readRouteRules(db)
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
      allowedOrigins: environment.allowedOrigins,
      sampling: {
        session: environment.samplingSession,
        replay: environment.samplingReplay,
        profile: environment.samplingProfile,
      },
      privacyLevel: environment.privacyLevel,
      scrub: environment.scrub,
      ...(environment.sensitiveTraits.length === 0 ? {} : { sensitiveTraits: environment.sensitiveTraits }),
      routes: routes.get(environment.id) ?? noRules,
      ...aaTestOf(environment),
      ...(environment.flagsmith === null ? {} : { flagsmith: environment.flagsmith }),
    },
  }))
}
