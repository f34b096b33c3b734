import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { toChannel, toChannelSummary } from './channel.ts'
import type { Reachable } from './check-target.ts'
import { createChannel } from './create-channel.ts'
import { deleteChannel } from './delete-channel.ts'
import { describeDelivery, toDeliverySummaries } from './delivery.ts'
import { countDeliveries, findChannels, findDeliveries, getChannel, getDelivery } from './queries.ts'
import { redeliver, redeliverAll } from './redeliver.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testChannel } from './test-channel.ts'
import { updateChannel } from './update-channel.ts'

export const channelRoutes: Handlers<Calls['channels'], Services> = {
  listChannels: async ({ db, mail }, { project }) => ({
    items: (await findChannels(db, project.row.id)).map(toChannelSummary),
    mail: mail.configured,
  }),
  createChannel: (services, { project, origin, body }) =>
    createChannel(services.db, origin, { project: project.row, draft: body, reachable: reachable(services) }),
  getChannel: async ({ db }, { project, params }) => {
    const row = await getChannel(db, { project: project.row, id: params.channel })
    return toChannel(row, await countDeliveries(db, row.id))
  },
  updateChannel: (services, { project, params, origin, body, ifMatch }) =>
    updateChannel(services.db, origin, {
      project: project.row,
      id: params.channel,
      draft: body,
      reachable: reachable(services),
      ifMatch,
    }),
  deleteChannel: ({ db }, { project, params, origin }) =>
    deleteChannel(db, origin, { project: project.row, id: params.channel }),
  rotateChannelSecret: ({ db }, { project, params, origin }) =>
    rotateSecret(db, origin, { project: project.row, id: params.channel }),
  testChannel: (services, { project, params, origin }) =>
    testChannel(services, origin, { project: project.row, id: params.channel }),
  listDeliveries: async ({ db }, { project, params, query }) => {
    const { id: channelId } = await getChannel(db, { project: project.row, id: params.channel })
    return readNewestFirst(query, {
      find: async (before, count) => {
        const of = { channelId, state: query.state }
        return toDeliverySummaries(db, await findDeliveries(db, of, { before, count }))
      },
      toItem: ({ item }) => item,
    })
  },
  getDelivery: async (services, { project, params }) => {
    const channel = await getChannel(services.db, { project: project.row, id: params.channel })
    return describeDelivery(services, channel, await getDelivery(services.db, channel.id, params.delivery))
  },
  redeliver: ({ db }, { project, params, origin }) =>
    redeliver(db, origin, { project: project.row, id: params.channel, delivery: params.delivery }),
  redeliverAll: ({ db }, { project, params, origin }) =>
    redeliverAll(db, origin, { project: project.row, id: params.channel }),
}

function reachable({ config, mail }: Pick<Services, 'config' | 'mail'>): Reachable {
  return { networks: config.webhookNetworks, mail: mail.configured }
}
