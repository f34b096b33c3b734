import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getPage } from './get-page.ts'
import {
  listPageBreakdown,
  listPageElements,
  listPageLongFrames,
  listPageResources,
} from './list-page-parts.ts'
import { listPages } from './list-pages.ts'

export const pageRoutes: Handlers<Calls['pages'], Services> = {
  listPages: async (services, requested) =>
    listPages(await openQuestion(services, requested), requested.query),
  getPage: async (services, requested) => getPage(await openQuestion(services, requested), requested.query),
  listPageElements: async (services, requested) =>
    listPageElements(await openQuestion(services, requested), requested.query),
  listPageBreakdown: async (services, requested) =>
    listPageBreakdown(await openQuestion(services, requested), requested.query),
  listPageResources: async (services, requested) =>
    listPageResources(await openQuestion(services, requested), requested.query),
  listPageLongFrames: async (services, requested) =>
    listPageLongFrames(await openQuestion(services, requested), requested.query),
}
