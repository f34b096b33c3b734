// The causes of the gap of a metric between two arms. Runs on request, or once after a rollback; never
// during the guard's looks.
import type { GapEvidence, GapExplanation } from '@telltale/core/contract/gap-evidence'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { type Candidate, type Explanation, rankEvidence } from '@telltale/core/guard/rank-evidence'
import { limits } from '@telltale/core/limits'
import { meansOf } from '@telltale/core/statistics/ratio-effect'
import type { ArmName, StageSums } from '@telltale/core/statistics/sums'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { findJoinedGroups } from '../../monitoring/explore/joined-groups.ts'
import { findNotedIssues } from '../../monitoring/issues/find-noted-issues.ts'
import { findPagesOf, nameFunctions } from '../../monitoring/profiles/compare-functions.ts'
import type { Services } from '../../platform/services.ts'
import { type EvidenceName, type EvidenceSource, openSource, readCandidates } from './evidence-sources.ts'
import { findReplays, findTraces } from './lived-through.ts'
import { placeReplays } from './place-replays.ts'
import { type EvidencePeriod, nameRequests } from './rows-of-arms.ts'
import type { ComparedArms } from './split-question.ts'

export type ExplainServices = Pick<Services, 'db' | 'telemetry' | 'clock'> & { stackMapper: StackMapper }

interface GapOptions {
  projectId: string
  flag: string
  arms: ComparedArms
  metric: JudgedMetric
  /** When the arms were served. */
  period: EvidencePeriod
  /** How long events are kept. */
  eventsKept: number
}

/** The number of explanations that get replays and traces. */
const withReplays = 5

export async function explainGap(services: ExplainServices, requested: GapOptions): Promise<GapEvidence> {
  const { arms, metric } = requested
  const { telemetry, db } = services
  const { period, missing } = periodOf(requested, services.clock())
  const head = {
    metric: metric.metric,
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    missing,
  }
  if (missing === 'all') return { ...head, ...nothing }

  const joined = await findJoinedGroups(db, arms.environmentId)
  const source = await openSource(telemetry, { ...requested, period, joined })
  const { candidates, tooFew } = await readCandidates(source)
  const ranked = rankEvidence(candidates).slice(0, limits.evidenceShown)
  const described = await describe(services, { ...requested, source }, ranked)
  const sums = new Map(candidates.map((candidate) => [candidate.name, candidate]))
  const shown = ranked.slice(0, withReplays)
  const [replays, traces] = await Promise.all([
    Promise.all(shown.map(({ name }) => findReplays(source, name))).then((found) =>
      placeReplays(source, found),
    ),
    Promise.all(shown.map(({ name }) => findTraces(source, name))),
  ])
  const explanations = ranked.map(
    ({ name, share }, place): GapExplanation => ({
      kind: name.kind,
      share,
      ...valuesOf(source, sums.get(name)),
      ...(described[place] ?? unnamed),
      replays: replays[place] ?? [],
      traces: traces[place] ?? [],
    }),
  )
  return { ...head, lookedAt: countKinds(candidates), tooFew, explanations }
}

const nothing = {
  lookedAt: { issues: 0, requests: 0, functions: 0, slices: 0 },
  tooFew: 0,
  explanations: [],
}

function periodOf({ period, eventsKept }: GapOptions, now: Date) {
  const to = Math.min(now.getTime(), period.to + limits.evidenceLate)
  const kept = now.getTime() - eventsKept
  const from = Math.max(period.from, to - limits.impactSliceSpan)
  const missing: GapEvidence['missing'] = to <= kept ? 'all' : from < kept ? 'part' : null
  return { period: { from, to }, missing }
}

function countKinds(candidates: readonly Candidate<EvidenceName>[]): GapEvidence['lookedAt'] {
  const of = (...kinds: EvidenceName['kind'][]) =>
    candidates.filter(({ name }) => kinds.includes(name.kind)).length
  return {
    issues: of('issue'),
    requests: of('failing-request', 'slow-request'),
    functions: of('function'),
    slices: of('slice'),
  }
}

type Values = Pick<GapExplanation, 'values' | 'elsewhere' | 'measuredIn'>

const noValues = { treatment: 0, control: 0 }
const meanOf = (stages: readonly StageSums[]) =>
  meansOf({ stages, shared: { treatment: [], control: [] } }) ?? noValues

function valuesOf({ units, metric }: EvidenceSource, candidate: Candidate<EvidenceName> | undefined): Values {
  if (candidate === undefined) return { values: noValues, elsewhere: null, measuredIn: 'units' }
  const { name, sums } = candidate
  if (sums.kind === 'events') {
    const met = (arm: ArmName) =>
      sums.part.reduce((sum, stage) => sum + stage[arm], 0) / Math.max(1, units[arm])
    const values = { treatment: met('treatment'), control: met('control') }
    return { values, elsewhere: null, measuredIn: 'units' }
  }
  if (sums.kind === 'means') {
    const measuredIn = name.kind === 'function' ? 'ms-per-profile' : 'ms-per-session'
    return { values: meanOf(sums.part), elsewhere: null, measuredIn }
  }
  const turned = ({ treatment, control }: Record<ArmName, number>) =>
    metric.better === 'lower' ? { treatment, control } : { treatment: control, control: treatment }
  return {
    values: turned(meanOf(sums.part)),
    elsewhere: turned(meanOf(sums.rest)),
    measuredIn: measuredInOf(metric),
  }
}

function measuredInOf({ method }: JudgedMetric): Values['measuredIn'] {
  switch (method.kind) {
    case 'quantile':
      return 'slow-share'
    case 'count':
      return method.per === 'session' ? 'per-session' : 'share'
    case 'mean':
    case 'total':
      return 'value'
    case 'share':
    case 'rare-share':
      return 'share'
  }
}

type Named = Pick<GapExplanation, 'issue' | 'request' | 'frame' | 'page' | 'slice'>

const unnamed: Named = { issue: null, request: null, frame: null, page: null, slice: null }

/** Display names of the contributors, in the same order. */
async function describe(
  services: ExplainServices,
  { projectId, arms, source }: GapOptions & { source: EvidenceSource },
  ranked: readonly Explanation<EvidenceName>[],
): Promise<Named[]> {
  const names = ranked.map(({ name }) => name)
  const groups = names.flatMap((name) => (name.kind === 'issue' ? [name.key] : []))
  const texts = names.flatMap((name) => (name.kind === 'function' ? [name] : []))
  const hashes = names.flatMap((name) =>
    name.kind === 'slow-request' || name.kind === 'failing-request' ? [name.key] : [],
  )
  const [issues, frames, pages, requests] = await Promise.all([
    groups.length === 0 ? [] : findNotedIssues(services, arms.environmentId, groups),
    nameFunctions(services.stackMapper, projectId, texts),
    findPagesOf(
      source.questionOfProfiles(),
      texts.map(({ text }) => text),
    ),
    nameRequests(source.ask(), source.period, hashes),
  ])
  return names.map((name): Named => {
    switch (name.kind) {
      case 'issue': {
        const issue = issues.find(({ groups: own }) => own.includes(name.key))
        const { type = '', message = '', culprit = '' } = issue ?? {}
        return { ...unnamed, issue: { group: name.key, type, message, culprit } }
      }
      case 'function':
        return { ...unnamed, frame: frames[texts.indexOf(name)] ?? null, page: pages.get(name.text) ?? null }
      case 'slice':
        return { ...unnamed, slice: { field: name.field, value: name.value } }
      default:
        return { ...unnamed, request: requests.get(name.key) ?? null }
    }
  })
}
