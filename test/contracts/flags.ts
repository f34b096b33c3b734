// Flags, written straight into the database and announced as every change is.

import type { FlagConfig } from '@telltale/core/contract/flag-config'
import { and, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { findProject } from '../../packages/server/src/access/find-project.ts'
import { getEnvironment } from '../../packages/server/src/organisation/environments/queries.ts'
import { change } from '../../packages/server/src/platform/engines/postgres/change.ts'
import { flagConfigs, flags } from '../../packages/server/src/platform/engines/postgres/schema.ts'
import type { Telltale } from '../start.ts'

export interface SomeFlag {
  key: string
  valueType: 'boolean' | 'string' | 'number' | 'json'
  values: Record<string, unknown>
  hidden?: boolean
  config: Partial<FlagConfig> & Pick<FlagConfig, 'fallthrough'>
}

export interface Place {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

export async function placeOf(telltale: Telltale, project: string, environment: string): Promise<Place> {
  const { db } = telltale.running.services
  const row = await findProject(db, project)
  if (!row) throw new Error(`no project ${project}`)
  return { project: row, environment: await getEnvironment(db, { projectId: row.id, key: environment }) }
}

const origin = (now: Date) => ({
  actor: { kind: 'host', id: null, name: 'test' } as const,
  requestId: null,
  now,
})

/** Creates the flag in the project, if it is new, and saves what it does in the environment. */
export async function saveFlag(telltale: Telltale, place: Place, flag: SomeFlag): Promise<void> {
  const { db, clock } = telltale.running.services
  await save(db, origin(clock()), { place, flag })
}

const save = change(async ({ db, now }, { place, flag }: { place: Place; flag: SomeFlag }) => {
  const [known] = await db
    .select()
    .from(flags)
    .where(and(eq(flags.projectId, place.project.id), eq(flags.key, flag.key)))
  const id = known?.id ?? newId()
  const variations = Object.entries(flag.values).map(([key, value]) => ({ key, name: key, value }))
  const row = {
    id,
    projectId: place.project.id,
    key: flag.key,
    name: flag.key,
    description: '',
    tags: [],
    valueType: flag.valueType,
    variations,
    permanent: false,
    clientVisible: !flag.hidden,
    createdAt: now,
  }
  await db.insert(flags).values(row).onConflictDoUpdate({ target: flags.id, set: { variations } })

  const [saved] = await db
    .select()
    .from(flagConfigs)
    .where(and(eq(flagConfigs.flagId, id), eq(flagConfigs.environmentId, place.environment.id)))
  const config = {
    enabled: true,
    offVariation: variations.at(-1)?.key ?? '',
    prerequisites: [],
    rules: [],
    salt: flag.key,
    ...flag.config,
    version: (saved?.version ?? 0) + 1,
  }
  await db
    .insert(flagConfigs)
    .values({ ...config, flagId: id, environmentId: place.environment.id, savedAt: now })
    .onConflictDoUpdate({ target: [flagConfigs.flagId, flagConfigs.environmentId], set: config })
  const entity = { kind: 'flag-config', id, name: flag.key }
  return { reply: null, changes: [{ action: 'flag-config.save', entity, ...place }] }
})

/** An SDK key, made by an owner through the API. */
export async function createKey(
  telltale: Telltale,
  kind: 'client' | 'server',
  { project = 'shop', environment = 'production' } = {},
): Promise<{ value: string; id: string }> {
  const as = await telltale.person({ role: 'owner' })
  const path = `/api/v1/projects/${project}/environments/${environment}/keys`
  const answer = await telltale.request('POST', path, { as, body: { kind, label: '' } })
  if (answer.status !== 201) throw new Error(`no key: ${JSON.stringify(answer.body)}`)
  return { value: answer.body.value, id: answer.body.key.id }
}

export const always = (variation: string) => ({ fallthrough: { variation } })

/** Half and half, by the targeting key or another attribute. */
export const halves = (one: string, other: string, by = 'targetingKey'): FlagConfig['fallthrough'] => ({
  split: {
    id: '7',
    epoch: 3,
    by,
    arms: [
      { variation: one, weight: 50_000, ranges: [[0, 50_000]] },
      { variation: other, weight: 50_000, ranges: [[50_000, 100_000]] },
    ],
  },
})
