import type { SdkKeyKind } from '@telltale/core/keys'
import { change } from '../../platform/engines/postgres/change.ts'
import { insertKey, type KeyOwner } from '../environments/insert-key.ts'
import { toKey } from '../environments/key.ts'
import { lockEnvironment } from '../environments/queries.ts'

interface KeyRequest {
  project: KeyOwner['project']
  env: string
  kind: SdkKeyKind
  label: string
}

/** Creates a key and returns its value; that of a server key is returned only once. */
export const createKey = change(async (context, { project, env, kind, label }: KeyRequest) => {
  const environment = await lockEnvironment(context.db, { projectId: project.id, key: env })
  const { row, value, changes } = await insertKey(context, { project, environment }, { kind, label })

  return { reply: { key: toKey(row), value }, changes }
})
