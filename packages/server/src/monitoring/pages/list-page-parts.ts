import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/pages'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { lastBin, toBins, toSummaries, widthsOf } from './page-vitals.ts'
import {
  findBins,
  findBreakdown,
  findElements,
  findFrameTotals,
  findResources,
  findScripts,
  onPage,
} from './queries.ts'

/** All events of a kind on a page, or those of a sample of the users where there are very many. */
const choose = (
  asked: Question,
  kind: string | undefined,
  { page, exact }: { page: string; exact?: 'true' },
) =>
  chooseSample(asked, {
    kind,
    conditions: (sampled) => [onPage(sampled, page)],
    exact,
  })

const replyOf = (question: Question) => ({ ...periodOf(question), sample: sampleOf(question) })

export async function listPageElements(
  asked: Question,
  query: QueryOf<typeof contract.listPageElements>,
): Promise<ReplyOf<typeof contract.listPageElements>> {
  const { page, vital } = query
  const question = await choose(asked, 'vital', query)
  const rows = await findElements(question, { page, vital })
  return {
    ...replyOf(question),
    elements: rows.map(({ element, count, share, p75 }) => ({
      element,
      count: Number(count),
      shareOfSlow: share,
      p75,
    })),
  }
}

export async function listPageBreakdown(
  asked: Question,
  query: QueryOf<typeof contract.listPageBreakdown>,
): Promise<ReplyOf<typeof contract.listPageBreakdown>> {
  const { page, by, bins: vital } = query
  const [field] = readGroups(by, { pointer: '?by', most: 1 })
  if (field === undefined) return { ...replyOf(asked), groups: [] }
  const question = await choose(asked, undefined, query)
  const [rows, bins] = await Promise.all([
    findBreakdown(question, { page, by: field }),
    vital === undefined
      ? []
      : findBins(question, { page, widths: widthsOf([vital]), last: lastBin, by: field }),
  ])
  return {
    ...replyOf(question),
    groups: rows.map(({ slice, views, vitals }) => ({
      value: slice,
      views,
      vitals: toSummaries(vitals),
      bins:
        vital === undefined
          ? []
          : toBins(
              vital,
              bins.filter(({ group }) => group === slice),
            ),
    })),
  }
}

export async function listPageResources(
  asked: Question,
  query: QueryOf<typeof contract.listPageResources>,
): Promise<ReplyOf<typeof contract.listPageResources>> {
  const { page } = query
  const question = await choose(asked, 'resource', query)
  const rows = await findResources(question, page)
  return {
    ...replyOf(question),
    resources: rows.map(({ resource, bytes, ...row }) => ({ ...row, name: resource, meanBytes: bytes })),
  }
}

export async function listPageLongFrames(
  asked: Question,
  query: QueryOf<typeof contract.listPageLongFrames>,
): Promise<ReplyOf<typeof contract.listPageLongFrames>> {
  const { page } = query
  const question = await choose(asked, undefined, query)
  const [totals, scripts] = await Promise.all([findFrameTotals(question, page), findScripts(question, page)])
  return { ...replyOf(question), ...totals, scripts }
}
