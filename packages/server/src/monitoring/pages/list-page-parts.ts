import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/pages'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { lastBin, toBins, toSummaries, widthsOf } from './page-vitals.ts'
import {
  findBins,
  findBreakdown,
  findElements,
  findFrameTotals,
  findResources,
  findScripts,
} from './queries.ts'

export async function listPageElements(
  question: Question,
  { page, vital }: QueryOf<typeof contract.listPageElements>,
): Promise<ReplyOf<typeof contract.listPageElements>> {
  const rows = await findElements(question, { page, vital })
  return {
    ...periodOf(question),
    elements: rows.map(({ element, count, share, p75 }) => ({
      element,
      count: Number(count),
      shareOfSlow: share,
      p75,
    })),
  }
}

export async function listPageBreakdown(
  question: Question,
  { page, by, bins: vital }: QueryOf<typeof contract.listPageBreakdown>,
): Promise<ReplyOf<typeof contract.listPageBreakdown>> {
  const [field] = readGroups(by, { pointer: '?by', most: 1 })
  if (field === undefined) return { ...periodOf(question), groups: [] }
  const [rows, bins] = await Promise.all([
    findBreakdown(question, { page, by: field }),
    vital === undefined
      ? []
      : findBins(question, { page, widths: widthsOf([vital]), last: lastBin, by: field }),
  ])
  return {
    ...periodOf(question),
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
  question: Question,
  page: string,
): Promise<ReplyOf<typeof contract.listPageResources>> {
  const rows = await findResources(question, page)
  return {
    ...periodOf(question),
    resources: rows.map(({ resource, bytes, ...row }) => ({ ...row, name: resource, meanBytes: bytes })),
  }
}

export async function listPageLongFrames(
  question: Question,
  page: string,
): Promise<ReplyOf<typeof contract.listPageLongFrames>> {
  const [totals, scripts] = await Promise.all([findFrameTotals(question, page), findScripts(question, page)])
  return { ...periodOf(question), ...totals, scripts }
}
