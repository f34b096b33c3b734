// Every peer of the evaluation benchmark, each through its public interface.

import { flagd } from './flagd.mjs'
import { flagsmith } from './flagsmith.mjs'
import { growthbook } from './growthbook.mjs'
import { launchdarkly } from './launchdarkly.mjs'
import { unleash } from './unleash.mjs'

export const peers = [flagd, growthbook, unleash, launchdarkly, flagsmith]
