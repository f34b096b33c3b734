// A project whose environments take telemetry, on the real engine.

import { expect } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../start.ts'
import type { TestStore } from '../store.ts'
import { type Line, type Receipt, type Sending, send } from './visitor.ts'

export const environments = '/api/v1/projects/shop/environments'
const patience = 20_000

export interface IntakeStage extends AsyncDisposable {
  telltale: Telltale
  owner: SomePerson
  /** The id of `development`, which `post` sends to. */
  environment: string
  clientKey(env: string): Promise<string>
  post(body: string | Uint8Array, sending?: Partial<Sending>): Promise<Receipt>
  read<Row>(text: string, values?: Line): Promise<Row[]>
  /** The events of a session, once there are so many. */
  untilStored(session: unknown, count: number): Promise<Line[]>
}

/**
 * Until everything that was accepted is in all tables. A row can be read from `events` before the roll-ups of the same insert
 * have it; an insert is off the spool when all of them do.
 */
export async function untilWritten({ running }: Telltale): Promise<void> {
  const { intake } = running.services
  // In the millisecond of its commit a record is not behind yet.
  const left = () => intake.condition().behind + intake.condition().waitingBytes
  await expect.poll(left, { timeout: 3 * patience, interval: 50 }).toBe(0)
}

/** `own`: with its own engines, whose files are in its data folder. */
export async function openIntakeStage(
  settings: Record<string, string> = {},
  engines: 'shared' | 'own' | TestStore = 'shared',
): Promise<IntakeStage> {
  const telltale = await startTelltale({
    telemetry: engines === 'shared',
    ownEngines: engines === 'own',
    ...(typeof engines === 'object' && { store: engines }),
    settings,
  })
  await telltale.project('shop')
  const owner = await telltale.person({ role: 'owner' })
  const clientKey = async (env: string): Promise<string> => {
    const { body } = await telltale.request('GET', `${environments}/${env}/keys`, { as: owner })
    return body.items.find(({ kind }: { kind: string }) => kind === 'client').value
  }
  const key = await clientKey('development')
  const { body } = await telltale.request('GET', `${environments}/development`, { as: owner })
  const read: IntakeStage['read'] = (text, values = {}) =>
    telltale.running.services.telemetry.read(text, { values })
  const storedOf = (session: unknown) =>
    read<Line>('SELECT * FROM events WHERE session_id = {session:UUID} ORDER BY ts, event_id', { session })

  return {
    telltale,
    owner,
    environment: body.id,
    clientKey,
    post: (bytes, sending = {}) => send(telltale.url, bytes, { key, ...sending }),
    read,
    async untilStored(session, count) {
      const found = async () => (await storedOf(session)).length
      await expect.poll(found, { timeout: patience, interval: 50 }).toBe(count)
      return storedOf(session)
    },
    [Symbol.asyncDispose]: () => telltale[Symbol.asyncDispose](),
  }
}
