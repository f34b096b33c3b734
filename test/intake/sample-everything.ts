import { vi } from 'vitest'
import { profile, sendAttachment } from './attachments.ts'
import { environments, type IntakeStage } from './stage.ts'

/** Until the environment records and profiles every session; gives its client key. */
export async function sampleEverything({ telltale, owner, clientKey }: IntakeStage): Promise<string> {
  const body = { sampling: { session: 100, replay: 100, profile: 100 } }
  await telltale.request('PATCH', `${environments}/development`, { as: owner, body })
  const key = await clientKey('development')
  // Keys are read again when their environment changes.
  await vi.waitFor(
    async () => {
      const { body } = await sendAttachment(telltale.url, { kind: 'profile', body: profile(), key })
      if (body.accepted !== 1) throw new Error('not sampled yet')
    },
    { timeout: 20_000, interval: 50 },
  )
  return key
}
