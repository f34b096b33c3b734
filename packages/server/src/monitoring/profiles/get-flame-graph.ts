import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlameGraph as getFlameGraphCall } from '@telltale/core/contract/profiles'
import { limits } from '@telltale/core/limits'
import { flameGraph } from '@telltale/core/telemetry/flame-graph'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { isMapped, mapProfile } from './map-profile.ts'
import { findFramesOf, findStacks, findTotals } from './queries.ts'

interface GraphQuery {
  page: string | undefined
  projectId: string
}

export async function getFlameGraph(
  question: Question,
  mapper: StackMapper,
  { page, projectId }: GraphQuery,
): Promise<ReplyOf<typeof getFlameGraphCall>> {
  const [totals, found] = await Promise.all([findTotals(question, { page }), findStacks(question, { page })])
  const framesOf = await findFramesOf(
    question,
    found.map(({ id }) => id),
  )
  const stacks = found.map((stack) => ({ ...stack, texts: framesOf.get(stack.id) ?? [] }))
  const versions = new Map(
    stacks.flatMap(({ texts, latest }) => texts.map((text) => [text, latest] as const)),
  )
  const graph = flameGraph(
    stacks.map(({ texts, ms, n }) => ({ frames: texts, selfMs: ms, samples: Number(n) })),
    limits.profileFrames,
  )
  const frames = await mapProfile(mapper, projectId, {
    frames: graph.frames.map((text) => ({ text, version: versions.get(text) ?? '' })),
    page,
  })
  const read = stacks.reduce((sum, { ms }) => sum + ms, 0)
  return {
    ...periodOf(question),
    profiles: Number(totals.profiles),
    sessions: Number(totals.sessions),
    totalMs: totals.total_ms,
    frames,
    nodes: graph.nodes,
    restMs: graph.restMs + Math.max(0, totals.total_ms - read),
    mapped: isMapped(frames),
  }
}
