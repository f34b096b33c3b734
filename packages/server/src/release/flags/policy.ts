// Hooks for changes of flags, configurations and segments whose rules belong to higher modules: running
// rollouts and open change requests. The process provides them.

import type { FlagConfigDraft, Split } from '@telltale/core/contract/flag-config'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { ConfigRow, FlagRow } from './queries.ts'

export interface SavedConfig {
  project: { id: string; key: string }
  environment: EnvironmentRow
  flag: FlagRow
  draft: FlagConfigDraft
  /** Rollouts whose evidence may end with this change. */
  endsEvidenceOf?: readonly string[] | undefined
  /** The approved change request that is applied. */
  changeRequest?: { id: string; author: string; approvedBy: string }
}

export interface ReviewedConfig {
  /** The draft to save. */
  draft: FlagConfigDraft
  /** Splits that are served instead of the saved ones, by place. */
  laid: ReadonlyMap<string, Split>
  /** Create a version even if nothing changes. */
  isAlwaysVersion?: boolean
  /** Called after saving. */
  follow(after: ConfigRow): Promise<EntityChange[]>
}

/** May reject. The place must be locked. */
export type ReviewConfig = (
  context: ChangeContext,
  before: ConfigRow,
  write: SavedConfig,
) => Promise<ReviewedConfig>

/** Called after a change was written. */
export type Follow = () => Promise<EntityChange[]>

export interface ReleasePolicy {
  reviewConfig: ReviewConfig
  /** May reject. */
  reviewFlag(
    context: ChangeContext,
    flag: { before: FlagRow; after: FlagRow },
    endsEvidenceOf: readonly string[] | undefined,
  ): Promise<Follow>
  /** Called for changed conditions. May reject. */
  reviewSegment(
    context: ChangeContext,
    segment: { projectId: string; key: string },
    endsEvidenceOf: readonly string[] | undefined,
  ): Promise<Follow>
  /** Called before the flag is archived. The project must be locked. */
  beforeArchiving(context: ChangeContext, flagId: string): Promise<EntityChange[]>
}
