// What every step of an application knows and has done, and how a refusal names its entry.

import { Problem } from '@telltale/core/errors'
import { pointerTo } from '@telltale/core/flags-as-code/check-code'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Proposer } from '../change-requests/insert-change-request.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import type { CodePlan, PlannedConfig, Planning } from './plan-code.ts'

export interface CodeApplication extends Planning {
  policy: ReleasePolicy
  author: Proposer
  /** The plan that was shown; undefined to apply what the document changes now. */
  plan: string | undefined
  files: Readonly<Record<string, string>>
  reason: string | undefined
  endsEvidenceOf: readonly string[] | undefined
}

export interface OpenedRequest {
  id: string
  env: string
  flag: string
}

/** What every step of an application knows, and what it has done. */
export interface Applying {
  context: ChangeContext
  application: CodeApplication
  plan: CodePlan
  changes: EntityChange[]
  opened: OpenedRequest[]
}

/** Runs the work on an entry; a refusal names the entry. */
export async function onEntry<Done>(
  { kind, key, env }: Pick<PlannedConfig, 'kind' | 'key' | 'env'>,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const pointer = env === null ? pointerTo(kind, key) : pointerTo(kind, key, 'environments', env)
    const { errors = [{ pointer: '', message: error.message }] } = error.context
    throw new Problem(error.code, {
      ...error.context,
      detail: `Nothing was applied: ${kind} "${key}"${env === null ? '' : ` in ${env}`} was refused.`,
      errors: errors.map((fault) => ({ pointer: `${pointer}${fault.pointer}`, message: fault.message })),
    })
  }
}
