import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/channels'
import { endpoint, request } from './client.ts'

export type ChannelList = ReplyOf<typeof contract.listChannels>
export type ChannelRow = ChannelList['items'][number]
export type Channel = ReplyOf<typeof contract.getChannel>
export type ChannelDraft = BodyOf<typeof contract.createChannel>
export type ChannelChange = BodyOf<typeof contract.updateChannel>
export type DeliveryRow = ReplyOf<typeof contract.listDeliveries>['items'][number]
export type Delivery = ReplyOf<typeof contract.getDelivery>

const list = '/api/v1/projects/:project/channels'
const one = '/api/v1/projects/:project/channels/:channel'
const listCall = endpoint<typeof contract.listChannels>('GET', list)
const createCall = endpoint<typeof contract.createChannel>('POST', list)
const getCall = endpoint<typeof contract.getChannel>('GET', one)
const updateCall = endpoint<typeof contract.updateChannel>('PATCH', one)
const deleteCall = endpoint<typeof contract.deleteChannel>('DELETE', one)
const rotateCall = endpoint<typeof contract.rotateChannelSecret>(
  'POST',
  '/api/v1/projects/:project/channels/:channel/rotate',
)
const testCall = endpoint<typeof contract.testChannel>(
  'POST',
  '/api/v1/projects/:project/channels/:channel/test',
)
const deliveriesCall = endpoint<typeof contract.listDeliveries>(
  'GET',
  '/api/v1/projects/:project/channels/:channel/deliveries',
)
const deliveryCall = endpoint<typeof contract.getDelivery>(
  'GET',
  '/api/v1/projects/:project/channels/:channel/deliveries/:delivery',
)
const redeliverCall = endpoint<typeof contract.redeliver>(
  'POST',
  '/api/v1/projects/:project/channels/:channel/deliveries/:delivery/redeliver',
)
const redeliverAllCall = endpoint<typeof contract.redeliverAll>(
  'POST',
  '/api/v1/projects/:project/channels/:channel/redeliver',
)

export const channelsKey = (project: string) => ['projects', project, 'channels']

export interface ChannelPlace {
  project: string
  channel: string
}

/** By name, with whether mail can be sent. */
export const channelsQuery = (project: string) =>
  queryOptions({
    queryKey: channelsKey(project),
    queryFn: ({ signal }) => request(listCall, { params: { project }, signal }),
  })

/** Deliveries go on by themselves, so that it is asked again. */
const again = 5_000

export const channelQuery = (place: ChannelPlace) =>
  queryOptions({
    queryKey: [...channelsKey(place.project), place.channel],
    queryFn: ({ signal }) => request(getCall, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export const deliveriesQuery = (place: ChannelPlace, state: DeliveryRow['state'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...channelsKey(place.project), place.channel, 'deliveries', state],
    queryFn: ({ pageParam, signal }) =>
      request(deliveriesCall, { params: { ...place }, query: { cursor: pageParam, state }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: again,
  })

export const deliveryQuery = (place: ChannelPlace & { delivery: string }) =>
  queryOptions({
    queryKey: [...channelsKey(place.project), place.channel, 'deliveries', 'one', place.delivery],
    queryFn: ({ signal }) => request(deliveryCall, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export function createChannel(asked: { project: string; draft: ChannelDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = asked
  return request(createCall, { params: { project }, body: draft, idempotencyKey })
}

export function updateChannel(asked: { project: string; channel: Channel; change: ChannelChange }) {
  const { project, channel, change } = asked
  return request(updateCall, {
    params: { project, channel: channel.id },
    body: change,
    ifMatch: channel.version,
  })
}

export const deleteChannel = (place: ChannelPlace) => request(deleteCall, { params: { ...place } })
export const rotateChannelSecret = (place: ChannelPlace) => request(rotateCall, { params: { ...place } })
export const testChannel = (place: ChannelPlace) => request(testCall, { params: { ...place } })
export const redeliverAll = (place: ChannelPlace) => request(redeliverAllCall, { params: { ...place } })
export const redeliver = (place: ChannelPlace & { delivery: string }) =>
  request(redeliverCall, { params: { ...place } })
