import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/channels'
import { request } from './client.ts'

type ChannelList = ReplyOf<typeof contract.listChannels>
export type ChannelRow = ChannelList['items'][number]
export type Channel = ReplyOf<typeof contract.getChannel>
export type ChannelDraft = BodyOf<typeof contract.createChannel>
type ChannelChange = BodyOf<typeof contract.updateChannel>
export type DeliveryRow = ReplyOf<typeof contract.listDeliveries>['items'][number]
export type Delivery = ReplyOf<typeof contract.getDelivery>

export const channelsKey = (project: string) => ['projects', project, 'channels']

export interface ChannelRef {
  project: string
  channel: string
}

/** Channels by name, and whether the server can send mail. */
export const channelsQuery = (project: string) =>
  queryOptions({
    queryKey: channelsKey(project),
    queryFn: ({ signal }) => request(calls.channels.listChannels, { params: { project }, signal }),
  })

/** The server delivers in the background, so poll for the result. */
const again = 5_000

export const channelQuery = (place: ChannelRef) =>
  queryOptions({
    queryKey: [...channelsKey(place.project), place.channel],
    queryFn: ({ signal }) => request(calls.channels.getChannel, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export const deliveriesQuery = (place: ChannelRef, state: DeliveryRow['state'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey(place.project), place.channel, 'deliveries', state],
    queryFn: ({ pageParam, signal }) =>
      request(calls.channels.listDeliveries, {
        params: { ...place },
        query: { cursor: pageParam, state },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: again,
  })

export const deliveryQuery = (place: ChannelRef & { delivery: string }) =>
  queryOptions({
    queryKey: [...channelsKey(place.project), place.channel, 'deliveries', 'one', place.delivery],
    queryFn: ({ signal }) => request(calls.channels.getDelivery, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export function createChannel(requested: { project: string; draft: ChannelDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.channels.createChannel, { params: { project }, body: draft, idempotencyKey })
}

export function updateChannel(requested: { project: string; channel: Channel; change: ChannelChange }) {
  const { project, channel, change } = requested
  return request(calls.channels.updateChannel, {
    params: { project, channel: channel.id },
    body: change,
    ifMatch: channel.version,
  })
}

export const deleteChannel = (place: ChannelRef) =>
  request(calls.channels.deleteChannel, { params: { ...place } })
export const rotateChannelSecret = (place: ChannelRef) =>
  request(calls.channels.rotateChannelSecret, { params: { ...place } })
export const testChannel = (place: ChannelRef) =>
  request(calls.channels.testChannel, { params: { ...place } })
export const redeliverAll = (place: ChannelRef) =>
  request(calls.channels.redeliverAll, { params: { ...place } })
export const redeliver = (place: ChannelRef & { delivery: string }) =>
  request(calls.channels.redeliver, { params: { ...place } })
