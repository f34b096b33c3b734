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
  listPages: async (services, asked) => listPages(await openQuestion(services, asked), asked.query),
  getPage: async (services, asked) => getPage(await openQuestion(services, asked), asked.query.page),
  listPageElements: async (services, asked) =>
    listPageElements(await openQuestion(services, asked), asked.query),
  listPageBreakdown: async (services, asked) =>
    listPageBreakdown(await openQuestion(services, asked), asked.query),
  listPageResources: async (services, asked) =>
    listPageResources(await openQuestion(services, asked), asked.query.page),
  listPageLongFrames: async (services, asked) =>
    listPageLongFrames(await openQuestion(services, asked), asked.query.page),
}
