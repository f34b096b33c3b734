import { eq } from 'drizzle-orm'
import { alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { alertChange } from './alert.ts'
import { type AlertRef, lockAlert } from './queries.ts'

export const deleteAlert = change(async ({ db }, ref: AlertRef) => {
  const before = await lockAlert(db, ref)
  await db.delete(alertRules).where(eq(alertRules.id, before.row.id))
  return { reply: null, changes: [alertChange('delete', { before })] }
})
