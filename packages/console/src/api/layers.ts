import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/layers'
import { request } from './client.ts'
import { experimentsKey } from './experiments.ts'

export type Layer = contract.Layer
type LayerDraft = BodyOf<typeof contract.createLayer>
type LayerChange = BodyOf<typeof contract.updateLayer>

/** By key. Below the experiments, because each of their starts and ends changes what is free. */
export const layersQuery = (project: string) =>
  queryOptions({
    queryKey: [...experimentsKey(project), 'layers'],
    queryFn: async ({ signal }) =>
      (await request(calls.layers.listLayers, { params: { project }, signal })).items,
  })

export const createLayer = (requested: { project: string; draft: LayerDraft; idempotencyKey: string }) => {
  const { project, draft, idempotencyKey } = requested
  return request(calls.layers.createLayer, { params: { project }, body: draft, idempotencyKey })
}

export const updateLayer = ({ change, ...params }: { project: string; layer: string; change: LayerChange }) =>
  request(calls.layers.updateLayer, { params, body: change })

export const deleteLayer = (params: { project: string; layer: string }) =>
  request(calls.layers.deleteLayer, { params })
