// What has a say when flags, their configurations and segments change, but belongs to modules above: running rollouts, open
// change requests. The process hands it in.

import type { FlagConfigDraft, Split } from '@telltale/core/contract/flag-config'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import type { ConfigRow, FlagRow } from './queries.ts'

export interface SavedConfig {
  project: { id: string; key: string }
  environment: EnvironmentRow
  flag: FlagRow
  draft: FlagConfigDraft
  /** Rollouts that may lose their evidence by it. */
  endsEvidenceOf?: readonly string[] | undefined
  /** The approved change request that it carries out. */
  changeRequest?: { id: string; author: string; approvedBy: string }
}

export interface ReviewedConfig {
  /** What is saved. */
  draft: FlagConfigDraft
  /** What goes on being served in the place of what is saved, by place. */
  laid: ReadonlyMap<string, Split>
  /** A version even when it changes nothing. */
  isAlwaysVersion?: boolean
  /** What is done about it once it is saved. */
  follow(after: ConfigRow): Promise<EntityChange[]>
}

/** May refuse. The place is locked. */
export type ReviewConfig = (
  context: ChangeContext,
  before: ConfigRow,
  write: SavedConfig,
) => Promise<ReviewedConfig>

/** What is done about a change once it is written. */
export type Follow = () => Promise<EntityChange[]>

export interface ReleasePolicy {
  reviewConfig: ReviewConfig
  /** May refuse. */
  reviewFlag(
    context: ChangeContext,
    flag: { before: FlagRow; after: FlagRow },
    endsEvidenceOf: readonly string[] | undefined,
  ): Promise<Follow>
  /** For other conditions. May refuse. */
  reviewSegment(
    context: ChangeContext,
    segment: { projectId: string; key: string },
    endsEvidenceOf: readonly string[] | undefined,
  ): Promise<Follow>
  /** While the flag is still there. The project is locked. */
  beforeArchiving(context: ChangeContext, flagId: string): Promise<EntityChange[]>
}
