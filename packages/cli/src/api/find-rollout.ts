import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { UsageError } from '../command/read-arguments.ts'
import type { Server } from './server.ts'

export type Rollout = ReplyOf<typeof calls.rollouts.getRollout>

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

/** `named`: the id of a rollout, or the key of a flag, which means its newest one in the environment. */
export async function findRollout(
  server: Server,
  { project, env, named }: { project: string; env: string; named: string },
): Promise<Rollout> {
  const rollout = isId(named) ? named : await newestOf(server, { project, env, flag: named })
  return server.request(calls.rollouts.getRollout, { params: { project, rollout } })
}

async function newestOf(
  server: Server,
  { project, env, flag }: { project: string; env: string; flag: string },
): Promise<string> {
  const query = { env, flag, limit: 1 }
  const { items } = await server.request(calls.rollouts.listRollouts, { params: { project }, query })
  const [newest] = items
  if (newest === undefined) throw new UsageError(`${flag} has no rollout in ${env}.`)
  return newest.id
}
