// Creates channels and alerts of the demo, by the operations that members use. Channels are turned off before
// any event that they would announce.

import { createAlert } from '../../notify/alerts/create-alert.ts'
import { muteAlert } from '../../notify/alerts/mute-alert.ts'
import { createChannel } from '../../notify/channels/create-channel.ts'
import { updateChannel } from '../../notify/channels/update-channel.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { DemoAlert, DemoProject } from './demo.ts'
import type { Step } from './make-rollout.ts'

interface MadeAlerts {
  project: { id: string; key: string }
  demo: Pick<DemoProject, 'environment' | 'begunAgo' | 'channels' | 'alerts'>
  by: (name: string, ago: number) => ChangeOrigin
  now: Date
}

const reachable = { networks: [], mail: false }

/** Returns the later steps of the alerts. */
export async function makeAlerts(db: Db, { project, demo, by, now }: MadeAlerts): Promise<Step[]> {
  const later: Step[] = []
  const ids = new Map<string, string>()
  for (const { by: author, ...draft } of demo.channels) {
    const origin = by(author, demo.begunAgo)
    const made = await createChannel(db, origin, { project, draft: { kind: 'slack', ...draft }, reachable })
    const { id, name } = made.channel
    await updateChannel(db, origin, { project, id, draft: { enabled: false }, reachable, ifMatch: undefined })
    ids.set(name, id)
  }
  for (const { by: author, name, rule, channels, muted } of demo.alerts) {
    const draft = { name, rule, env: demo.environment, channels: idsOf(channels, ids) }
    const { id } = await createAlert(db, by(author, demo.begunAgo), { project, draft })
    if (muted === undefined) continue
    const until = new Date(now.getTime() + muted.until).toISOString()
    const mute = async () => {
      await muteAlert(db, by(muted.by, muted.ago), { project, id, until })
    }
    later.push({ ago: muted.ago, make: mute })
  }
  return later
}

function idsOf(names: DemoAlert['channels'], ids: ReadonlyMap<string, string>): string[] {
  return names.map((name) => {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`The demo has no channel ${name}.`)
    return id
  })
}
