import type { ReplyOf } from '@telltale/core/contract/call'
import type { getProfiledCode as getProfiledCodeCall } from '@telltale/core/contract/profiles'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'

interface ProfiledLocation {
  file: string
  line: number
  column: number
  version: string
}

export async function getProfiledCode(
  mapper: StackMapper,
  projectId: string,
  { version, ...place }: ProfiledLocation,
): Promise<ReplyOf<typeof getProfiledCodeCall>> {
  const frames = [{ function: '', ...place }]
  const [[frame] = []] = await mapper.map(projectId, [{ version, page: '', places: 'functions', frames }])
  if (!frame?.original) return { original: null, code: null, why: frame?.why ?? null }
  const { code, ...original } = frame.original
  return { original, code, why: null }
}
