import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/alerts'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { endpoint, request } from './client.ts'

export type Alert = ReplyOf<typeof contract.getAlert>
export type AlertRule = Alert['rule']
export type MeasureRule = contract.MeasureRule
export type AlertDraft = BodyOf<typeof contract.createAlert>
export type AlertIncident = ReplyOf<typeof contract.listIncidents>['items'][number]
export type MeasuredPast = ReplyOf<typeof contract.previewAlert>

const list = '/api/v1/projects/:project/alerts'
const one = '/api/v1/projects/:project/alerts/:alert'
const listCall = endpoint<typeof contract.listAlerts>('GET', list)
const createCall = endpoint<typeof contract.createAlert>('POST', list)
const getCall = endpoint<typeof contract.getAlert>('GET', one)
const updateCall = endpoint<typeof contract.updateAlert>('PATCH', one)
const deleteCall = endpoint<typeof contract.deleteAlert>('DELETE', one)
const muteCall = endpoint<typeof contract.muteAlert>('POST', '/api/v1/projects/:project/alerts/:alert/mute')
const testCall = endpoint<typeof contract.testAlert>('POST', '/api/v1/projects/:project/alerts/:alert/test')
const incidentsCall = endpoint<typeof contract.listIncidents>(
  'GET',
  '/api/v1/projects/:project/alerts/:alert/incidents',
)
const historyCall = endpoint<typeof contract.getAlertHistory>(
  'GET',
  '/api/v1/projects/:project/alerts/:alert/history',
)
const previewCall = endpoint<typeof contract.previewAlert>(
  'POST',
  '/api/v1/projects/:project/environments/:env/alerts/preview',
)

export const alertsKey = (project: string) => ['projects', project, 'alerts']

export interface AlertPlace {
  project: string
  alert: string
}

/** They look once a minute. */
const again = 15_000

/** Those that fire, those without data, then the others by name. */
export const alertsQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: [...alertsKey(project), 'of', env],
    queryFn: async ({ signal }) =>
      (await request(listCall, { params: { project }, query: { env }, signal })).items,
    refetchInterval: again,
  })

export const alertQuery = (place: AlertPlace) =>
  queryOptions({
    queryKey: [...alertsKey(place.project), place.alert],
    queryFn: ({ signal }) => request(getCall, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export const incidentsQuery = (place: AlertPlace) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(place.project), place.alert, 'incidents'],
    queryFn: ({ pageParam, signal }) =>
      request(incidentsCall, { params: { ...place }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: again,
  })

export const alertHistoryQuery = (place: AlertPlace, version: number) =>
  queryOptions({
    queryKey: [...alertsKey(place.project), place.alert, 'history', version],
    queryFn: ({ signal }) => request(historyCall, { params: { ...place }, signal }),
    refetchInterval: 60_000,
  })

/** When a rule that is not saved would have fired. */
export const alertPreviewQuery = (place: { project: string; env: string }, rule: MeasureRule) =>
  queryOptions({
    queryKey: ['projects', place.project, 'environments', place.env, 'alert-preview', rule],
    queryFn: ({ signal }) => request(previewCall, { params: { ...place }, body: { rule }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export function createAlert(asked: { project: string; draft: AlertDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = asked
  return request(createCall, { params: { project }, body: draft, idempotencyKey })
}

export function updateAlert(asked: { project: string; alert: Alert; draft: AlertDraft }) {
  const { project, alert, draft } = asked
  return request(updateCall, { params: { project, alert: alert.id }, body: draft, ifMatch: alert.version })
}

export const deleteAlert = (place: AlertPlace) => request(deleteCall, { params: { ...place } })
export const testAlert = (place: AlertPlace) => request(testCall, { params: { ...place } })
export const muteAlert = ({ until, ...place }: AlertPlace & { until: string | null }) =>
  request(muteCall, { params: place, body: { until } })
