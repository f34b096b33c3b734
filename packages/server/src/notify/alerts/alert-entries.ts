// Alerts as entries of flags as code. Channels are referenced by name: their addresses and secrets are never exported.

import type { CodeAlert } from '@telltale/core/contract/code-document'
import { type Fault, problem } from '@telltale/core/errors'
import { type Grant, may } from '@telltale/core/rights'
import { findEnvironments } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { EntryKind } from '../../release/flags-as-code/entry-kinds.ts'
import { type ChannelRow, findChannels } from '../channels/queries.ts'
import { checkRule } from './check-alert.ts'
import { createAlert } from './create-alert.ts'
import { deleteAlert } from './delete-alert.ts'
import { findAlerts, type PlacedAlert } from './queries.ts'
import { updateAlert } from './update-alert.ts'

export const alertEntries: EntryKind<CodeAlert> = {
  read: async (db, projectId) => {
    const channels = await findChannels(db, projectId)
    const entries = (await findAlerts(db, projectId)).map(({ row, environment }): [string, CodeAlert] => {
      const named = channels.filter(({ id }) => row.channels.includes(id)).map(({ name }) => name)
      return [row.name, complete({ env: environment.key, rule: row.rule, channels: named })]
    })
    return { entries: new Map(entries), leftOut: [] }
  },
  complete: (alert) => {
    checkRule(alert.rule)
    return complete(alert)
  },
  compact: ({ env, rule, channels = [] }) => ({ env, rule, ...(channels.length > 0 && { channels }) }),
  check: async (db, { project, entry }) => {
    const environments = await findEnvironments(db, project.id)
    const known = await findChannels(db, project.id)
    const faults: Fault[] = [
      ...(environments.some(({ key }) => key === entry.env)
        ? []
        : [{ pointer: '/env', message: `There is no environment "${entry.env}".` }]),
      ...(entry.channels ?? []).flatMap((name) =>
        known.some((one) => one.name === name)
          ? []
          : [{ pointer: '/channels', message: `There is no channel "${name}".` }],
      ),
    ]
    if (faults.length > 0) throw problem('invalid-request', { errors: faults })
  },
  write: async (context, { project, grant, key: name, after }) => {
    const found = await findAlert(context.db, project.id, name)
    refuseElsewhere(grant, [found?.environment.key, after?.env])
    if (after === undefined) {
      return found === undefined
        ? []
        : (await deleteAlert.verb(context, { project, id: found.row.id })).changes
    }
    const channels = idsOf(await findChannels(context.db, project.id), after.channels ?? [])
    const draft = { name, env: after.env, rule: after.rule, channels }
    const done =
      found === undefined
        ? await createAlert.verb(context, { project, draft })
        : await updateAlert.verb(context, { project, id: found.row.id, draft, ifMatch: undefined })
    return done.changes
  },
}

/** The role in the environment of an alert decides, and in both if it moves. Throws `forbidden`. */
function refuseElsewhere(grant: Grant, places: readonly (string | undefined)[]): void {
  const permission = 'alerts.change'
  const refused = places.find((env) => env !== undefined && !may(grant, permission, env))
  if (refused === undefined) return
  const detail = `This needs ${permission} in the environment "${refused}".`
  throw problem('forbidden', { detail, permission })
}

function complete({ env, rule, channels = [] }: CodeAlert): CodeAlert {
  return { env, rule, channels: [...channels].sort() }
}

const idsOf = (channels: readonly ChannelRow[], names: readonly string[]) =>
  channels.filter(({ name }) => names.includes(name)).map(({ id }) => id)

async function findAlert(db: Queryable, projectId: string, name: string): Promise<PlacedAlert | undefined> {
  return (await findAlerts(db, projectId)).find(({ row }) => row.name === name)
}
