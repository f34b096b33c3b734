import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { archiveFlag } from './archive-flag.ts'
import { configPathOf, resolveConfigRef } from './config-ref.ts'
import { createFlag } from './create-flag.ts'
import { deleteFlag } from './delete-flag.ts'
import { describeFlags } from './describe-flags.ts'
import { evaluateFlags } from './evaluate-flags.ts'
import { toConfig, toVersion } from './flag.ts'
import { draftOfGiven } from './given-config.ts'
import { listFlags } from './list-flags.ts'
import type { ReleasePolicy } from './policy.ts'
import { findDependents, findVersions, getConfig, getFlag, getVersion, type PlacedConfig } from './queries.ts'
import { restoreFlag } from './restore-flag.ts'
import { updateFlag } from './update-flag.ts'

export const flagRoutes: Handlers<
  Omit<Calls['flags'], 'saveFlagConfig' | 'restoreFlagConfigVersion' | 'copyFlagConfig'>,
  Services & { policy: ReleasePolicy }
> = {
  listFlags: ({ db, clock }, { project, query, caller }) =>
    listFlags(db, { projectId: project.row.id, query, userId: caller.user.id, now: clock() }),
  createFlag: ({ db }, { project, origin, body }) =>
    createFlag(db, origin, { project: project.row, draft: body }),
  getFlag: async ({ db, clock }, { project, params }) => {
    const row = await getFlag(db, project.row.id, params.flag)
    const [flag] = await describeFlags(db, [row], clock())
    if (!flag) throw problem('internal')
    const dependents = await findDependents(db, project.row.id, row.key)
    return { ...flag, requiredBy: dependents.map(toDependent) }
  },
  updateFlag: ({ db, policy }, { project, params, origin, body, ifMatch }) =>
    updateFlag(db, origin, {
      policy,
      project: project.row,
      grant: project.grant,
      key: params.flag,
      draft: body,
      ifMatch,
    }),
  archiveFlag: ({ db, policy }, { project, params, origin }) =>
    archiveFlag(db, origin, { policy, project: project.row, grant: project.grant, key: params.flag }),
  restoreFlag: ({ db }, { project, params, origin }) =>
    restoreFlag(db, origin, { project: project.row, grant: project.grant, key: params.flag }),
  deleteFlag: ({ db }, { project, params, origin, query }) =>
    deleteFlag(db, origin, {
      project: project.row,
      grant: project.grant,
      key: params.flag,
      confirm: query.confirm,
    }),

  getFlagConfig: async ({ db }, { project, params }) => {
    const { flag, environment } = await resolveConfigRef(db, configPathOf(project, params))
    return toConfig(await getConfig(db, { flagId: flag.id, environmentId: environment.id }))
  },
  listFlagConfigVersions: async ({ db }, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(db, configPathOf(project, params))
    const ref = { flagId: flag.id, environmentId: environment.id }
    return readPage(query, {
      find: (after, count) => findVersions(db, ref, { before: versionIn(after), count }),
      keyOf: ({ version }) => String(version),
      toItem: toVersion,
    })
  },
  getFlagConfigVersion: async ({ db }, { project, params }) => {
    const { flag, environment } = await resolveConfigRef(db, configPathOf(project, params))
    const ref = { flagId: flag.id, environmentId: environment.id }
    const row = await getVersion(db, ref, Number(params.version))
    const config = { ...row.config, version: row.version, savedAt: row.savedAt }
    return { ...toVersion(row), config: toConfig(config) }
  },
  evaluateFlags: async ({ db }, { project, params, body }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const { draft, ...requested } = body
    return evaluateFlags(
      db,
      { projectId: project.row.id, environmentId: environment.id },
      { ...requested, ...(draft === undefined ? {} : { draft: draftOfGiven(draft) }) },
    )
  },
}

function versionIn(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}

function toDependent({ flag, env }: PlacedConfig) {
  return { flag: flag.key, env, archived: flag.archivedAt !== null }
}
