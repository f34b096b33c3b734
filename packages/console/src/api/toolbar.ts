import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/toolbar'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'

export const createToolbarLink = ({
  project,
  env,
  draft,
}: EnvironmentRef & { draft: BodyOf<typeof contract.createToolbarLink> }) =>
  request(calls.toolbar.createToolbarLink, { params: { project, env }, body: draft })
