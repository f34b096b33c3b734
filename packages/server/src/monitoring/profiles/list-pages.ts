import type { ReplyOf } from '@telltale/core/contract/call'
import type { listProfilePages } from '@telltale/core/contract/profiles'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Question } from '../explore/question.ts'
import { type FrameOfVersion, mapProfile } from './map-profile.ts'
import { findFramesOf, findHotStacks, findPages } from './queries.ts'

type Pages = ReplyOf<typeof listProfilePages>['pages']

const hottestShown = 3

export async function listPages(question: Question, mapper: StackMapper, projectId: string): Promise<Pages> {
  const [pages, stacks] = await Promise.all([findPages(question), findHotStacks(question)])
  const framesOf = await findFramesOf(
    question,
    stacks.map(({ id }) => id),
  )
  const byPage = new Map<string, Map<string, FrameOfVersion & { ms: number }>>()
  for (const { name, id, latest, ms } of stacks) {
    const leaf = framesOf.get(id)?.at(-1) ?? ''
    const leaves = byPage.get(name) ?? new Map<string, FrameOfVersion & { ms: number }>()
    byPage.set(name, leaves)
    const known = leaves.get(leaf) ?? { text: leaf, version: latest, ms: 0 }
    known.ms += ms
    leaves.set(leaf, known)
  }
  const shown = pages.map((page) => {
    const leaves = [...(byPage.get(page.name)?.values() ?? [])]
    return { page, hottest: leaves.sort((one, other) => other.ms - one.ms).slice(0, hottestShown) }
  })
  const frames = await mapProfile(mapper, projectId, { frames: shown.flatMap(({ hottest }) => hottest) })
  let next = 0
  return shown.map(({ page, hottest }) => ({
    page: page.name,
    profiles: Number(page.profiles),
    sessions: Number(page.sessions),
    totalMs: page.total_ms,
    hottest: hottest.flatMap(({ ms }) => {
      const frame = frames[next++]
      return frame === undefined ? [] : [{ frame, selfMs: ms, share: ms / Math.max(1, page.total_ms) }]
    }),
  }))
}
