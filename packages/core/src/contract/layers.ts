// Layers: experiments of one layer never share a user.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { experimentStates } from '../states/experiment.ts'
import { call } from './call.ts'
import { Attribute } from './conditions.ts'
import { Weight } from './flag-config.ts'
import { Id, Instant, Key, Name, Nothing, Nullable, Strict } from './parameters.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })

/** Of 100 000 positions; a whole tenth of a percent at least. */
export const LayerSize = Type.Integer({
  minimum: 100,
  maximum: limits.weightTotal,
  description: 'The share of the users of the layer, of 100,000.',
})

export const Layer = Type.Object({
  id: Id,
  key: Key,
  name: Type.String(),
  description: Type.String(),
  by: Type.String({ description: 'The attribute that it divides by.' }),
  free: Type.Record(Key, Weight, { description: 'What running experiments leave free, by environment.' }),
  experiments: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      env: Key,
      flag: Key,
      state: Type.Enum([...experimentStates]),
      share: Nullable(Weight),
    }),
    { description: 'Drafts and running ones, newest first.' },
  ),
  createdBy: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Layer = Static<typeof Layer>

const list = '/api/v1/projects/:project/layers'
const one = `${list}/:layer` as const

export const listLayers = call({
  method: 'GET',
  path: list,
  summary: 'List the layers of a project, by key.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(Layer) }),
})

export const createLayer = call({
  method: 'POST',
  path: list,
  summary: 'Create a layer: its experiments never share a user.',
  permission: 'flags.change',
  idempotent: true,
  status: 201,
  body: Strict({
    key: Key,
    name: Name,
    description: Type.Optional(Description),
    /** Default: `targetingKey`. */
    by: Type.Optional(Attribute),
  }),
  reply: Layer,
  errors: ['already-exists', 'in-use'],
})

export const updateLayer = call({
  method: 'PATCH',
  path: one,
  summary: 'Change the name or description of a layer. How it divides users never changes.',
  permission: 'flags.change',
  body: Strict({ name: Type.Optional(Name), description: Type.Optional(Description) }),
  reply: Layer,
})

export const deleteLayer = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a layer without drafts and running experiments.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['in-use'],
})

export const layerCalls = { listLayers, createLayer, updateLayer, deleteLayer }
