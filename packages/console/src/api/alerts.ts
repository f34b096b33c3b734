import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/alerts'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { request } from './client.ts'

export type Alert = ReplyOf<typeof contract.getAlert>
export type AlertRule = Alert['rule']
export type MeasureRule = contract.MeasureRule
export type AlertDraft = BodyOf<typeof contract.createAlert>
export type AlertIncident = ReplyOf<typeof contract.listIncidents>['items'][number]
export type MeasuredPast = ReplyOf<typeof contract.previewAlert>

export const alertsKey = (project: string) => ['projects', project, 'alerts']

export interface AlertRef {
  project: string
  alert: string
}

/** The server evaluates alerts once a minute. */
const again = 15_000

/** Firing alerts first, then those without data, then the others by name. */
export const alertsQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: [...alertsKey(project), 'of', env],
    queryFn: async ({ signal }) =>
      (await request(calls.alerts.listAlerts, { params: { project }, query: { env }, signal })).items,
    refetchInterval: again,
  })

export const alertQuery = (place: AlertRef) =>
  queryOptions({
    queryKey: [...alertsKey(place.project), place.alert],
    queryFn: ({ signal }) => request(calls.alerts.getAlert, { params: { ...place }, signal }),
    refetchInterval: again,
  })

export const incidentsQuery = (place: AlertRef) =>
  infiniteQueryOptions({
    queryKey: [...alertsKey(place.project), place.alert, 'incidents'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.alerts.listIncidents, { params: { ...place }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: again,
  })

export const alertHistoryQuery = (place: AlertRef, version: number) =>
  queryOptions({
    queryKey: [...alertsKey(place.project), place.alert, 'history', version],
    queryFn: ({ signal }) => request(calls.alerts.getAlertHistory, { params: { ...place }, signal }),
    refetchInterval: 60_000,
  })

/** When an unsaved rule would have fired. */
export const alertPreviewQuery = (place: { project: string; env: string }, rule: MeasureRule) =>
  queryOptions({
    queryKey: ['projects', place.project, 'environments', place.env, 'alert-preview', rule],
    queryFn: ({ signal }) =>
      request(calls.alerts.previewAlert, { params: { ...place }, body: { rule }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export function createAlert(requested: { project: string; draft: AlertDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.alerts.createAlert, { params: { project }, body: draft, idempotencyKey })
}

export function updateAlert(requested: { project: string; alert: Alert; draft: AlertDraft }) {
  const { project, alert, draft } = requested
  return request(calls.alerts.updateAlert, {
    params: { project, alert: alert.id },
    body: draft,
    ifMatch: alert.version,
  })
}

export const deleteAlert = (place: AlertRef) => request(calls.alerts.deleteAlert, { params: { ...place } })
export const testAlert = (place: AlertRef) => request(calls.alerts.testAlert, { params: { ...place } })
export const muteAlert = ({ until, ...place }: AlertRef & { until: string | null }) =>
  request(calls.alerts.muteAlert, { params: place, body: { until } })
