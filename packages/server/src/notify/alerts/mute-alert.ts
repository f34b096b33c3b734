import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { alertRules } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { alertChange, describeAlert } from './alert.ts'
import { type AlertRef, lockAlert } from './queries.ts'

/** A muted alert is still evaluated. */
export const muteAlert = change(
  async ({ db, now }, { until, ...ref }: AlertRef & { until: string | null }) => {
    const mutedUntil = until === null ? null : readInstant(until, '/until')
    const refuse = (message: string) =>
      problem('invalid-request', { errors: [{ pointer: '/until', message }] })
    if (mutedUntil !== null && mutedUntil <= now) throw refuse('is in the past')
    if (mutedUntil !== null && mutedUntil.getTime() - now.getTime() > limits.alertMuteMaximum) {
      throw refuse(`is more than ${limits.alertMuteMaximum / 86_400_000} days ahead`)
    }
    const before = await lockAlert(db, ref)
    const after = { ...before, row: { ...before.row, mutedUntil } }
    await db.update(alertRules).set({ mutedUntil }).where(eq(alertRules.id, before.row.id))
    return {
      reply: await describeAlert(db, after),
      changes: [alertChange(mutedUntil === null ? 'unmute' : 'mute', { before, after })],
    }
  },
)
