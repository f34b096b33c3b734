import type { Fault } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { storeSingleSignOn } from '../sign-in-providers/set-single-sign-on.ts'
import { findUserByEmail } from '../users/queries.ts'
import { findSingleSignOn } from '../users/single-sign-on.ts'
import type { SingleSignOnDeclaration } from './declarations.ts'
import { attempt, type Provisioning } from './provisioning.ts'

/** After users and providers: the policy needs one of each. */
export async function provisionSingleSignOn(
  run: Provisioning,
  declared: SingleSignOnDeclaration | undefined,
): Promise<void> {
  const before = await findSingleSignOn(run.db)
  const manage = declared?.manage === true
  if (declared !== undefined && run.memory.isDue('single-sign-on', { exists: false, manage })) {
    await apply(run, declared)
  }
  if (before.managed === manage) return
  await run.db.update(installation).set({ singleSignOnManaged: manage }).where(eq(installation.id, 1))
}

async function apply(run: Provisioning, declared: SingleSignOnDeclaration): Promise<void> {
  const { pointer, only, breakGlassOwner: email } = declared
  const owner = email === undefined ? undefined : await findUserByEmail(run.db, email)
  const before = await findSingleSignOn(run.db)
  const wanted = { singleSignOnOnly: only, breakGlassOwner: only ? (owner?.id ?? null) : null }
  const isSame = before.singleSignOnOnly === only && before.breakGlassOwner === wanted.breakGlassOwner
  if (isSame) return
  // The file is read before anyone could have tested a provider.
  const faults: Fault[] = []
  await attempt({ ...run, faults }, '', () => storeSingleSignOn(run, { ...wanted, isTested: false }))
  const places: Readonly<Record<string, string>> = { '/singleSignOnOnly': '/only' }
  run.faults.push(
    ...faults.map((fault) => ({ ...fault, pointer: pointer + (places[fault.pointer] ?? fault.pointer) })),
  )
}
