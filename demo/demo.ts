// The demo, loaded by the server on request: the project, a week of history, visitors, and the shop's API.

import { toOtlp } from './api/otlp.ts'
import { answerShop } from './api/shop-api.ts'
import { generateHistory } from './history/generate-history.ts'
import { project } from './project.ts'
import { createVisitors } from './visitors.ts'

export const demo = { project, generateHistory, createVisitors, answerShop, toOtlp }
